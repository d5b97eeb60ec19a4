"""Votes and choices on dev."""

import pytest

from kasu.transduction.voting import best_on_dev, majority


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
