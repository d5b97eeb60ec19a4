"""AX Semantics' first system: its features, which way of several is taken, bad data."""

from pathlib import Path

import numpy as np
import pytest

from kasu.base.errors import KasuError
from kasu.inflection.systems import axsemantics_01
from kasu.inflection.systems.axsemantics_01 import Features, Generator, affixes, index
from kasu.transduction import classifiers
from kasu.transduction.classifiers import LEARNERS, draw_classifiers, score
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


def test_ways_are_told_by_the_places_of_values_sorted_by_length():
    assert index([("s", "hen"), ("seh", "n")]) == ((2, 2), [(0, 1), (1, 0)])
    assert index([("bb",), ("c",), ("aa",)]) == ((3,), [(2,), (0,), (1,)])


def test_the_way_that_was_right_most_often_is_taken():
    # 1+e+2#1+a+2 with two values each: (0, 1) was right
    asked = read_item("lesen", "V;PST;3;PL")
    assert Generator([SEHEN]).inflect(asked, np.ones(1)) == "lasen"
    # (1, 0) was
    other = read_item("sehen", "V;PST;3;PL", "sehan")
    assert Generator([other]).inflect(asked, np.ones(1)) == "lesan"
    # Never seen with three values each: the first way
    assert Generator([other]).inflect(read_item("belesen", "V"), np.ones(1)) == "balesen"


def test_the_best_paradigm_that_fits_inflects():
    generator = Generator([read_item("walk", "V", "walked"), read_item("bake", "V", "baking")])
    assert list(map(str, generator.paradigms)) == ["1#1+ed", "1+e#1+ing"]
    scores = np.array([0.1, 0.9])
    assert generator.inflect(read_item("love", "V"), scores) == "loving"
    assert generator.inflect(read_item("talk", "V"), scores) == "talked"
    # Ties go to the more frequent, here to the first
    assert generator.inflect(read_item("love", "V"), np.zeros(2)) == "loveed"


def test_a_lemma_that_no_paradigm_fits_stays():
    assert Generator([read_item("bake", "V", "baking")]).inflect(SEHEN, np.ones(1)) == "sehen"
    assert Generator([]).inflect(SEHEN, np.ones(0)) == "sehen"


@pytest.mark.parametrize("learner", LEARNERS)
def test_scores_prefer_the_class_of_the_same_features(learner):
    features = Features(ITEMS, whole=False)
    (ensemble,) = draw_classifiers(learner, 1, 1, 200)
    # Each item ten times, as these learners shrink what few items say
    found = score(ensemble, features.matrix(ITEMS * 10), features.matrix(ITEMS), [0, 0, 1] * 10)
    assert found.shape == (3, 2)
    assert found.argmax(axis=1).tolist() == [0, 0, 1]


@pytest.mark.parametrize(("classes", "columns"), [([0, 0, 0], 6), ([0, 1, 1], 0)])
def test_without_a_choice_or_a_feature_classes_have_their_frequency(classes, columns):
    features = Features(ITEMS, whole=False).matrix(ITEMS)[:, :columns]
    (ensemble,) = draw_classifiers("regression", 1, 1, 200)
    assert (
        score(ensemble, features, features, classes).tolist() == [np.bincount(classes).tolist()] * 3
    )


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
    return axsemantics_01.train(data, runs, SMALL | options, Session(Path()))


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
