"""Votes and choices on dev."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.transduction.items import Answer
from kasu.transduction.voting import best_on_dev, interpolate, majority, weighted


@pytest.mark.parametrize(
    ("answers", "voted"),
    [
        ([["a", "b"], ["c", "b"], ["c", "d"]], ["c", "b"]),
        # Ties go to the earliest member
        ([["a"], ["b"], ["b"], ["a"], ["c"]], ["a"]),
        ([["z"], ["a"]], ["z"]),
        ([["a", "b"]], ["a", "b"]),
        ([[], []], []),
    ],
)
def test_majority(answers, voted):
    assert majority(answers) == voted


@pytest.mark.parametrize(
    ("accuracies", "count", "best"),
    [
        ({1: 0.2, 2: 0.5, 3: 0.3}, 2, [2, 3]),
        ({1: 0.2, 2: 0.5, 3: 0.5}, 1, [2]),
        ({1: 0.5, 2: 0.5}, 5, [1, 2]),
        # Without a dev set
        ({1: None, 2: None, 3: None}, 2, [1, 2]),
    ],
)
def test_best_on_dev(accuracies, count, best):
    assert best_on_dev(accuracies, count) == best


@pytest.mark.parametrize(
    ("forms", "weights", "form"),
    [
        # ua-05: 0.61 of two voters is more than the best voter's 0.47
        ("abcb", [0.39, 0.40, 0.47, 0.21], "b"),
        # A voter above the sum of the rest wins
        ("abbb", [0.7, 0.3, 0.2, 0.1], "a"),
        # Ties go to the heaviest voter's form, sums in floats included
        ("bba", [0.1, 0.2, 0.3], "a"),
        ("ab", [0.5, 0.5], "a"),
        ("ab", [0.0, 0.0], "a"),
    ],
)
def test_weighted(forms, weights, form):
    assert weighted([*forms], weights) == [form]


@given(st.lists(st.text("abc", min_size=2, max_size=2), min_size=1, max_size=5), st.data())
def test_weights_that_are_equal_are_a_majority(answers, data):
    voted = weighted(answers, [0.25] * len(answers))
    assert voted == majority(answers)
    # Where no form ties with another, the order of voters is nothing to the vote
    counts = [sorted(map(forms.count, set(forms)))[-2:] for forms in zip(*answers, strict=True)]
    if all(len(most) == 1 or most[0] < most[1] for most in counts):
        order = data.draw(st.permutations(answers))
        assert weighted(order, [0.25] * len(answers)) == voted


def test_the_order_of_unequal_voters_is_nothing_to_the_vote():
    voters = [("a", 0.39), ("b", 0.4), ("c", 0.47), ("b", 0.21)]
    orders = (zip(*order, strict=True) for order in permutations(voters))
    assert all(weighted([*forms], [*weights]) == ["b"] for forms, weights in orders)


def test_interpolate():
    found = interpolate(Answer("ab", [1, 0]), Answer("bac", [1, 0.5, 0]), 0.4)
    assert found.forms == ["a", "b", "c"]
    assert found.scores == pytest.approx([0.7, 0.6, 0])


def test_scores_are_stretched_and_one_score_alone_is_1():
    found = interpolate(Answer("ab", [-2, -6]), Answer("b", [-40]), 0.5)
    assert (found.forms, found.scores) == (["a", "b"], [0.5, 0.5])
    assert interpolate(Answer("ab", [3, 3]), Answer("b", [1]), 0.9).forms == ["b", "a"]


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=5, unique=True))
def test_a_share_of_all_or_nothing_is_one_of_the_lists(scores):
    ranked = sorted(scores, reverse=True)
    one, other = Answer("vwxyz"[: len(scores)], ranked), Answer("zyq", [3, 2, 1])
    assert interpolate(one, other, 1).forms[: len(scores) - 1] == [*one.forms[:-1]]
    assert interpolate(one, other, 0).forms[:2] == ["z", "y"]
