"""Predictions by cell of Table 1: all runs of one system on one test set."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from kasu.base.errors import KasuError
from kasu.blm.data.names import TYPES
from kasu.files.tables import read_parquet
from kasu.results.scores import share_interval

NETWORKS = ("FFNN", "CNN")


class Key(NamedTuple):
    """Identifies a cell of the results; `train` is empty for what reads no training set."""

    variant: str
    regime: str
    train: str
    test: str
    model: str

    @property
    def condition(self) -> str:
        """The cell's condition, as the published figures name it."""
        return f"{self.regime}|train={self.train}|test={self.test}"


@dataclass(frozen=True)
class Cell:
    """One system on one test set, or on those of all folds together.

    Attributes:
        problems: (problems,) identifiers, sorted.
        clusters: (problems,) lexical seeds.
        seeds: (runs,) training seeds; None for a heuristic.
        capped: whether `max_steps` ended the training of a run.
        solved: (runs, problems), true where the right candidate was chosen.
        labels: (runs, problems) labels of the chosen candidates.
    """

    problems: np.ndarray
    clusters: np.ndarray
    seeds: Sequence[int | None]
    capped: bool
    solved: np.ndarray
    labels: np.ndarray

    def interval(self, hits: np.ndarray, seed: int) -> tuple[float, float]:
        """Bootstrap the share of hits (runs, problems), resampling lexical seeds."""
        clusters = np.tile(self.clusters, len(hits))
        return share_interval(hits.ravel(), np.ones(hits.size), clusters, seed=seed)


Cells = dict[Key, Cell]


def read_cells(paths: Sequence[str | Path]) -> Cells:
    """Read predictions, in order of variant, regime, training type, test type and system.

    Raises:
        KasuError: systems or runs were not tested on the same problems.
    """
    frame = pd.concat([read_parquet(path).to_pandas() for path in paths], ignore_index=True)
    frame["train"] = frame["train"].fillna("")
    cells: Cells = {}
    test_sets: dict[tuple[str, str, str], np.ndarray] = {}
    for names, rows in frame.groupby(list(Key._fields)):
        key = Key(*names)
        cells[key] = cell = _cell(key, rows)
        problems = test_sets.setdefault((key.variant, key.regime, key.test), cell.problems)
        if not np.array_equal(cell.problems, problems):
            found = f"{len(cell.problems)} problems"
            expected = f"the same {len(problems)} as the other systems"
            raise KasuError(f"{key.model}, {key.condition}", found, expected)
    return cells


def _cell(key: Key, rows: pd.DataFrame) -> Cell:
    # One row per run, one column per problem: every run must have each problem once
    rows = rows.sort_values(["seed", "problem_id"])
    seeds = rows["seed"].unique()
    whole = len(rows) % len(seeds) == 0
    names = rows["problem_id"].to_numpy(str).reshape(len(seeds) if whole else 1, -1)
    if not whole or (names != names[0]).any() or len(np.unique(names[0])) < names.shape[1]:
        found = "a problem repeated in a run, or missing from one"
        raise KasuError(f"{key.model}, {key.condition}", found, "each problem once in each run")
    return Cell(
        names[0],
        rows["cluster"].to_numpy()[: names.shape[1]],
        [None if pd.isna(seed) else int(seed) for seed in seeds],
        bool(rows["capped"].eq(True).any()),
        (rows["chosen"] == rows["answer"]).to_numpy().reshape(names.shape),
        rows["label"].to_numpy(str).reshape(names.shape),
    )


def under_each_type(cells: Cells) -> Iterator[tuple[Key, Cell]]:
    """Yield every cell, those of what reads no training set under each training type."""
    for key, cell in cells.items():
        for train in (key.train,) if key.train else TYPES:
            yield key._replace(train=train), cell
