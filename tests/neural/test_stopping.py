import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.neural.stopping import Extend, Halve, Patience, Ratio, Window, best_epoch


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


@pytest.mark.parametrize(
    ("train", "dev", "trained", "best"),
    [
        # 1.05, 1.3 and 1.58 times the loss of training
        ([2.0, 1.0, 0.6], [2.1, 1.3, 0.95], 3, 3),
        ([2.0, 0.8], [1.9, 1.95], 2, 1),
        # As much as the bound is not more
        ([2.0, 2.0], [3.0, 3.0], None, 1),
        ([2.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0], 4, 1),
    ],
)
def test_a_loss_far_above_that_of_training_ends_it(train, dev, trained, best):
    rows = [
        {"epoch": epoch, "train_loss": own, "score": -other}
        for epoch, (own, other) in enumerate(zip(train, dev, strict=True), 1)
    ]
    ends = [end for end in range(1, len(rows) + 1) if Ratio(1.5, 4).after(rows[:end]) == "stop"]
    assert next(iter(ends), None) == trained
    assert best_epoch(rows[:trained]) == best


def test_without_a_loss_on_dev_all_epochs_are_trained():
    rows = [{"epoch": epoch, "train_loss": 0.0} for epoch in (1, 2, 3)]
    assert [Ratio(1.5, 3).after(rows[:end]) for end in (1, 2, 3)] == ["go", "go", "stop"]


@pytest.mark.parametrize(
    ("losses", "trained", "best"),
    [([1, 2, 3, 4, 5], 5, 1), ([5, 4, 3, 3, 4, 4], 6, 3), ([5, 4, 3, 3, 4], None, 3)],
)
def test_a_window_of_losses_that_needs_one_epoch_more(losses, trained, best):
    scores = [-loss for loss in losses]
    assert epochs(Window(2, 5, 200), scores) == trained
    assert best_epoch(history(scores)) == best


def reloads(stop, scores):
    """The epochs after which weights are loaded, and the last epoch."""
    found = []
    for end in range(1, len(scores) + 1):
        decision = stop.after(history(scores[:end]))
        if decision == "stop":
            return found, end
        found += [end] * (decision == "reload")
    return found, None


@pytest.mark.parametrize(
    ("patience", "found"), [(20, ([21, 41, 61], 81)), (2, ([3, 5, 7], 9)), (1, ([2, 3, 4], 5))]
)
def test_the_rate_is_halved_until_it_is_too_low(patience, found):
    assert reloads(Halve(patience, 1e-3, 1e-4), [9] + [9] * 99) == found


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        # A better epoch starts patience anew, a reload too
        ([1, 0, 2, 0, 0, 3, 0, 0, 0], ([5, 8], None)),
        # Not better than the best before the reload
        ([5, 0, 0, 4, 4, 4, 4], ([3, 5, 7], None)),
        ([5, 0, 0, 4, 6, 4, 4], ([3, 7], None)),
    ],
)
def test_epochs_count_from_the_best_one_or_from_a_reload(scores, found):
    assert reloads(Halve(2, 1e-3, 1e-4), scores) == found


def test_a_rate_as_low_as_the_least_is_trained():
    assert reloads(Halve(1, 1.0, 0.25), [1] * 9) == ([2, 3], 4)


def test_halving_ends_without_scores_too():
    rows = [{"epoch": epoch} for epoch in range(1, 5)]
    decisions = [Halve(1, 1.0, 0.25).after(rows[:end]) for end in (1, 2, 3)]
    assert decisions == ["reload", "reload", "stop"]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=60), st.integers(1, 6))
def test_what_is_reloaded_is_never_the_last_epoch(scores, patience):
    rows = history(scores)
    if Halve(patience, 1.0, 0.1).after(rows) != "go":
        assert best_epoch(rows) <= len(rows) - patience
