"""Morphological features as vectors."""

import torch

from kasu.transduction.features import Slots
from kasu.transduction.items import Item


def make_slots():
    slots = Slots([("N", "PL", "NOM"), ("V", "PL"), ("N",)], width=2)
    with torch.no_grad():
        # Rows: absent, NOM, PL, N, V
        slots.table.weight[:] = torch.arange(5.0).unsqueeze(1) + torch.tensor([0.0, 0.5])
    return slots


def vector(*tags):
    return make_slots()([Item("a", tags)]).tolist()


def test_each_feature_has_its_slot():
    assert vector("N", "NOM") == [[3, 3.5, 1, 1.5, 0, 0.5]]


def test_order_and_repetition_do_not_matter():
    assert vector("V", "PL", "NOM", "PL") == [[4, 4.5, 1, 1.5, 2, 2.5]]


def test_unseen_features_leave_no_trace():
    assert vector("ADJ", "PL", "GEN") == vector("X", "PL")
    assert vector("ADJ", "PL") == [[0, 0.5, 0, 0.5, 2, 2.5]]


def test_an_item_without_features():
    assert vector() == [[0, 0.5, 0, 0.5, 0, 0.5]]


def test_width_and_rows():
    slots = make_slots()
    assert slots.width == 6
    assert slots([Item("a", ("N",)), Item("b", ("V",))]).shape == (2, 6)


def test_training_without_features():
    slots = Slots([(), ()], width=3)
    assert slots([Item("a", ("N", "PL"))]).shape == (1, slots.width)


def test_what_training_saw():
    slots = make_slots()
    assert slots.known(Item("a", ("V", "NOM")))
    assert not slots.known(Item("a", ("V", "GEN")))
    assert not slots.known(Item("a", ("PL", "NOM")))
