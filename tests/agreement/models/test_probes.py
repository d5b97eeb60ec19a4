"""Probes reach what their inputs show, and no more."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from kasu.agreement.data.tasks import MAJORITY, SHUFFLED, TRAINED, UNTRAINED, WORD
from kasu.agreement.models.probes import (
    Split,
    Task,
    build_probe,
    cross_splits,
    probe_task,
)
from kasu.agreement.models.states import SOURCES
from kasu.neural.resume import Work

SETTINGS = {
    "epochs": 40, "patience": 40, "batch_size": 32, "learning_rate": 0.02,
}  # fmt: skip
KINDS = {"linear": [], "MLP": [8]}
COUNT = 300


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    """The accuracy of each probe and source; only the trained states show the label."""
    labels = np.where(np.arange(COUNT) % 3 > 0, "closest", "other")
    noise = torch.randn(len(SOURCES), COUNT, 6, generator=torch.Generator().manual_seed(1))
    states = dict(zip(SOURCES, noise, strict=True))
    states[TRAINED][:, 2] = torch.from_numpy(np.where(labels == "closest", 1.0, -1.0))
    rows = np.arange(COUNT)
    splits = cross_splits(rows.astype(str), 3, 1)
    task = Task("Table 3", "verb=da", rows, labels, splits, KINDS)
    work = Work(tmp_path_factory.mktemp("work") / "w", {}, 600)
    return [*probe_task(task, states, SETTINGS, "paper-1", work)]


def accuracy(outcome, probe, source):
    (found,) = (each for each in outcome if (each.probe, each.source) == (probe, source))
    return (found.gold == found.predicted).mean()


@pytest.mark.parametrize("probe", ["linear", "MLP"])
def test_states_that_separate_the_labels_are_told_apart_without_a_mistake(outcome, probe):
    assert accuracy(outcome, probe, TRAINED) == 1.0


@pytest.mark.parametrize("probe", ["linear", "MLP"])
@pytest.mark.parametrize("source", [SHUFFLED, UNTRAINED, WORD])
def test_shuffled_labels_and_noise_are_not_told_beyond_the_majority(outcome, probe, source):
    assert accuracy(outcome, probe, source) < 2 / 3 + 0.05


def test_the_majority_is_the_share_of_the_more_frequent_label(outcome):
    assert accuracy(outcome, MAJORITY, TRAINED) == pytest.approx(2 / 3)


def test_the_score_is_the_rank_of_the_first_label_within_the_fold(outcome):
    for found in outcome:
        if found.probe == MAJORITY:
            assert found.scores is None
            continue
        for fold in np.split(np.arange(COUNT), 3):
            scores, closest = found.scores[fold], found.predicted[fold] == "closest"
            assert scores.mean() == pytest.approx((len(fold) + 1) / 2 / len(fold))
            assert min(scores[closest], default=1) > max(scores[~closest], default=0)


def test_probes_of_noise_rank_no_worse_than_chance(tmp_path):
    """A label that is rare in a fold was frequent in training: probabilities show it, ranks not."""
    rows, drawn = np.arange(200), np.random.default_rng(2)
    areas = []
    for at in range(2):
        labels = drawn.permutation(np.where(rows % 2, "closest", "other"))
        splits = cross_splits(rows.astype(str), 10, at)
        task = Task("Table 3", "verb=da", rows, labels, splits, {"linear": []})
        states = dict.fromkeys(SOURCES, torch.zeros(len(rows), 1))
        work = Work(tmp_path / f"{at}", {}, 600)
        said = [*probe_task(task, states, SETTINGS | {"epochs": 5}, f"{at}", work)]
        (found,) = (each for each in said if (each.probe, each.source) == ("linear", TRAINED))
        first, other = (found.scores[found.gold == each] for each in ("closest", "other"))
        areas.append((np.sign(first[:, None] - other).mean() + 1) / 2)
    # States that say nothing give all words of a fold one score
    assert areas == [0.5, 0.5]


def test_every_word_is_tested_once_and_shuffling_moves_labels_only(outcome):
    by_source = {each.source: each for each in outcome if each.probe == "linear"}
    assert list(by_source) == [TRAINED, UNTRAINED, WORD, SHUFFLED]
    for found in by_source.values():
        assert sorted(found.rows.tolist()) == list(range(COUNT))
        assert sorted(found.gold) == ["closest"] * 200 + ["other"] * 100
    assert (by_source[SHUFFLED].gold != by_source[TRAINED].gold).any()


@given(
    clusters=st.lists(st.integers(0, 30).map(str), min_size=1, max_size=60),
    folds=st.integers(3, 6),
)
def test_folds_keep_clusters_together_and_test_each_example_once(clusters, folds):
    splits = cross_splits(np.array(clusters), folds, 1)
    assert len(splits) == (folds if len(set(clusters)) >= folds else 0)
    for split in splits:
        assert sorted(np.concatenate(split).tolist()) == list(range(len(clusters)))
        parts = [{clusters[at] for at in part} for part in split]
        assert all(parts) and sum(map(len, parts)) == len(set(clusters))
    if splits:
        tested = np.concatenate([split.test for split in splits])
        assert sorted(tested.tolist()) == list(range(len(clusters)))


def test_the_best_of_several_initialisations_is_that_on_dev(tmp_path):
    """A probe that is not trained is as good as its first weights."""
    inputs = torch.randn(60, 2, generator=torch.Generator().manual_seed(3))
    labels = np.where(inputs[:, 0].numpy() > 0, "a", "b")
    at = np.arange(60)
    task = Task("t", "t", at, labels, [Split(at[:2], at[2:], at[2:])], {"linear": []})
    states = dict.fromkeys(SOURCES, inputs)
    frozen = SETTINGS | {"epochs": 1, "learning_rate": 1e-9}
    reached = []
    for count in (1, 2, 4, 8):
        work = Work(tmp_path / str(count), {}, 600)
        some = replace(task, initialisations=count)
        reached.append(accuracy([*probe_task(some, states, frozen, "n", work)], "linear", TRAINED))
    assert reached == sorted(reached)
    assert reached[0] < reached[-1]


@pytest.mark.parametrize(
    ("hidden", "weights"),
    # 300 states: one layer; 128 units, or 100 and 50, before the labels
    [([], 301 * 2), ([128], 301 * 128 + 129 * 2), ([100, 50], 301 * 100 + 101 * 50 + 51 * 2)],
)
def test_a_probe_has_the_layers_of_the_paper(hidden, weights):
    probe = build_probe(300, hidden, 2)
    assert sum(weight.numel() for weight in probe.parameters()) == weights
