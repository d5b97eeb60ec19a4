"""AX Semantics' first system: its features, its learners, bad data."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.inflection.systems import axsemantics_01
from kasu.inflection.systems.axsemantics_01 import Features, affixes
from kasu.transduction.classification import classifiers
from kasu.transduction.classification.classifiers import LEARNERS, draw_classifiers
from kasu.transduction.items import read_item
from kasu.transduction.members.families import Data, Run, Session

SEHEN = read_item("sehen", "V;PST;3;PL", "sahen")
ITEMS = [SEHEN, read_item("geben", "V;PST;3;PL", "gaben"), read_item("sagen", "V;PST", "sagten")]
SMALL = {"draws": 2, "epochs": 50}


def test_affixes_are_up_to_three_and_five_characters_long():
    assert [affix for _, affix in affixes("schreiben")] == [
        "s", "sc", "sch", "n", "en", "ben", "iben", "eiben",
    ]  # fmt: skip
    assert list(affixes("ab")) == [
        ("prefix", "a"), ("prefix", "ab"), ("suffix", "b"), ("suffix", "ab"),
    ]  # fmt: skip
    assert list(affixes("")) == []


@pytest.mark.parametrize(
    ("whole", "rows"),
    [
        # V PST 3 PL, then -n -en, which three items have; s- has two
        (False, [[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1], [1, 1, 0, 0, 1, 1], [0, 1, 0, 0, 0, 0]]),
        (True, [[1, 0, 1, 1], [1, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 0]]),
    ],
)
def test_features_are_tags_or_the_msd_and_frequent_affixes(whole, rows):
    unknown = read_item("essbar", "ADJ;PST")
    assert Features(ITEMS, whole).matrix([*ITEMS, unknown]).toarray().tolist() == rows


def test_networks_are_drawn_in_the_stated_ranges_and_more_draws_keep_the_first():
    drawn = [one for (one,) in draw_classifiers("network", 1, 40, 7)]
    assert all(100 <= one.hidden_layer_sizes[0] <= 500 for one in drawn)
    assert all(1e-5 <= one.alpha <= 1e-2 for one in drawn)
    assert all(10**-3.3 <= one.learning_rate_init <= 1e-2 for one in drawn)
    assert len({one.hidden_layer_sizes[0] for one in drawn}) > 20
    fewer = [one for (one,) in draw_classifiers("network", 1, 3, 7)]
    assert list(map(repr, fewer)) == list(map(repr, drawn[:3]))


@pytest.fixture
def learnt(monkeypatch):
    """The learners that are drawn, in order."""
    names = []
    drawn = axsemantics_01.draw_classifiers
    monkeypatch.setattr(
        axsemantics_01,
        "draw_classifiers",
        lambda learner, *rest: (names.append(learner), drawn(learner, *rest))[1],
    )
    return names


def train(data, variants, **options):
    runs = [Run(variant, 1) for variant in variants]
    return axsemantics_01.FAMILY.train(data, runs, SMALL | options, Session(Path()))


DATA = Data("toy", "low", ITEMS, ITEMS, [item._replace(target=None) for item in ITEMS])


def test_a_variant_trains_its_own_learner_and_no_other_and_each_once(learnt):
    train(DATA, ["tree"])
    assert learnt == ["tree"]
    train(DATA, ["chosen", "forest"])
    assert learnt[1:] == list(LEARNERS)


def test_the_same_seed_gives_the_same_answers():
    assert train(DATA, ["chosen", "network"]) == train(DATA, ["chosen", "network"])


def test_a_network_that_diverges_is_left_out(monkeypatch):
    class Diverging:
        def fit(self, *_):
            raise ValueError("Solver produced non-finite parameter weights.")

    drawn = classifiers.draw_classifiers
    monkeypatch.setattr(
        axsemantics_01,
        "draw_classifiers",
        lambda learner, *rest: [[Diverging()]] if learner == "network" else drawn(learner, *rest),
    )
    found = train(DATA, ["chosen", "network"])
    assert [answer.forms for answer in found[Run("chosen", 1)].test] == [
        ["sahen"],
        ["gaben"],
        ["sagten"],
    ]
    error = found[Run("network", 1)]
    assert isinstance(error, KasuError)
    assert str(error) == (
        "training of axsemantics_01-toy-low-network-1: weights that are not finite; "
        "expected finite ones"
    )


@pytest.mark.parametrize("train_items", [[], ITEMS[:1]])
def test_one_training_item_or_none(train_items):
    data = Data("toy", "low", train_items, [], [SEHEN._replace(target=None)])
    (answers,) = train(data, ["chosen"]).values()
    assert [answer.forms for answer in answers.test] == [["sahen" if train_items else "sehen"]]


@pytest.mark.parametrize("variant", [None, "tree"])
def test_a_member_learns_a_suffix(share_right, variant):
    assert share_right("axsemantics_01", {"draws": 2}, variant or "chosen") > 0.9
