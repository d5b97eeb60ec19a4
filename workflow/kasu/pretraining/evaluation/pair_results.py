"""Results of one system at one checkpoint on one set of pairs, over all its seeds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet
from kasu.pretraining.data.filters import Outcome, judge
from kasu.pretraining.data.names import TWIN
from kasu.pretraining.data.runs import ScoreFile
from kasu.pretraining.models.trigram import LENGTHS, TRIGRAM
from kasu.results.statistics import share_interval

NULLS = (TRIGRAM, *LENGTHS)
ORIGINAL = ("sentence_good", "sentence_bad")
REORDERED = ("sentence_good_reorder", "sentence_bad_reorder")


class CheckpointOnPairs(NamedTuple):
    """A system at one epoch, and the pairs that it scored; `reordered` in a second word order."""

    system: str
    variant: str
    reordered: bool
    epoch: int | None

    @property
    def condition(self) -> str:
        """The condition as in the published figures."""
        return "all" if self.epoch is None else f"epoch={self.epoch}"

    @property
    def of_further_set(self) -> bool:
        """Whether the pairs are neither the main set nor its reordered or segmented forms."""
        return bool(self.variant) and not self.reordered and not self.system.endswith(TWIN)


@dataclass(frozen=True)
class PairResults:
    """The results of one system at one checkpoint on one set of pairs.

    Attributes:
        pairs: columns of the parquet of pairs, arrays of (pairs).
        seeds: of the runs.
        runs: one Outcome per run.
        reordered: one Outcome per run in the second word order; empty if there is none.
        null: whether the system is a null, not a model.
        predictions: the file of each run.
    """

    pairs: Mapping[str, np.ndarray]
    seeds: Sequence[int | None]
    runs: Sequence[Outcome]
    reordered: Sequence[Outcome]
    null: bool
    predictions: Sequence[str | Path]

    @cached_property
    def kept(self) -> np.ndarray:
        """Whether the length filter keeps each pair: (runs, pairs)."""
        return np.array([run.kept for run in self.runs])

    @cached_property
    def scored(self) -> np.ndarray:
        """Whether both halves of each pair have a score: (runs, pairs)."""
        return np.array([run.scored for run in self.runs])

    @cached_property
    def solved(self) -> np.ndarray:
        """The worth of each pair, whether kept or not (see Outcome): (runs, pairs)."""
        return np.array([run.solved for run in self.runs])

    @cached_property
    def excess(self) -> np.ndarray:
        """The characters of the good sentence less those of the bad one: (pairs,)."""
        good, bad = (self.pairs[name] for name in ORIGINAL)
        return np.array([len(a) - len(b) for a, b in zip(good, bad, strict=True)])

    @cached_property
    def _clusters(self) -> np.ndarray:
        # Numbers sort a hundred times faster than strings
        return np.unique(self.pairs["source_id"].astype(str), return_inverse=True)[1]

    @property
    def accuracy(self) -> float:
        """The mean worth of the kept pairs over all runs; 0 if no pair is kept."""
        return float((self.solved * self.kept).sum() / max(self.kept.sum(), 1))

    def where(self, column: str, value: str) -> np.ndarray:
        """Return (pairs) whether the column has this value."""
        return self.pairs[column] == value

    def values(self, column: str) -> list[str]:
        """Return the sorted values of a column without nulls."""
        return sorted({value for value in self.pairs[column] if value is not None})

    def share(
        self, hits: np.ndarray, trials: np.ndarray, seed: int
    ) -> tuple[float | None, float | None, float | None]:
        """Return the share of the trials that are hits, and its interval; None without a trial.

        Near copies are resampled together.

        Args:
            hits: (runs, pairs) 0 to 1.
            trials: (runs, pairs).
        """
        if not trials.any():
            return None, None, None
        clusters = np.tile(self._clusters, len(hits))
        low, high = share_interval(hits.ravel(), trials.ravel(), clusters, seed=seed)
        return float((hits * trials).sum() / trials.sum()), low, high


Checkpoints = dict[CheckpointOnPairs, PairResults]


def read_checkpoints(runs: Sequence[ScoreFile]) -> Checkpoints:
    """Read the scores of all runs, ordered by system, variant and epoch.

    Raises:
        KasuError: scores of items that are not among the pairs, scores of several definitions, or
            two runs with the same seed.
    """
    grouped: dict[CheckpointOnPairs, list[tuple[ScoreFile, dict]]] = {}
    tables: dict[str, dict[str, np.ndarray]] = {}
    for run in runs:
        path = str(run.pairs)
        if path not in tables:
            columns = read_parquet(path).to_pydict()
            tables[path] = {name: np.array(column, object) for name, column in columns.items()}
        reordered = REORDERED[0] in tables[path]
        key = CheckpointOnPairs(run.system, run.variant, reordered, run.epoch)
        grouped.setdefault(key, []).append((run, tables[path]))
    order = sorted(grouped, key=lambda key: (*key[:3], key.epoch is not None, key.epoch or 0))
    return {key: _judge_runs(key, grouped[key]) for key in order}


def _judge_runs(key: CheckpointOnPairs, members: Sequence[tuple[ScoreFile, dict]]) -> PairResults:
    where = f"{key.system}, {key.condition}"
    seeds = [run.seed for run, _ in members]
    if twice := [seed for seed, count in Counter(seeds).items() if count > 1]:
        raise KasuError(where, f"two runs of seed {twice[0]}", "one of each seed")
    pairs = members[0][1]
    items = pairs["item_id"]
    outcomes, reordered, nulls = [], [], set()
    for run, columns in members:
        if not np.array_equal(columns["item_id"], items):
            raise KasuError(where, "runs over different pairs", "the same pairs")
        scores, definition = _read_scores(run)
        nulls.add(definition in NULLS)
        if unknown := sorted({item for item, _ in scores} - set(items)):
            raise KasuError(f"{run.scores}: item {unknown[0]}", "no such pair", f"{run.pairs}")
        outcomes.append(_outcome(scores, items, ORIGINAL))
        if key.reordered:
            reordered.append(_outcome(scores, items, REORDERED))
    files = [run.scores for run, _ in members]
    return PairResults(pairs, seeds, outcomes, reordered, nulls == {True}, files)


_Scores = Mapping[tuple[str, str], tuple[float, int]]
"""(item, column) -> log probability and number of tokens."""


def _read_scores(run: ScoreFile) -> tuple[_Scores, str]:
    """Return the scores of a run, and their definition."""
    columns = ["item_id", "column", "definition", "log_probability", "tokens"]
    rows = read_parquet(run.scores, columns).to_pylist()
    definitions = sorted({row["definition"] for row in rows})
    if len(definitions) != 1:
        found = f"scores of {', '.join(definitions) or 'nothing'}"
        raise KasuError(run.scores, found, "one definition")
    scores = {
        (row["item_id"], row["column"]): (row["log_probability"], row["tokens"]) for row in rows
    }
    return scores, definitions[0]


def _outcome(scores: _Scores, items: np.ndarray, columns: Sequence[str]) -> Outcome:
    missing = (float("nan"), 0)
    # (pairs, halves, score and tokens)
    halves = np.array([[scores.get((item, name), missing) for name in columns] for item in items])
    return judge(halves[:, :, 0], halves[:, :, 1].astype(int))
