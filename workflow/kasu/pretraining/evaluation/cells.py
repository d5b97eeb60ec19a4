"""Scores by cell of the results: one system at one checkpoint, all of its seeds side by side."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kasu.base.errors import KasuError
from kasu.base.scores import share_interval
from kasu.base.tables import read_parquet
from kasu.pretraining.data.filters import Outcome, judge
from kasu.pretraining.models.trigram import SHORTER, TRIGRAM
from kasu.pretraining.names import words_of

NULLS = (TRIGRAM, SHORTER)
TWIN = "-lemma"
FURTHER = "pairs "
"""Tables of a further set of pairs are called by its name, after this."""
ORIGINAL = ("sentence_good", "sentence_bad")
REORDERED = ("sentence_good_reorder", "sentence_bad_reorder")
_NAME = re.compile(r"(?P<model>\w+)-[a-z]{2,3}(?P<budget>\d+[kM])(?P<twin>-lemma)?")


class Run(NamedTuple):
    """One file of scores.

    system: as the paper calls it (`BERT8L-eu5M`, `BERT8L-eu5M-lemma`, `mBERT`).
    pairs: the parquet of pairs that was scored.
    scores: parquet of `kasu.lm.scoring.score.SCORES` or
        `kasu.pretraining.models.trigram.NULL_SCORES`.
    epoch: of the checkpoint; None for a model that came as it is.
    variant: tells several tests of one system apart: nothing for the main set and its twin, else
        the segmentation or the name of the set.
    """

    system: str
    pairs: str | Path
    scores: str | Path
    epoch: int | None = None
    variant: str = ""
    seed: int | None = None


class Key(NamedTuple):
    """What a cell is about; `reordered` says whether its pairs have a second word order."""

    system: str
    variant: str
    reordered: bool
    epoch: int | None

    @property
    def condition(self) -> str:
        """The cell as the published figures name it."""
        return "all" if self.epoch is None else f"epoch={self.epoch}"

    @property
    def of_further_set(self) -> bool:
        """Are the pairs others than the main set's, its reordered and its segmented ones?"""
        return bool(self.variant) and not self.reordered and not self.system.endswith(TWIN)


class Pretrained(NamedTuple):
    """What the name of a system of one's own says: `BERT8L-eu5M-lemma`."""

    model: str
    words: int
    twin: bool

    @property
    def layers(self) -> int:
        """The number in the model's name; 0 without one."""
        return int(next(iter(re.findall(r"\d+", self.model)), 0))


def parse_system(system: str) -> Pretrained | None:
    """The parts of the name of a model trained on a budget; None for any other system."""
    if not (match := _NAME.fullmatch(system)):
        return None
    return Pretrained(match["model"], words_of(match["budget"]), match["twin"] is not None)


@dataclass(frozen=True)
class Cell:
    """One system at one checkpoint on one set of pairs.

    Attributes:
        pairs: columns of the parquet of pairs, arrays of (pairs).
        seeds: of the runs.
        runs: an Outcome a run.
        others: an Outcome a run for the second word order; empty without one.
        null: is it no model but a null?
    """

    pairs: Mapping[str, np.ndarray]
    seeds: Sequence[int | None]
    runs: Sequence[Outcome]
    others: Sequence[Outcome]
    null: bool

    @cached_property
    def kept(self) -> np.ndarray:
        """(runs, pairs) of the length filter."""
        return np.array([run.kept for run in self.runs])

    @cached_property
    def scored(self) -> np.ndarray:
        """(runs, pairs) of which both halves have a score."""
        return np.array([run.scored for run in self.runs])

    @cached_property
    def solved(self) -> np.ndarray:
        """(runs, pairs), also of pairs that the filter leaves out."""
        return np.array([run.solved for run in self.runs])

    @cached_property
    def _clusters(self) -> np.ndarray:
        # Numbers sort a hundred times as fast as texts
        return np.unique(self.pairs["source_id"].astype(str), return_inverse=True)[1]

    @property
    def accuracy(self) -> float:
        """The share of the pairs kept that are right, over all runs; 0 where none is kept."""
        return float((self.solved & self.kept).sum() / max(self.kept.sum(), 1))

    def where(self, column: str, value: str) -> np.ndarray:
        """(pairs) whose column has a value."""
        return self.pairs[column] == value

    def values(self, column: str) -> list[str]:
        """The values of a column, sorted, nulls left out."""
        return sorted({value for value in self.pairs[column] if value is not None})

    def share(
        self, hits: np.ndarray, trials: np.ndarray, seed: int
    ) -> tuple[float | None, float | None, float | None]:
        """Hits per trial with interval, near copies resampled together; None without a trial.

        Args:
            hits, trials: (runs, pairs).
        """
        if not trials.any():
            return None, None, None
        clusters = np.tile(self._clusters, len(hits))
        low, high = share_interval(hits.ravel(), trials.ravel(), clusters, seed=seed)
        return float((hits & trials).sum() / trials.sum()), low, high


Cells = dict[Key, Cell]


def read_cells(runs: Sequence[Run]) -> Cells:
    """Read scores, in order of system, variant and epoch.

    Raises:
        KasuError: scores of items that are no pairs, of several definitions, or two runs alike.
    """
    grouped: dict[Key, list[tuple[Run, dict]]] = {}
    tables: dict[str, dict[str, np.ndarray]] = {}
    for run in runs:
        path = str(run.pairs)
        if path not in tables:
            columns = read_parquet(path).to_pydict()
            tables[path] = {name: np.array(each, object) for name, each in columns.items()}
        reordered = REORDERED[0] in tables[path]
        key = Key(run.system, run.variant, reordered, run.epoch)
        grouped.setdefault(key, []).append((run, tables[path]))
    order = sorted(grouped, key=lambda key: (*key[:3], key.epoch is not None, key.epoch or 0))
    return {key: _cell(key, grouped[key]) for key in order}


def _cell(key: Key, members: Sequence[tuple[Run, dict]]) -> Cell:
    where = f"{key.system}, {key.condition}"
    seeds = [run.seed for run, _ in members]
    if len(set(seeds)) < len(seeds):
        raise KasuError(where, f"two runs of seed {seeds[0]}", "one of each seed")
    first = members[0][1]
    runs, others, nulls = [], [], set()
    for run, pairs in members:
        if not np.array_equal(pairs["item_id"], first["item_id"]):
            raise KasuError(where, "runs over different pairs", "the same pairs")
        found, definition = _read_scores(run)
        nulls.add(definition in NULLS)
        if unknown := sorted({item for item, _ in found} - set(first["item_id"])):
            raise KasuError(f"{run.scores}: item {unknown[0]}", "no such pair", f"{run.pairs}")
        runs.append(_outcome(found, first["item_id"], ORIGINAL))
        if key.reordered:
            others.append(_outcome(found, first["item_id"], REORDERED))
    return Cell(first, seeds, runs, others, nulls == {True})


def _read_scores(run: Run) -> tuple[dict[tuple[str, str], tuple[float, int]], str]:
    columns = ["item_id", "column", "definition", "log_probability", "tokens"]
    rows = read_parquet(run.scores, columns).to_pylist()
    definitions = sorted({row["definition"] for row in rows})
    if len(definitions) != 1:
        found = f"scores of {', '.join(definitions) or 'nothing'}"
        raise KasuError(run.scores, found, "one definition")
    return {
        (row["item_id"], row["column"]): (row["log_probability"], row["tokens"]) for row in rows
    }, definitions[0]


def _outcome(
    found: Mapping[tuple[str, str], tuple[float, int]], items: np.ndarray, columns: Sequence[str]
) -> Outcome:
    nothing = (float("nan"), 0)
    both = np.array([[found.get((item, name), nothing) for name in columns] for item in items])
    return judge(both[:, :, 0], both[:, :, 1].astype(int))
