"""Predictions by cell of Table 3: one system on one set at one level, forms side by side."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from kasu.base.errors import KasuError
from kasu.base.scores import cluster_bootstrap, share_interval
from kasu.base.tables import read_parquet
from kasu.lm.scoring.definitions import DEFINITIONS
from kasu.lm.scoring.untrained import untrained_head
from kasu.minimal_sets.models.predictions import PREDICTIONS
from kasu.minimal_sets.released.paper import DECODERS, ENCODERS, SETS

UNITS = {"token": "scored", "word": "words", "character": "characters", "byte": "bytes"}
"""What a sum may be divided by -> its column in PREDICTIONS."""
COUNTS = (*UNITS, "form_tokens", "sentence_tokens", "form_length")
"""The matrices of a cell beside its scores; lengths are in characters."""


class Key(NamedTuple):
    """What a cell is about."""

    variant: str
    level: str
    set: str
    system: str

    @property
    def condition(self) -> str:
        """The cell as the published figures name it."""
        return f"{self.level}-level|{self.set}"


@dataclass(frozen=True)
class Cell:
    """One system on one set.

    Attributes:
        values: of the feature, sorted; the columns of what follows.
        items: (items) identifiers, sorted.
        sentences: (items) source sentences.
        tense, aspect: (items) of the verb; empty where nobody recorded it.
        right: (items) the column of the right form.
        scores: (items, values) log probabilities in nats.
        units: by name in COUNTS: (items, values), NaN where unknown.
        vocabulary: tokens that the model chooses among; None where unknown.
        collection: that the set is of; empty where nobody told.
    """

    values: tuple[str, ...]
    items: np.ndarray
    sentences: np.ndarray
    tense: np.ndarray
    aspect: np.ndarray
    right: np.ndarray
    scores: np.ndarray
    units: Mapping[str, np.ndarray]
    vocabulary: int | None
    collection: str = ""

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def margin(self) -> np.ndarray:
        """(items) How far the right form lies above the best wrong one, in nats."""
        return margins(self.scores, self.right)

    @property
    def correct(self) -> np.ndarray:
        """(items) Is the right form strictly above all others (GEO-10)? A tie is wrong."""
        return self.margin > 0

    @property
    def ties(self) -> int:
        """Items whose right form shares the first place."""
        return int((self.margin == 0).sum())

    def of_right(self, matrix: np.ndarray) -> np.ndarray:
        """(items) The right form's entries of (items, values)."""
        return matrix[np.arange(len(self)), self.right]

    def column(self, value: str) -> np.ndarray:
        """(items) Log probabilities of the forms with one value."""
        return self.scores[:, self.values.index(value)]

    def case(self) -> str | None:
        """The right value if all items share it."""
        found = {self.values[at] for at in self.right}
        return found.pop() if len(found) == 1 else None

    def take(self, mask: np.ndarray) -> "Cell":
        """The cell with a part of its items."""
        units = {unit: matrix[mask] for unit, matrix in self.units.items()}
        names = ("items", "sentences", "tense", "aspect", "right", "scores")
        taken = {name: getattr(self, name)[mask] for name in names}
        return replace(self, units=units, **taken)

    @property
    def judged(self) -> bool:
        """Can `untrained` tell? Without counts of tokens only short texts can."""
        known = not np.isnan(self.units["token"]).any()
        return self.vocabulary is not None and (known or bool((self.units["word"] == 1).all()))

    @cached_property
    def untrained(self) -> bool:
        """Do the scores look like those of a head that was never trained (GEO-17)?"""
        if not self.judged:
            return False
        scored = self.units["token"].ravel()
        tokens = None if np.isnan(scored).any() else scored
        return untrained_head(self.scores.ravel(), self.vocabulary, tokens)


def margins(scores: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(items) Score of the right form less that of the best wrong one."""
    rows = np.arange(len(scores))
    others = scores.astype(float)
    others[rows, right] = -np.inf
    return scores[rows, right] - others.max(axis=1)


Cells = dict[Key, Cell]


def several(collection: str, values: Sequence[str], case: str | None = None) -> str:
    """What stands for a set where those of a collection are pooled, perhaps of one right value.

    Sets of other values ask something else; those of another collection are of another language,
    or have the same items.
    """
    told = [collection] if collection else []
    return f"{', '.join([*told, '/'.join(values)])}: {case or 'all'} sets"


def read_cells(paths: Sequence[str | Path], collections: Mapping[str, str] | None = None) -> Cells:
    """Read predictions, in order of variant, level, set, system.

    Args:
        collections: set -> its collection.

    Raises:
        KasuError: there are none; an item lacks a form, has one twice, or has not one right form.
    """
    frames = [read_parquet(path, PREDICTIONS.names).to_pandas() for path in paths]
    frame = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
    if frame.empty:
        raise KasuError("predictions", "no row", "one a form")
    cells = {}
    for names, rows in frame.groupby([*Key._fields]):
        key = Key(*names)
        cells[key] = _cell(key, rows, (collections or {}).get(key.set, ""))
    return cells


def _cell(key: Key, rows: pd.DataFrame, collection: str) -> Cell:
    rows = rows.sort_values(["item_id", "value"])
    values = sorted(rows["value"].unique())
    n, shape = len(rows) // len(values), (-1, len(values))
    whole = len(rows) == n * len(values) and len(values) > 1
    if whole:
        whole = (rows["value"].to_numpy().reshape(shape) == values).all()
        whole &= rows["item_id"].nunique() == n
        right = rows["grammatical"].to_numpy(bool).reshape(shape)
        whole &= (right.sum(axis=1) == 1).all()
    if not whole:
        found = "an item without a form, with one twice, or without one right form"
        raise KasuError(f"{key.system}, {key.condition}, {key.variant}", found, "each form once")
    firsts = rows.iloc[:: len(values)]
    rows = rows.assign(form_length=rows["form"].str.len())
    vocabulary = firsts["vocabulary"].iloc[0]
    return Cell(
        tuple(values),
        *(firsts[name].to_numpy(str) for name in ("item_id", "sentence_id")),
        *(firsts[name].fillna("").to_numpy(str) for name in ("tense", "aspect")),
        right.argmax(axis=1),
        rows["log_probability"].to_numpy(float).reshape(shape),
        {name: rows[UNITS.get(name, name)].to_numpy(float).reshape(shape) for name in COUNTS},
        None if pd.isna(vocabulary) else int(vocabulary),
        collection,
    )


def interval(hits: np.ndarray, sentences: np.ndarray, seed: int) -> tuple[float, float]:
    """Of the share of hits (items), source sentences resampled."""
    return share_interval(hits, np.ones(len(hits)), sentences, seed=seed)


def mean_over_cells(
    cells: Iterable[tuple[np.ndarray, np.ndarray]], seed: int
) -> tuple[float, float, float]:
    """Mean of cells of equal weight, and its interval: sentences resampled across cells.

    Args:
        cells: (values, sentences) of the items of each.
    """
    values, weights, sentences = [], [], []
    for found, where in cells:
        values.append(np.asarray(found, float) / len(found))
        weights.append(np.full(len(found), 1 / len(found)))
        sentences.append(where)
    values, weights, sentences = map(np.concatenate, (values, weights, sentences))
    low, high = cluster_bootstrap(values, sentences, weights=weights, seed=seed)
    return float(values.sum() / weights.sum()), low, high


def comparable(variant: str, other: str) -> bool:
    """May scores under two variants stand side by side? Of encoders with those of decoders, too."""
    kinds = [DEFINITIONS[name].kind for name in (variant, other) if name in DEFINITIONS]
    return variant == other or len(set(kinds)) == 2


class Group(NamedTuple):
    """All cells of the paper's systems and sets at one level that a figure of its text averages.

    variant: of the encoders, and behind a plus sign that of the decoders where it is another one.
    """

    variant: str
    level: str
    cells: Cells
    systems: tuple[str, ...]

    def of_case(self, case: str) -> Cells:
        """The cells of the sets whose right value is `case`."""
        return {key: cell for key, cell in self.cells.items() if SETS[key.set] == case}

    def complete(self, case: str | None = None) -> bool:
        """Is every system there on every set (of a case)?"""
        sets = [name for name, found in SETS.items() if case in (None, found)]
        there = {(key.system, key.set) for key in self.cells}
        return all((system, name) in there for system in self.systems for name in sets)


def paper_groups(cells: Cells) -> Iterator[Group]:
    """What the paper averages: encoders at word level, all models at sentence level (GEO-13)."""
    for variant in _variants(cells, "word", ENCODERS):
        yield _group(cells, "word", {variant: ENCODERS})
    of_encoders = _variants(cells, "sentence", ENCODERS)
    of_decoders = _variants(cells, "sentence", DECODERS)
    for variant in of_encoders:
        others = [other for other in of_decoders if comparable(variant, other)]
        for other in others or [variant]:
            if variant == other:
                yield _group(cells, "sentence", {variant: ENCODERS + DECODERS})
            else:
                yield _group(cells, "sentence", {variant: ENCODERS, other: DECODERS})
    if not of_encoders:
        for variant in of_decoders:
            yield _group(cells, "sentence", {variant: DECODERS})


def _variants(cells: Cells, level: str, systems: Sequence[str]) -> list[str]:
    found = (key.variant for key in cells if key.level == level and key.system in systems)
    return sorted(set(found))


def _group(cells: Cells, level: str, wanted: Mapping[str, Sequence[str]]) -> Group:
    taken = {
        key: cell
        for key, cell in cells.items()
        if key.level == level and key.set in SETS and key.system in wanted.get(key.variant, ())
    }
    systems = ENCODERS if level == "word" else ENCODERS + DECODERS
    return Group("+".join(wanted), level, taken, systems)
