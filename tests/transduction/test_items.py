from kasu.transduction.items import Item, named, read_item, unnamed


def test_features_are_split_in_their_order():
    assert read_item("etxe", "N;PL;ERG", "etxeek") == Item("etxe", ("N", "PL", "ERG"), "etxeek")


def test_a_cell_without_features_has_no_tags():
    assert read_item("etxe", "") == Item("etxe", ())


def test_an_item_is_given_a_language_and_has_it_taken():
    item = Item("ur", ("N", "PL"), "urak")
    assert named(item, "basque").tags == ("N", "PL", "language:basque")
    assert unnamed(named(item, "basque")) == ("basque", item)
