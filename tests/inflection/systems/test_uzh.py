"""The edit transducer of the University of Zurich: teachers, votes, and that it learns."""

import random

import pytest

from kasu.inflection.systems import uzh
from kasu.inflection.systems.uzh import Settings, Variant, align_by_substrings, vote_of_five
from kasu.transduction.edits.actions import COPY, DELETE, END
from kasu.transduction.edits.imitation import Alignments, Expert
from kasu.transduction.items import Answer, Item
from kasu.transduction.members.families import Data, Member, Run, Session

SMALL = {"hidden": 16, "embedding": 12, "feature": 3, "epochs": 5}


def rows(columns):
    """An alignment in two rows, with ~ for a gap."""
    return "".join(a or "~" for a, _ in columns), "".join(b or "~" for _, b in columns)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("kauf", "gekauft", ("~~kauf~", "gekauft")),
        ("binden", "band", ("binden", "band~~")),
        ("abc", "xyz", ("abc", "xyz")),
        # As many words on both sides: each with its own ...
        ("rote Rose", "roten Rosen", ("rote~ Rose~", "roten Rosen")),
        # ... or else as one
        ("gehen", "wird gehen", ("~~~~~gehen", "wird gehen")),
    ],
)
def test_alignment_by_substrings(source, target, expected):
    assert rows(align_by_substrings(source, target)) == expected


def data(train=(), dev=(), test=(), setting="low"):
    return Data("toy", setting, list(train), list(dev), list(test))


def test_static_teacher():
    item = Item("singen", ("V",), "sang")
    found = uzh.teacher(data([item]), uzh.VARIANTS["static"])
    expected = [COPY, DELETE, "a", COPY, COPY, DELETE, DELETE, END]
    assert found == Alignments({item: expected})


@pytest.mark.parametrize(
    ("variant", "teacher"),
    [
        ("released", Expert(150, 12.0, False, 0.5, 0.0)),
        ("paper", Expert(150, 12.0, True, 0.5, 5.0)),
        ("expert", Expert(150, None, False, 0.0, 0.0)),
        ("explored", Expert(150, 12.0, False, 0.0, 0.0)),
    ],
)
def test_teachers(variant, teacher):
    assert uzh.teacher(data(), uzh.VARIANTS[variant]) == teacher


def test_the_released_variant_is_the_default():
    assert next(iter(uzh.VARIANTS)) == "released"
    assert uzh.VARIANTS["standard_cell"] == Variant(cell="lstm")


@pytest.mark.parametrize(
    ("setting", "epochs", "patience"), [("low", 60, 20), ("medium", 50, 15), ("high", 30, 5)]
)
def test_epochs_and_patience_of_the_paper(setting, epochs, patience):
    item = Item("a", (), "b")
    recipe = uzh.recipe(data([item], [item], setting=setting), Settings(), "released")
    assert (recipe.stop.epochs, recipe.stop.patience) == (epochs, patience)
    assert recipe.validated == [item]


def test_without_dev_all_epochs_count():
    assert uzh.recipe(data([Item("a", (), "b")]), Settings(epochs=7), "released").stop.patience == 7


def member(form, accuracy):
    return Member([], [Answer([form])], accuracy)


def test_vote_of_five():
    members = [member("a", 0.1), member("a", 0.1), member("a", 0.1)]
    members += [member(form, 0.4) for form in "bbca"]
    members.append(member("a", 0.5))
    # Of the five best, two say "b" and two "a", and the first member decides, not the best
    assert vote_of_five(members) == ["b"]


def toy(count):
    draw, suffixes = random.Random(1), {"SG": "", "PL": "en", "GEN": "s"}
    words = ["".join(draw.choices("bdgklaeiounmrt", k=5)) for _ in range(count)]
    return [
        Item(word, ("N", number), word + suffixes[number])
        for word in words
        for number in [draw.choice(list(suffixes))]
    ]


def test_learns_suffixes(tmp_path):
    items = toy(100)
    train, dev = items[:60], items[60:]
    test = [item._replace(target=None) for item in dev]
    run = Run("released", 1)
    answers = uzh.FAMILY.train(
        data(train, dev, test), [run], SMALL | {"epochs": 8}, Session(tmp_path, "cpu")
    )[run]
    right = sum(a.forms[0] == item.target for a, item in zip(answers.test, dev, strict=True))
    assert right / len(dev) > 0.9
    assert answers.test == answers.dev
    assert max(len(answer.forms) for answer in answers.test) == 4


@pytest.mark.parametrize(
    "train",
    [
        [Item("aaa", ("N",), "aa")],  # an alphabet of one character
        [Item("ab" * 100, ("N",), "ba" * 100)],  # longer than the limit
        [Item("a", (), "b")],  # no features
    ],
)
def test_alignments_of_odd_training_sets(tmp_path, train):
    run = Run("static", 1)
    test = [Item("xyz", ("V", "DU"))]  # nothing of it is known
    options = {**SMALL, "epochs": 1}
    answers = uzh.FAMILY.train(data(train, [], test), [run], options, Session(tmp_path, "cpu"))[run]
    assert len(answers.test) == 1
    assert answers.dev == []
