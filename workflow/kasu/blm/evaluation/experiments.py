"""Predictions by experiment, a cell of Table 1: all runs of one system on one test set."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from kasu.base.errors import KasuError
from kasu.blm.data.names import TYPES
from kasu.results.predictions import is_grid, read_frames
from kasu.results.statistics import share_interval

NETWORKS = ("FFNN", "CNN")


class Experiment(NamedTuple):
    """What a system was trained and tested on; `train` is empty if it reads no training set."""

    variant: str
    regime: str
    train: str
    test: str
    model: str

    @property
    def condition(self) -> str:
        """The condition, as the published figures name it."""
        return f"{self.regime}|train={self.train}|test={self.test}"


@dataclass(frozen=True)
class Choices:
    """The choices of one system on one test set, or on the test sets of all folds together.

    Attributes:
        problems: (problems,) identifiers, sorted.
        clusters: (problems,) lexical seeds.
        seeds: (runs,) training seeds; None for a heuristic.
        capped: whether `max_steps` ended the training of a run.
        solved: (runs, problems), true where the right candidate was chosen.
        labels: (runs, problems) labels of the chosen candidates.
        predictions: the file that they were read from.
    """

    problems: np.ndarray
    clusters: np.ndarray
    seeds: Sequence[int | None]
    capped: bool
    solved: np.ndarray
    labels: np.ndarray
    predictions: str | Path

    def interval(self, hits: np.ndarray, seed: int) -> tuple[float, float]:
        """Return the interval of the share of hits (runs, problems) over lexical seeds."""
        clusters = np.tile(self.clusters, len(hits))
        return share_interval(hits.ravel(), np.ones(hits.size), clusters, seed=seed)


Experiments = dict[Experiment, Choices]


def read_experiments(paths: Sequence[str | Path]) -> Experiments:
    """Read predictions, in order of variant, regime, training type, test type and system.

    Raises:
        KasuError: systems or runs were not tested on the same problems.
    """
    frame = read_frames(paths)
    frame["train"] = frame["train"].fillna("")
    experiments: Experiments = {}
    test_sets: dict[tuple[str, str, str], np.ndarray] = {}
    for names, rows in frame.groupby(list(Experiment._fields)):
        key = Experiment(*map(str, names))
        choices = _read_choices(key, rows, paths[rows["file"].iloc[0]])
        experiments[key] = choices
        problems = test_sets.setdefault((key.variant, key.regime, key.test), choices.problems)
        if not np.array_equal(choices.problems, problems):
            found = f"{len(choices.problems)} problems"
            expected = f"the same {len(problems)} as the other systems"
            raise KasuError(f"{key.model}, {key.condition}", found, expected)
    return experiments


def _read_choices(key: Experiment, rows: pd.DataFrame, path: str | Path) -> Choices:
    rows = rows.sort_values(["seed", "problem_id"])
    if not is_grid(rows, "seed", "problem_id"):
        found = "a problem repeated in a run, or missing from one"
        raise KasuError(f"{key.model}, {key.condition}", found, "each problem once in each run")
    seeds = rows["seed"].unique()
    # Sorted by run, then problem, so each column is a matrix (runs, problems)
    shape = (len(seeds), -1)
    return Choices(
        rows["problem_id"].to_numpy(str).reshape(shape)[0],
        rows["cluster"].to_numpy().reshape(shape)[0],
        [None if pd.isna(seed) else int(seed) for seed in seeds],
        bool(rows["capped"].eq(True).any()),
        (rows["chosen"] == rows["answer"]).to_numpy().reshape(shape),
        rows["label"].to_numpy(str).reshape(shape),
        path,
    )


def under_each_type(experiments: Experiments) -> Iterator[tuple[Experiment, Choices]]:
    """Yield every experiment; a system without a training set comes under each training type."""
    for key, choices in experiments.items():
        for train in (key.train,) if key.train else TYPES:
            yield key._replace(train=train), choices
