from kasu.transduction.items import Item, read_item


def test_features_are_split_in_their_order():
    assert read_item("etxe", "N;PL;ERG", "etxeek") == Item("etxe", ("N", "PL", "ERG"), "etxeek")


def test_a_cell_without_features_has_no_tags():
    assert read_item("etxe", "") == Item("etxe", ())
