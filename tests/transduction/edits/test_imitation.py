"""Imitation learning: roll-in, roll-out, the loss of a set; with decoders that follow a table."""

import math

import pytest
import torch
from rapidfuzz.distance import Levenshtein

from kasu.transduction.alphabet import START
from kasu.transduction.edits.actions import COPY, DELETE, END, ActionAlphabet, consuming
from kasu.transduction.edits.dynamic_oracle import DynamicOracle, Position
from kasu.transduction.edits.imitation import (
    Alignments,
    Conditions,
    Expert,
    Trajectory,
    decay,
    set_loss,
)
from kasu.transduction.items import Item
from kasu.transduction.search import greedy

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


def roll_in(expert, decoder, source, target, sampled=0.0, draws=((0.5, 0.5),) * 9):
    given = Conditions(decoder, STATE, DynamicOracle(source, target), sampled, draws)
    trajectory = Trajectory([], [], [], [], [])
    expert.roll_in(given, trajectory)
    return given, trajectory


def rolled_in(decoder, source, target, sampled, draws, **settings):
    return roll_in(Expert(limit=9, **settings), decoder, source, target, sampled, draws)[1]


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
    assert expert.roll_out(*roll_in(expert, MODEL, "a", "a"))[0] == optimal


def test_no_roll_out_once_there_is_no_choice():
    expert = Expert(limit=9)
    assert expert.roll_out(*roll_in(expert, MODEL, "a", "a"))[-1] == [END]


def test_no_roll_out_where_the_limit_leaves_no_action():
    expert = Expert(limit=2)
    found = expert.roll_out(*roll_in(expert, MODEL, "aa", "aa", draws=[(0.5, 0.5)] * 2))
    assert found == [[DELETE, COPY], [COPY]]


def test_written_symbols_count_for_the_distance():
    """At the second of two steps "a" is written. The model would go on to "al" or to "aal"."""
    expert = Expert(limit=9, beta=5.0)
    decoder = Follows({DELETE: "a", "a": "l"})
    assert expert.roll_out(*roll_in(expert, decoder, "ae", "al"))[1] == ["l"]


@pytest.mark.parametrize(
    ("rolled_out", "actions", "optimal"),
    [(0.0, [COPY, END], [COPY]), (1.0, [DELETE, "a", END], [DELETE, COPY])],
)
def test_a_lesson(rolled_out, actions, optimal):
    """The expert deletes where roll-outs say that it may: to the model both are alike."""
    expert = Expert(limit=9, rolled_out=rolled_out)
    lesson = expert.lesson(MODEL, STATE, Item("a", (), "a"), 1, torch.Generator().manual_seed(1))
    assert lesson.actions == ALPHABET.encode(actions)
    assert lesson.optimal[0] == ALPHABET.encode(optimal)


class Random(Follows):
    """A decoder with random probabilities after each action; it cannot copy or delete too often.

    Its state is the number of symbols that are left of a source.
    """

    def __init__(self, seed):
        super().__init__({})
        draw = torch.Generator().manual_seed(seed)
        self.scores = 3 * torch.randn(len(ALPHABET), len(ALPHABET), generator=draw)
        self.ends, *self.consumes = ALPHABET.encode([END, COPY, DELETE])

    def step(self, state, previous):
        (left,) = state
        consumed = sum((previous == each).float() for each in self.consumes).unsqueeze(1)
        left = left - consumed
        scores = self.scores[previous].clone()
        scores[:, : ALPHABET.encode([COPY])[0]] = -torch.inf
        scores[:, self.consumes] = scores[:, self.consumes].where(left > 0, -torch.inf)
        scores[:, [self.ends]] = self.scores[previous][:, [self.ends]].where(left <= 0, -torch.inf)
        return scores.log_softmax(1), (left,)


def rolled_out_before_each_step(expert, model, state, item, sampled, draws):
    """A lesson word by word as the paper has it: at each step roll out, then act."""
    oracle, position = DynamicOracle(item.source, item.target), Position()
    actions, optimal, previous = [], [], START
    (end,) = ALPHABET.encode([END])
    while len(actions) < expert.limit and previous != end:
        log_probs, state = model.step(state, torch.tensor([previous]))
        best, candidates = oracle.optimal(position), oracle.candidates(position)
        left = expert.limit - len(actions) - 1
        if len(candidates) > 1 and left:
            costs = {}
            for action in candidates:
                first = torch.tensor(ALPHABET.encode([action]))
                ((ids, _),) = greedy(model, state, [left], first)
                following = [action, *ALPHABET.decode(ids)]
                written = consuming(item.source, ALPHABET.decode(actions) + following)
                distance = Levenshtein.distance(written, item.target)
                costs[action] = sum(each != COPY for each in following) + expert.beta * distance
            best = [action for action in candidates if costs[action] == min(costs.values())]
        who, which = draws[len(actions)]
        ids = ALPHABET.encode(best)
        if who < sampled:
            sums = log_probs[0].exp().cumsum(0)
            previous = int((sums <= which * sums[-1]).sum())
        elif expert.uniform:
            previous = ids[int(which * len(ids))]
        else:
            previous = max(ids, key=lambda each: log_probs[0, each])
        actions.append(previous)
        optimal.append(ids)
        if previous != end:
            position = oracle.after(position, *ALPHABET.decode([previous]))
    return actions, optimal


@pytest.mark.parametrize("uniform", [True, False])
@pytest.mark.parametrize("beta", [0.0, 5.0])
def test_roll_outs_before_each_step_give_the_same_lesson(uniform, beta):
    expert = Expert(limit=8, k=2.0, uniform=uniform, rolled_out=1.0, beta=beta)
    revised = 0
    for seed in range(15):
        model = Random(seed)
        source, target = [("aela", "xala"), ("lle", "eel"), ("a", "axe")][seed % 3]
        item, state = Item(source, (), target), (torch.full((1, 1), float(len(source))),)
        _, *draws = torch.rand(9, 2, generator=torch.Generator().manual_seed(seed)).tolist()
        lesson = expert.lesson(model, state, item, 3, torch.Generator().manual_seed(seed))
        assert lesson == rolled_out_before_each_step(
            expert, model, state, item, expert.sampled(3), draws
        )
        oracle = DynamicOracle(source, target)
        trajectory = Trajectory([], [], [], [], [])
        expert.roll_in(Conditions(model, state, oracle, expert.sampled(3), draws), trajectory)
        revised += trajectory.actions != lesson.actions
    assert revised > 2  # else the test would show nothing


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
