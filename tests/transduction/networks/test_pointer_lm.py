from itertools import combinations

import pytest
import torch

from kasu.transduction.alphabet import END, START, Alphabet
from kasu.transduction.edits import actions
from kasu.transduction.edits.actions import MOVE, ActionAlphabet, moving_oracle
from kasu.transduction.items import Item
from kasu.transduction.networks.character_lm import CharacterLM
from kasu.transduction.networks.pointer_lm import StepSizes, StepTransducer

ALPHABET, TAGS = ActionAlphabet("eloruv", [MOVE]), Alphabet(["V", "V_PRS"])
SIZES = StepSizes(embedding=4, encoder=5, decoder=6, feature=3, dense=5, history=3)
VOLVER = Item("volver", ("V", "V_PRS"), "vuelvo")
COLUMNS = [("v", "v"), ("o", "u"), (None, "e"), ("l", "l"), ("v", "v"), ("e", "o"), ("r", None)]
VER = Item("ver", ("V",), "veo")
TEACHER = {
    VOLVER: moving_oracle(COLUMNS),
    VER: moving_oracle([("v", "v"), ("e", "e"), (None, "o"), ("r", None)]),
}


def network(*, fused=False, **more) -> StepTransducer:
    torch.manual_seed(2)
    sizes = {"history": 2, "layers": 2, "size": 5, "feature": 3, "dense": 4}
    model = CharacterLM(ALPHABET, TAGS, **sizes) if fused else None
    torch.manual_seed(3)
    made = StepTransducer(ALPHABET, TAGS, SIZES, dropout=0.2, fused=model, **more)
    made.teacher = TEACHER
    return made.eval()


def test_the_pointer_of_the_paper():
    """Figure 1 of the paper; there, what begins the string stands over the beginning."""
    batch = network().batch([VOLVER])
    actions = ALPHABET.decode(batch.actions[0].tolist())
    assert " ".join(actions).replace(MOVE, "step") == ("v step u e step l step v step o step step")
    assert batch.actions[0, -1] == END
    source = ["begin", *VOLVER.source, "end"]
    pointed = [source[place] for place in batch.pointers[0]]
    assert " ".join(pointed) == "v v o o o l l v v e e r end"


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("gate", [False, True])
def test_the_teacher_sees_what_single_steps_see(fused, gate):
    made = network(fused=fused, gate=gate)
    batch = made.batch([VOLVER, VER])
    found = made._teach(*made.inputs(batch))
    state, previous = made.start(batch.source, batch.tags), torch.tensor([START, START])
    for place in range(batch.actions.shape[1]):
        with torch.no_grad():
            log_probs, state = made.step(state, previous)
        previous = batch.actions[:, place]
        for row in (0, 1):
            if previous[row]:  # not after the end
                assert log_probs[row, previous[row]].item() == pytest.approx(
                    found[row, place, previous[row]].item(), abs=1e-5
                )


def test_log_probabilities_are_of_one():
    for gate in (False, True):
        made = network(gate=gate)
        found = made._teach(*made.inputs(made.batch([VOLVER])))
        assert torch.allclose(found.exp().sum(2), torch.ones(1, 13), atol=1e-5)


def test_an_open_gate_copies():
    made = network()
    made.gate.bias.data.fill_(100)
    state = made.start(*made._asked([VOLVER]))
    log_probs, state = made.step(state, torch.tensor([START]))
    assert ALPHABET.decode(log_probs.argmax(1).tolist()) == ["v"]
    log_probs, _ = made.step(state, torch.tensor(ALPHABET.encode([MOVE])))
    assert ALPHABET.decode(log_probs.argmax(1).tolist()) == ["o"]


def test_fused_with_a_model_that_says_nothing_is_the_network_alone():
    alone, fused = network(), network(fused=True)
    weights = alone.state_dict()
    # The columns of the dense layer that read the language model come last
    wide = fused.dense.weight.data.clone()
    wide[:, : SIZES.decoder] = weights.pop("dense.weight")
    fused.load_state_dict(weights | {"dense.weight": wide}, strict=False)
    batch = alone.batch([VOLVER, VER])
    assert not torch.equal(fused.loss(batch), alone.loss(batch))
    fused.erased, fused.dropout = 1.0, 0.0
    fused.train()
    assert torch.allclose(fused.loss(batch), alone.loss(batch), atol=1e-6)


def test_training_leaves_the_language_model_as_it_is():
    made = network(fused=True)
    made.loss(made.batch([VOLVER])).backward()
    assert all(weight.grad is None for weight in made.fused.parameters())
    assert made.dense.weight.grad[:, SIZES.decoder :].any()


def test_erasing_is_of_whole_steps_and_drawn_by_the_seed():
    made = network(fused=True, erased=0.4).train()
    batch = made.batch([VOLVER], seed=7)
    said = made.inputs(batch)[-1]
    zeros = (said == 0).all(2)
    assert 0 < zeros.sum() < zeros.numel()
    assert torch.equal(said, made.inputs(batch)[-1])
    assert torch.equal((said == 0).any(2), zeros)


def test_the_pointer_does_not_move_past_the_end():
    made = network()
    state = made.start(*made._asked([VER]))
    previous = torch.tensor([START])
    for _ in range(4):
        log_probs, state = made.step(state, previous)
        previous = torch.tensor(ALPHABET.encode([MOVE]))
    assert state.pointer.tolist() == [4]
    assert log_probs[0, previous[0]] == -torch.inf


def test_counts_right_actions():
    made = network()
    batch = made.batch([VOLVER, VER])
    right, symbols, losses = made.count_right(batch)
    assert symbols == 13 + 7
    assert losses == pytest.approx(20 * made.loss(batch).item(), rel=1e-5)
    made.output.bias.data[ALPHABET.encode([MOVE])] = 100
    made.gate.bias.data.fill_(-100)
    assert made.count_right(batch)[:2] == (6 + 3, 20)
    assert 0 <= right <= 20


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("width", [1, 3])
def test_answers_do_not_depend_on_the_other_items(width, fused):
    made = network(fused=fused)
    items = [VOLVER, VER, Item("", ("X",)), Item("žž", ())]
    together = made.answer(items, width)
    for item, answer in zip(items, together, strict=True):
        (alone,) = made.answer([item], width)
        assert alone.forms == answer.forms
        assert alone.scores == pytest.approx(answer.scores, abs=1e-4)


def ways(moves, letters):
    """All orders of so many moves among letters, which end."""
    for places in combinations(range(moves + len(letters)), moves):
        rest = iter(letters)
        yield [MOVE if at in places else next(rest) for at in range(moves + len(letters))] + [
            actions.END
        ]


@pytest.mark.parametrize("fused", [False, True])
def test_letters_are_those_of_the_most_probable_way_to_write_a_form(fused):
    made = network(fused=fused)
    made.output.bias.data[ALPHABET.encode([MOVE])] += 2
    # The last one has a symbol that training lacks
    items = [Item("ver", ("V",), "veo"), Item("", (), "u"), Item("ve", (), ""), Item("e", (), "že")]
    found = made.letters(items, 100)
    assert [len(letters) for letters in found] == [4, 2, 1, 3]
    for item, letters in zip(items, found, strict=True):
        sums = {}
        for moves in range(len(item.source) + 1):
            for way in ways(moves, item.target):
                made.teacher = {item: way}
                batch = made.batch([item])
                right = made._teach(*made.inputs(batch)).gather(2, batch.actions.unsqueeze(2))
                sums[tuple(way)] = right.flatten().tolist()
        best = max(sums, key=lambda way: sum(sums[way]))
        assert (MOVE in best) == bool(item.source and item.target)
        # Each with the moves before it
        expected = [0.0]
        for action, log_prob in zip(best, sums[best], strict=True):
            expected[-1] += log_prob
            expected += [0.0] * (action not in (MOVE, actions.END))
        assert letters == pytest.approx(expected, abs=1e-4)
        # A narrow beam may miss it, but writes the form
        (narrow,) = made.letters([item], 1)
        assert len(narrow) == len(letters) and sum(narrow) <= sum(letters) + 1e-4


def test_letters_of_what_the_network_answers_add_up_to_its_score():
    made = network()
    for answer, item in zip(made.answer([VOLVER, VER], 3), [VOLVER, VER], strict=True):
        pairs = [item._replace(target=form) for form in answer.forms]
        for score, letters in zip(answer.scores, made.letters(pairs, 50), strict=True):
            assert sum(letters) >= score - 1e-4
