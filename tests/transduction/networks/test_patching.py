"""A transducer with patches: its steps, its loss and what it reads."""

import math

import pytest
import torch
from torch import nn

from kasu.transduction.alphabet import PAD, START, Alphabet
from kasu.transduction.edits.actions import COPY, MOVE
from kasu.transduction.edits.glyphs import Patches
from kasu.transduction.items import Item
from kasu.transduction.networks.patching import PatchingTransducer

TAGS, PATCHES = Alphabet(["PL", "SG"]), Patches("aäoöuü")
HAUS = Item("Baumhaus", ("PL",), "Baumhäuser")
KUH = Item("kuh", ("SG",), "kuh")


def network():
    torch.manual_seed(2)
    return PatchingTransducer("Baäehkmrsuü", TAGS, PATCHES, embedding=5, size=6)


def test_lessons_know_the_place_before_each_action():
    made = network()
    batch = made.batch([HAUS, KUH])
    actions = [made.alphabet.decode(row) for row in batch.actions.tolist()]
    changed = [*[COPY, MOVE] * 5, "PATCH 0", MOVE, *[COPY, MOVE] * 2, "e", "r"]
    assert actions == [changed, [COPY, MOVE] * 3]
    # The last of them is past the end
    assert batch.pointers[0].tolist() == [*sorted([*range(8)] * 2), 8, 8, 8]
    assert batch.actions[1, 7:].tolist() == [PAD] * 12


def test_the_loss_of_an_item_is_divided_by_the_logarithm_of_its_length():
    made, losses = network(), []
    for item, steps in ((HAUS, 19), (KUH, 7)):
        state = made.start(*made._asked([item]))
        previous, total = torch.tensor([START]), 0.0
        for action in made._actions(item):
            log_probs, state = made.step(state, previous)
            total -= log_probs[0, action].item()
            previous = torch.tensor([action])
        assert len(made._actions(item)) == steps
        # ln 20 = 2.996 for 19 actions
        divisor = {19: 2.996, 7: 2.079}[steps]
        assert math.log(1 + steps) == pytest.approx(divisor, abs=5e-4)
        losses.append(total / math.log(1 + steps))
        assert made.loss(made.batch([item])).item() == pytest.approx(losses[-1], abs=1e-5)
    batch = made.batch([HAUS, KUH])
    assert made.loss(batch).item() == pytest.approx(sum(losses) / 2, abs=1e-5)
    assert made(*made.inputs(batch)).item() == pytest.approx(sum(losses) / 2, abs=1e-5)


def test_the_decoder_starts_from_the_forward_direction_and_reads_sums_of_both():
    made = network()
    ids, tags = made._asked([KUH])
    state = made.start(ids, tags)
    kernel = made.encoder.layers[0].kernel
    outputs, _ = kernel(made.symbols(ids).transpose(0, 1))
    forward, backward = outputs.squeeze(1).split(6, 1)
    assert torch.allclose(state.hidden[0], forward[-1])
    assert torch.allclose(state.encodings[0, :3], forward + backward)
    assert not state.encodings[0, 3].any()
    assert (state.pointer.tolist(), state.last.tolist()) == ([0], [3])


def test_only_a_move_moves_the_pointer_up_to_the_place_after_the_end():
    made = network()
    state = made.start(*made._asked([HAUS, KUH]))
    move, copy, patch, letter = made.alphabet.encode([MOVE, COPY, "PATCH 0", "e"])
    for action in (START, copy, patch, letter):
        _, state = made.step(state, torch.tensor([action] * 2))
    assert state.pointer.tolist() == [0, 0]
    for _ in range(9):
        _, state = made.step(state, torch.tensor([move] * 2))
    assert state.pointer.tolist() == [8, 3]


def test_the_last_action_and_the_features_are_read():
    made = network()
    asked = made._asked([KUH])
    state = made.start(*asked)
    found = [made.step(state, torch.tensor([action]))[0] for action in (START, made.move)]
    assert not torch.allclose(*found)
    plural = made.start(asked[0], made._asked([KUH._replace(tags=("PL",))])[1])
    assert not torch.allclose(found[0], made.step(plural, torch.tensor([START]))[0])
    # Unknown features leave no trace
    unknown = made.start(asked[0], made._asked([KUH._replace(tags=("SG", "X"))])[1])
    assert torch.equal(found[0], made.step(unknown, torch.tensor([START]))[0])


def test_first_weights_are_drawn_by_width():
    torch.manual_seed(1)
    made = PatchingTransducer("Baäehkmrsuü", TAGS, PATCHES, embedding=16, size=64)
    uniform = nn.ModuleList([made.encoder, made.cell, made.output])
    for weight in uniform.parameters():
        assert weight.abs().max() <= 64**-0.5
        assert weight.numel() < 500 or weight.std().item() == pytest.approx(0.125 / 3**0.5, rel=0.1)
    for table in (made.symbols, made.actions):
        assert table.weight.std().item() == pytest.approx(1, rel=0.15)


@pytest.mark.parametrize("width", [1, 3])
def test_answers_do_not_depend_on_the_other_items(width):
    made = network()
    items = [HAUS, KUH, Item("ahm", ())]
    together = made.answer(items, width)
    for item, answer in zip(items, together, strict=True):
        (alone,) = made.answer([item], width)
        assert alone.forms == answer.forms
        assert alone.scores == pytest.approx(answer.scores, abs=1e-4)


def test_an_empty_lemma_and_unknown_symbols_are_answered():
    assert len(network().answer([Item("", ("X",)), Item("žž", ())])) == 2
    assert network().loss(network().batch([Item("", (), "a"), Item("a", (), "")])).isfinite()


def test_what_is_searched_is_executed_with_the_repair():
    made = network()
    with torch.no_grad():
        # It writes e for ever, once the pointer is past the end
        made.output.weight.zero_()
        made.output.bias.zero_()[made.alphabet.encode(["e"])] = 10
    (answer,) = made.answer([KUH])
    assert answer.forms == ["e" * (3 * 3 + 40)]
    (empty,) = made.answer([KUH._replace(source="")])
    assert empty.forms == ["e"]
