"""Imitation learning: roll-in, roll-out, the loss of a set; with decoders that follow a table."""

import math

import pytest
import torch

from kasu.transduction.alphabet import START
from kasu.transduction.edits.actions import COPY, DELETE, END, ActionAlphabet
from kasu.transduction.edits.dynamic_oracle import DynamicOracle, Position
from kasu.transduction.edits.imitation import Alignments, Expert, decay, set_loss
from kasu.transduction.items import Item

ALPHABET = ActionAlphabet("aelx", [COPY, DELETE])


class Follows:
    """A decoder whose probabilities follow from the previous action alone.

    Args:
        after: the most probable action after each one, START for the first; else END.
    """

    alphabet = ALPHABET

    def __init__(self, after):
        scores = torch.zeros(len(ALPHABET), len(ALPHABET))
        for previous in range(len(ALPHABET)):
            (name,) = ALPHABET.decode([previous]) or [None]
            following = after.get(START if previous == START else name, END)
            scores[previous, ALPHABET.encode([following])] = 50
        self.log_probs = scores.log_softmax(1)

    def step(self, state, previous):
        return self.log_probs[previous], state


STATE = (torch.zeros(1, 1),)


def rolled_in(decoder, source, target, sampled, draws, **settings):
    expert = Expert(limit=9, **settings)
    oracle = DynamicOracle(source, target)
    return expert.roll_in(decoder, STATE, oracle, sampled, draws)


@pytest.mark.parametrize(
    ("epochs", "share"),
    [(0, 12 / 13), (12, 12 / (12 + math.e)), (30, 0.49621), (59, 0.080787)],
)
def test_decay(epochs, share):
    assert decay(12, epochs) == pytest.approx(share, rel=1e-4)


def test_loss_of_a_set():
    log_probs = torch.tensor([[0.5, 0.25, 0.25], [0.9, 0.1, 0.0]]).log()
    optimal = torch.tensor([[True, True, False], [False, True, True]])
    found = set_loss(log_probs, optimal)
    assert found.tolist() == pytest.approx([-math.log(0.75), -math.log(0.1)])


def test_alignments_teach_their_actions():
    item = Item("a", (), "x")
    teacher = Alignments({item: [DELETE, "x", END]})
    lesson = teacher.lesson(Follows({}), STATE, item, 1, torch.Generator())
    ids = ALPHABET.encode([DELETE, "x", END])
    assert lesson == (ids, [[each] for each in ids])


@pytest.mark.parametrize("favourite", [DELETE, "l"])
def test_the_expert_takes_the_models_favourite(favourite):
    decoder = Follows({START: favourite, DELETE: COPY, "l": COPY})
    trajectory = rolled_in(decoder, "el", "le", 0.0, [(0.5, 0.9)] * 9)
    assert ALPHABET.decode(trajectory.actions)[0] == favourite


@pytest.mark.parametrize(("drawn", "first"), [(0.1, DELETE), (0.9, "l")])
def test_the_expert_draws_uniformly(drawn, first):
    decoder = Follows({START: "x"})
    trajectory = rolled_in(decoder, "el", "le", 0.0, [(0.5, drawn)] * 9, uniform=True)
    assert ALPHABET.decode(trajectory.actions)[0] == first


def test_the_expert_writes_the_target():
    trajectory = rolled_in(Follows({}), "el", "al", 0.0, [(0.5, 0.5)] * 9)
    assert trajectory.actions == ALPHABET.encode([DELETE, "a", COPY, END])
    assert trajectory.positions == [Position(0, 0), Position(1, 0), Position(1, 1), Position(2, 2)]


def test_sampled_steps_are_the_models():
    decoder = Follows({START: "x", "x": COPY, COPY: DELETE})
    trajectory = rolled_in(decoder, "ae", "ae", 1.0, [(0.5, 0.5)] * 9)
    assert trajectory.actions == ALPHABET.encode(["x", COPY, DELETE, END])
    # The oracle ignores what is written wrongly
    assert trajectory.positions == [Position(0, 0), Position(0, 0), Position(1, 1), Position(2, 1)]


def test_each_step_draws_who_takes_it():
    decoder = Follows({START: "x", "x": "x", COPY: "x"})
    draws = [(0.9, 0.5), (0.1, 0.5), (0.9, 0.5)]
    trajectory = rolled_in(decoder, "a", "a", 0.3, draws)
    assert trajectory.actions == ALPHABET.encode([COPY, "x", END])


def test_sampling_follows_the_probabilities():
    class Even:
        """Two actions, of probability 0.25 and 0.75."""

        alphabet = ALPHABET

        def step(self, state, previous):
            probabilities = torch.zeros(len(previous), len(ALPHABET))
            probabilities[:, ALPHABET.encode(["a"])] = 0.25
            probabilities[:, ALPHABET.encode(["x"])] = 0.75
            return probabilities.log(), state

    draws = [(0.0, which) for which in (0.0, 0.249, 0.251, 0.999)]
    trajectory = rolled_in(Even(), "", "l", 1.0, draws)
    assert ALPHABET.decode(trajectory.actions) == ["a", "a", "x", "x"]


def test_the_limit_ends_a_trajectory():
    decoder = Follows({START: "x", "x": "x"})
    trajectory = rolled_in(decoder, "a", "a", 1.0, [(0.0, 0.5)] * 4)
    assert trajectory.actions == ALPHABET.encode("xxxx")


# After COPY this model inserts once more, after "a" it deletes: COPY and DELETE cost an edit, "a"
# two. But only "a" leads to the target.
MODEL = Follows({COPY: "x", "a": DELETE})


@pytest.mark.parametrize(("beta", "optimal"), [(0.0, [DELETE, COPY]), (5.0, ["a"])])
def test_roll_outs_compare_what_the_model_would_do(beta, optimal):
    expert = Expert(limit=9, beta=beta)
    oracle = DynamicOracle("a", "a")
    trajectory = expert.roll_in(MODEL, STATE, oracle, 0.0, [(0.5, 0.5)] * 9)
    assert expert.roll_out(MODEL, oracle, trajectory)[0] == optimal


def test_no_roll_out_once_there_is_no_choice():
    expert = Expert(limit=9)
    oracle = DynamicOracle("a", "a")
    trajectory = expert.roll_in(MODEL, STATE, oracle, 0.0, [(0.5, 0.5)] * 9)
    assert expert.roll_out(MODEL, oracle, trajectory)[-1] == [END]


def test_no_roll_out_where_the_limit_leaves_no_action():
    expert = Expert(limit=2)
    oracle = DynamicOracle("aa", "aa")
    trajectory = expert.roll_in(MODEL, STATE, oracle, 0.0, [(0.5, 0.5)] * 2)
    assert expert.roll_out(MODEL, oracle, trajectory) == [[DELETE, COPY], [COPY]]


def test_written_symbols_count_for_the_distance():
    """At the second of two steps "a" is written. The model would go on to "al" or to "aal"."""
    expert = Expert(limit=9, beta=5.0)
    oracle = DynamicOracle("ae", "al")
    decoder = Follows({DELETE: "a", "a": "l"})
    trajectory = expert.roll_in(decoder, STATE, oracle, 0.0, [(0.5, 0.5)] * 9)
    assert expert.roll_out(decoder, oracle, trajectory)[1] == ["l"]


@pytest.mark.parametrize(("rolled_out", "optimal"), [(0.0, [COPY]), (1.0, [DELETE, COPY])])
def test_a_lesson(rolled_out, optimal):
    expert = Expert(limit=9, rolled_out=rolled_out)
    lesson = expert.lesson(MODEL, STATE, Item("a", (), "a"), 1, torch.Generator().manual_seed(1))
    assert lesson.actions == ALPHABET.encode([COPY, END])
    assert lesson.optimal[0] == ALPHABET.encode(optimal)


@pytest.mark.parametrize(("k", "shares"), [(12.0, [1 / 13, 0.50379]), (None, [0.0, 0.0])])
def test_share_of_sampled_steps_by_epoch(k, shares):
    expert = Expert(limit=9, k=k)
    assert [expert.sampled(epoch) for epoch in (1, 31)] == pytest.approx(shares, rel=1e-4)


def test_later_epochs_sample_more():
    decoder = Follows({START: "x", "x": "x", COPY: "x"})
    expert = Expert(limit=9, k=12.0)

    def sampled(epoch):
        draw = torch.Generator().manual_seed(1)
        item = Item("aaaa", (), "aaaa")
        lessons = [expert.lesson(decoder, STATE, item, epoch, draw) for _ in range(50)]
        return sum("x" in ALPHABET.decode(lesson.actions) for lesson in lessons)

    assert sampled(1) < 25 < sampled(60)
