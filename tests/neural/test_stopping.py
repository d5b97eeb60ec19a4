import pytest

from kasu.neural.stopping import Extend, Patience, Window, best_epoch


def history(scores):
    return [{"epoch": epoch, "score": score} for epoch, score in enumerate(scores, 1)]


def epochs(stop, scores):
    """The epochs that are trained if these are their scores."""
    return next(
        (end for end in range(1, len(scores) + 1) if stop.after(history(scores[:end])) == "stop"),
        None,
    )


def test_the_earliest_of_equal_epochs_is_best():
    assert best_epoch(history([1, 3, 2, 3])) == 2


@pytest.mark.parametrize(("patience", "trained"), [(1, 3), (2, 4), (3, 5), (9, 6)])
def test_patience_counts_epochs_without_a_better_score(patience, trained):
    assert epochs(Patience(patience, 6), [0.1, 0.3, 0.3, 0.2, 0.1, 0.1]) == trained


def test_a_better_score_starts_patience_anew():
    assert epochs(Patience(2, 9), [1, 0, 2, 0, 3, 0, 0, 4, 5]) == 7


@pytest.mark.parametrize(
    ("scores", "trained"),
    [([0, 0, 0, 1], 3), ([0, 0, 1, 0, 0, 0, 9], 6), ([0, 0, 1, 2, 1, 0, 1], 7)],
)
def test_what_is_not_above_a_bound_is_no_better_score(scores, trained):
    assert epochs(Patience(3, 9, above=0), scores) == trained


@pytest.mark.parametrize(
    ("scores", "trained"), [([0, 0, 0, 0, 1, 0, 0, 0, 1], 8), ([0] * 9, 9), ([2, 0, 1, 2, 3], 4)]
)
def test_patience_may_wait_for_a_first_score_above_a_bound(scores, trained):
    assert epochs(Patience(3, 9, above=0, waits=True), scores) == trained


def test_patience_is_not_for_a_training_without_scores():
    history = [{"epoch": epoch} for epoch in (1, 2, 3)]
    assert Patience(1, 9, above=0).after(history) == "go"


@pytest.mark.parametrize(
    ("scores", "trained"),
    [
        # The best of the first four is not among their last two
        ([1, 9, 2, 3, 10], 4),
        # It is, so there are two further epochs; the best of the six is not among the last two
        ([1, 2, 9, 3, 8, 8, 10], 6),
        ([1, 2, 3, 9, 8, 8, 10], 6),
        # An equal score is not a better one
        ([1, 2, 9, 3, 9, 9, 10], 6),
        # Extended twice
        ([1, 2, 3, 4, 5, 4, 4, 4, 9], 8),
        ([1, 2, 3, 4, 5, 6, 7, 6, 6], None),
    ],
)
def test_a_training_is_extended_while_its_last_epochs_hold_the_best(scores, trained):
    assert epochs(Extend(4, 2), scores) == trained


def test_without_scores_the_last_epoch_is_the_best():
    assert best_epoch([{"epoch": 1}, {"epoch": 2}, {"epoch": 3}]) == 3


@pytest.mark.parametrize(
    ("scores", "trained"),
    [
        # The last two add up to less than the two before them
        ([1, 4, 3, 3, 2, 9], 5),
        ([1, 2, 3, 2, 3, 2], 6),
        ([4, 3, 2, 1, 0, 0], 4),
    ],
)
def test_a_window_ends_when_its_scores_fall(scores, trained):
    assert epochs(Window(2, 4, 6), scores) == trained


def test_a_window_has_fewest_and_most_epochs():
    assert epochs(Window(2, 6, 9), [4, 3, 2, 1, 0, 0, 0]) == 6
    assert epochs(Window(2, 4, 5), [1, 2, 3, 4, 5, 6]) == 5
    # Without scores all are trained
    assert [Window(1, 1, 4).after([{}] * number) for number in (3, 4)] == ["go", "stop"]
