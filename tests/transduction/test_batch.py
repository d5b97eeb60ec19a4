import pytest
import torch

from kasu.transduction.alphabet import END, PAD, START, UNKNOWN, Alphabet
from kasu.transduction.batch import as_unknown, make_batch, pad
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


def test_a_share_of_ids_is_read_as_unknown_and_padding_stays():
    draw = torch.Generator().manual_seed(1)
    ids = torch.tensor([[4, 5], [6, PAD]]).expand(500, 2, 2)
    read = as_unknown(ids, torch.tensor([98, 99]), 0.25, draw)
    changed = read != ids
    assert set(read[..., 0][changed[..., 0]].tolist()) == {98}
    assert set(read[..., 1][changed[..., 1]].tolist()) == {99}
    assert not changed[:, 1, 1].any()
    assert changed.sum().item() / 1500 == pytest.approx(0.25, abs=0.04)
    assert torch.equal(as_unknown(ids, 9, 0.0, draw), ids)
    assert as_unknown(ids, 9, 1.0, draw).unique().tolist() == [PAD, 9]
