from itertools import product

import pytest
import torch
from torch import nn

from kasu.transduction.alphabet import PAD, Alphabet
from kasu.transduction.edits.actions import COPY, END, MOVE, ActionAlphabet
from kasu.transduction.items import Item
from kasu.transduction.networks import pointing
from kasu.transduction.networks.pointing import PointingTransducer

ALPHABET, TAGS = ActionAlphabet("aăcefu", [COPY, MOVE]), Alphabet(["V", "N", "SG", "PL"])
FACE = Item("face", ("V",), "făceau")
AC = Item("ac", ("N", "PL"), "ace")


def network() -> PointingTransducer:
    torch.manual_seed(2)
    return PointingTransducer(ALPHABET, TAGS, embedding=5, size=6, layers=2)


def test_lessons_know_the_place_before_each_action():
    batch = network().batch([FACE, AC])
    actions = [ALPHABET.decode(row) for row in batch.actions.tolist()]
    # Reserved ids, END among them, have no symbol
    assert actions[0] == [COPY, "ă", MOVE, MOVE, COPY, MOVE, COPY, "a", "u"]
    assert batch.pointers[0].tolist() == [0, 0, 0, 1, 2, 2, 3, 3, 3, 3]
    assert actions[1] == [COPY, MOVE, COPY, "e"]
    assert batch.actions[1, 5:].tolist() == [PAD] * 5
    assert len(batch) == 2


def test_the_loss_is_a_mean_over_items_and_adds_up_single_steps():
    made = network()
    losses = []
    for item in (FACE, AC):
        state = made.start(*made._asked([item]))
        previous = torch.tensor([1])
        for action in made._actions(item):
            log_probs, state = made.step(state, previous)
            losses.append(-log_probs[0, action].item())
            previous = torch.tensor([action])
    assert len(losses) == 10 + 5
    expected = sum(losses) / 2
    assert made.loss(made.batch([FACE, AC])).item() == pytest.approx(expected, abs=1e-5)


def test_lessons_of_similar_length_are_computed_together(monkeypatch):
    made = network()
    items = [FACE, AC, Item("a", ("V", "SG"), "a"), Item("fe", (), "feu"), Item("", (), "")]
    batch = made.batch(items)
    parts = [*pointing.alike(batch, 2)]
    ends = [ALPHABET.decode(row) for part in parts for row in part.actions.tolist()]
    assert list(map(len, ends)) == [0, 1, 4, 4, 9]
    assert [part.source.shape for part in parts] == [(2, 1), (2, 2), (1, 4)]
    made(*made.inputs(batch)).backward()
    expected = {name: weight.grad.clone() for name, weight in made.named_parameters()}
    for number in (1, 2, 5):
        monkeypatch.setattr(pointing, "ALIKE", number)
        made.zero_grad()
        loss = made.loss(batch)
        loss.backward()
        assert loss.item() == pytest.approx(made(*made.inputs(batch)).item(), rel=1e-6)
        for name, weight in made.named_parameters():
            assert torch.allclose(weight.grad, expected[name], atol=1e-7)


def test_features_are_added_up():
    made = network()
    _, tags = made._asked([AC])
    table = made.features.weight
    assert torch.allclose(made._sum(tags)[0], table[TAGS.encode(["N", "PL"])].sum(0))
    _, none = made._asked([Item("ac", ())])
    assert not made._sum(none).any()


def test_what_was_written_is_not_read():
    made = network()
    state = made.start(*made._asked([AC]))
    found = [made.step(state, torch.tensor([action]))[0] for action in ALPHABET.encode("ae")]
    assert torch.equal(*found)
    moved, _ = made.step(state, torch.tensor(ALPHABET.encode([MOVE])))
    assert not torch.allclose(moved, found[0])


def test_the_pointer_stops_at_the_last_symbol():
    made = network()
    state = made.start(*made._asked([FACE, AC]))
    for _ in range(3):
        _, state = made.step(state, torch.tensor(ALPHABET.encode([MOVE] * 2)))
    assert state.pointer.tolist() == [3, 1]


@pytest.mark.parametrize("width", [1, 3])
def test_answers_do_not_depend_on_the_other_items(width):
    made = network()
    items = [FACE, AC, Item("ufa", ("N", "SG"))]
    together = made.answer(items, width)
    for item, answer in zip(items, together, strict=True):
        (alone,) = made.answer([item], width)
        assert alone.forms == answer.forms
        assert alone.scores == pytest.approx(answer.scores, abs=1e-4)


def test_an_empty_lemma_and_unknown_features_are_answered():
    assert len(network().answer([Item("", ("X",)), Item("žž", ())])) == 2


def test_a_network_learns_a_suffix():
    lemmas = ["".join(letters) for letters in product("bdk", "aeo", "lnr")]
    items = [
        Item(lemma, tags, lemma + end)
        for lemma in lemmas
        for tags, end in ((("SG",), "a"), (("PL",), "u"))
    ]
    held_out, train = items[::9], [item for at, item in enumerate(items) if at % 9]
    torch.manual_seed(1)
    alphabet = ActionAlphabet("bdkaeoulnr", [COPY, MOVE])
    made = PointingTransducer(alphabet, TAGS, embedding=16, size=24, layers=2)
    optimizer = torch.optim.Adam(made.parameters(), 0.02)
    batch = made.batch(train)
    for _ in range(150):
        optimizer.zero_grad()
        made.loss(batch).backward()
        nn.utils.clip_grad_norm_(made.parameters(), 5)
        optimizer.step()
    pairs = zip(made.answer(held_out), held_out, strict=True)
    right = [answer.forms[0] == item.target for answer, item in pairs]
    assert sum(right) >= 0.9 * len(right)


def test_the_end_is_an_action():
    assert network()._actions(AC)[-1] == ALPHABET.encode([END])[0]
