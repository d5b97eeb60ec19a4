"""Morphological features as vectors."""

import torch

from kasu.transduction.alphabet import Alphabet
from kasu.transduction.features import Slots
from kasu.transduction.items import Item


def vectors(*tags):
    """Vectors of items with slots for GEN, N and PL."""
    slots = Slots(Alphabet(["N", "PL", "GEN"]), size=2)
    with torch.no_grad():
        # Rows: absent, GEN, N, PL
        slots.table.weight[:] = torch.arange(4.0).unsqueeze(1) + torch.tensor([0.0, 0.5])
    return slots(slots.ids([Item("a", each) for each in tags])).tolist()


def test_each_feature_has_its_slot():
    assert vectors(("N", "GEN")) == [[1, 1.5, 2, 2.5, 0, 0.5]]


def test_order_and_repetition_do_not_matter():
    assert vectors(("PL", "N", "PL")) == vectors(("N", "PL"))


def test_unknown_features_leave_no_trace():
    assert vectors(("N", "DU")) == [[0, 0.5, 2, 2.5, 0, 0.5]]


def test_items_apart():
    assert vectors((), ("PL",)) == [[0, 0.5, 0, 0.5, 0, 0.5], [0, 0.5, 0, 0.5, 3, 3.5]]


def test_no_feature_is_known():
    slots = Slots(Alphabet([]), size=3)
    assert slots.width == 0
    assert slots(slots.ids([Item("a", ("N",))])).shape == (1, 0)
