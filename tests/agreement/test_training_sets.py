"""Where networks find their training text."""

import pytest

from kasu.agreement.grid import TrainingSetSettings
from kasu.agreement.paths import PATHS
from kasu.agreement.training_sets import TrainingSets
from kasu.results.paths import Paths


@pytest.fixture
def sets() -> TrainingSets:
    return TrainingSets(
        Paths(PATHS, "r"),
        [
            TrainingSetSettings(name="300k", words=300_000),
            TrainingSetSettings(name="classics", corpus="old"),
            TrainingSetSettings(name="unused"),
        ],
        "new",
        [("new", "base@300k"), ("new", "no_ak@classics"), ("new", "base"), ("old", "base@300k")],
    )


def test_a_condition_without_a_training_set_reads_the_whole_split(sets):
    assert sets.file("new", "base") == "r/agreement/datasets/new/train.parquet"


def test_a_condition_with_a_training_set_reads_it(sets):
    assert sets.file("new", "no_ak@300k") == "r/agreement/datasets/new/training/300k.parquet"


def test_a_training_set_may_be_drawn_from_another_corpus(sets):
    assert [sets.source("new", name) for name in ("300k", "classics")] == ["new", "old"]
    assert [sets.words(name) for name in ("300k", "classics")] == [300_000, None]


def test_the_curve_has_the_sets_of_the_main_corpus_that_run(sets):
    folder = "r/agreement/datasets/new/training"
    assert sets.curve == {
        "300k": f"{folder}/300k.counts.tsv", "classics": f"{folder}/classics.counts.tsv"
    }  # fmt: skip


def test_the_drops_of_each_set_are_reported(sets):
    assert sets.counted("drops") == {
        f"training set {name} of {corpus}": (
            f"r/agreement/datasets/{corpus}/training/{name}.drops.tsv"
        )
        for corpus, name in (("new", "300k"), ("new", "classics"), ("old", "300k"))
    }
