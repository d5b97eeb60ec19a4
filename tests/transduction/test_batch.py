from kasu.transduction.alphabet import END, PAD, START, UNKNOWN, Alphabet
from kasu.transduction.batch import make_batch, pad
from kasu.transduction.items import Item

CHARACTERS, TAGS = Alphabet("abc"), Alphabet(["N", "PL"])


def test_rows_are_padded_at_the_end():
    assert pad([[4, 5, 6], [4]]).tolist() == [[4, 5, 6], [4, PAD, PAD]]


def test_items_become_ids():
    batch = make_batch([Item("ab", ("N", "PL"), "abc"), Item("c", ("N",), "cc")], CHARACTERS, TAGS)
    assert batch.source.tolist() == [[START, 4, 5, END], [START, 6, END, PAD]]
    assert batch.target is not None
    assert batch.target.tolist() == [[START, 4, 5, 6, END], [START, 6, 6, END, PAD]]
    assert batch.tags.tolist() == [[4, 5], [4, PAD]]
    assert len(batch) == 2


def test_foreign_symbols_differ_only_where_they_are_copied():
    batch = make_batch([Item("xay", ("N",)), Item("z", ("N",))], CHARACTERS, TAGS)
    assert batch.source.tolist()[0] == [START, UNKNOWN, 4, UNKNOWN, END]
    assert batch.copied.tolist() == [[START, 7, 4, 8, END], [START, 7, END, PAD, PAD]]
    assert batch.foreign == [["x", "y"], ["z"]]


def test_an_item_without_tags_has_an_end():
    assert make_batch([Item("a", ())], CHARACTERS, TAGS).tags.tolist() == [[END]]


def test_items_to_be_answered_have_no_target():
    assert make_batch([Item("a", ("N",))], CHARACTERS, TAGS).target is None
