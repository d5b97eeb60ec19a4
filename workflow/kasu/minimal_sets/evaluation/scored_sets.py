"""Predictions by cell of Table 3: the scores of one system on one set at one level."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from kasu.base.errors import KasuError
from kasu.lm.models.definitions import DEFINITIONS
from kasu.minimal_sets.data.paper import RELEASED
from kasu.minimal_sets.models.predictions import PREDICTIONS
from kasu.results.predictions import is_grid, read_frames
from kasu.results.statistics import share_interval, tied, ties_wrong, worth

UNITS = {"token": "scored", "word": "words", "character": "characters", "byte": "bytes"}
"""Unit by which a score may be divided -> its column in PREDICTIONS."""
COUNTS = (*UNITS, "form_tokens", "sentence_tokens", "form_length")
"""Names of the counts of a set; `form_length` is in characters."""


class ModelOnSet(NamedTuple):
    """Which system scored which set, by which variant of the definition and at which level."""

    variant: str
    level: str
    set: str
    system: str

    @property
    def condition(self) -> str:
        """The condition of the published figures."""
        return f"{self.level}-level|{self.set}"


@dataclass(frozen=True)
class ScoredSet:
    """What one system scored on one set.

    Attributes:
        values: of the feature, sorted; the columns of the matrices below.
        items: (items) identifiers, sorted.
        sentences: (items) source sentences.
        tense, aspect: (items) of the verb; empty where not recorded.
        seen: (items) `yes` if the model was trained on the sentence; empty where not known.
        right: (items) the column of the right form.
        scores: (items, values) log probabilities in nats.
        units: name in COUNTS -> (items, values), NaN where unknown.
        vocabulary: size of the model's vocabulary; None where unknown.
        predictions: the file that they were read from.
        collection: of the set; empty where unknown.
        released: the scores are the authors', so that a tie is wrong, as in the paper (GEO-10).
    """

    values: tuple[str, ...]
    items: np.ndarray
    sentences: np.ndarray
    tense: np.ndarray
    aspect: np.ndarray
    seen: np.ndarray
    right: np.ndarray
    scores: np.ndarray
    units: Mapping[str, np.ndarray]
    vocabulary: int | None
    predictions: str | Path
    collection: str = ""
    released: bool = False

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def correct(self) -> np.ndarray:
        """The worth of each item, (items): 1, 0, or its share in a tie."""
        return self.judge(self.scores, self.right)

    def above(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Return (items) what each item counts for if a score is to be above another one."""
        return self.judge(np.stack([one, other], axis=1), 0)

    def judge(self, scores: np.ndarray, right: np.ndarray | int) -> np.ndarray:
        """Return (items) what each counts for by scores (items, options) and the right option."""
        worths = worth(scores, right)
        return ties_wrong(worths) if self.released else worths

    @property
    def ties(self) -> int:
        """The number of items whose right form shares the first place."""
        return int(tied(worth(self.scores, self.right)).sum())

    def of_right(self, matrix: np.ndarray) -> np.ndarray:
        """Return (items) the entries of an (items, values) matrix for the right form."""
        return matrix[np.arange(len(self)), self.right]

    def column(self, value: str) -> np.ndarray:
        """Return (items) log probabilities of the forms with one value."""
        return self.scores[:, self.values.index(value)]

    def case(self) -> str | None:
        """Return the right value if all items share it, else None."""
        cases = {self.values[at] for at in self.right}
        return cases.pop() if len(cases) == 1 else None

    def take(self, mask: np.ndarray) -> "ScoredSet":
        """Return the set with the items of a mask (items)."""
        return replace(
            self,
            items=self.items[mask],
            sentences=self.sentences[mask],
            tense=self.tense[mask],
            aspect=self.aspect[mask],
            seen=self.seen[mask],
            right=self.right[mask],
            scores=self.scores[mask],
            units={unit: matrix[mask] for unit, matrix in self.units.items()},
        )


ScoredSets = dict[ModelOnSet, ScoredSet]


def name_pool(collection: str, values: Sequence[str], case: str | None = None) -> str:
    """Name the pool of a collection's sets with the same values, or with one right value.

    Only such sets are pooled: sets with other values test something else, and those of another
    collection are in another language, or repeat the same items.
    """
    named = [collection] if collection else []
    return f"{', '.join([*named, '/'.join(values)])}: {case or 'all'} sets"


def read_scored_sets(
    paths: Sequence[str | Path], collections: Mapping[str, str] | None = None
) -> ScoredSets:
    """Read predictions, in order of variant, level, set, system.

    Args:
        collections: set -> its collection.

    Raises:
        KasuError: no prediction; an item lacks a form, has one twice, or has no or two right ones.
    """
    frame = read_frames(paths, PREDICTIONS.names)
    if frame.empty:
        raise KasuError("predictions", "no item that a model scored", "one or more")
    sets: ScoredSets = {}
    for names, rows in frame.groupby([*ModelOnSet._fields]):
        key = ModelOnSet(*map(str, names))
        path, collection = paths[rows["file"].iloc[0]], (collections or {}).get(key.set, "")
        sets[key] = _read_set(key, rows, path, collection)
    return sets


def _read_set(key: ModelOnSet, rows: pd.DataFrame, path: str | Path, collection: str) -> ScoredSet:
    # One row per item, one column per value
    rows = rows.sort_values(["item_id", "value"])
    values = sorted(rows["value"].unique())
    _check_forms(key, rows, values)
    shape = (-1, len(values))
    firsts = rows.iloc[:: len(values)]
    rows = rows.assign(form_length=rows["form"].str.len())
    vocabulary = firsts["vocabulary"].iloc[0]
    return ScoredSet(
        values=tuple(values),
        items=firsts["item_id"].to_numpy(str),
        sentences=firsts["sentence_id"].to_numpy(str),
        tense=firsts["tense"].fillna("").to_numpy(str),
        aspect=firsts["aspect"].fillna("").to_numpy(str),
        seen=firsts["seen"].map({True: "yes", False: "no"}).fillna("").to_numpy(str),
        right=rows["grammatical"].to_numpy(bool).reshape(shape).argmax(axis=1),
        scores=rows["log_probability"].to_numpy(float).reshape(shape),
        units={name: rows[UNITS.get(name, name)].to_numpy(float).reshape(shape) for name in COUNTS},
        vocabulary=None if pd.isna(vocabulary) else int(vocabulary),
        predictions=path,
        collection=collection,
        released=key.variant == RELEASED,
    )


def _check_forms(key: ModelOnSet, rows: pd.DataFrame, values: Sequence[str]) -> None:
    """Check that every item has each value once, one of them right; rows are sorted by both."""
    complete = len(values) > 1 and is_grid(rows, "item_id", "value")
    if complete:
        right = rows["grammatical"].to_numpy(bool).reshape(-1, len(values))
        complete = bool((right.sum(axis=1) == 1).all())
    if not complete:
        found = "an item without a form, with one twice, or without one right form"
        raise KasuError(f"{key.system}, {key.condition}, {key.variant}", found, "each form once")


def interval(hits: np.ndarray, sentences: np.ndarray, seed: int) -> tuple[float, float]:
    """Return the interval of the share of hits (items) over source sentences."""
    return share_interval(hits, np.ones(len(hits)), sentences, seed=seed)


def mean_over_sets(
    of_sets: Iterable[tuple[np.ndarray, np.ndarray]], seed: int
) -> tuple[float, float, float]:
    """Return the mean of sets with equal weight, and its interval.

    A source sentence is one cluster across all sets.

    Args:
        of_sets: what the items of each set count for, 0 to 1, and their sentences.
    """
    values, weights, sentences = [], [], []
    for of_items, of_sentences in of_sets:
        values.append(np.asarray(of_items, float))
        weights.append(np.full(len(of_items), 1 / len(of_items)))
        sentences.append(of_sentences)
    value, weight = np.concatenate(values), np.concatenate(weights)
    low, high = share_interval(value, weight, np.concatenate(sentences), seed=seed)
    return float(np.average(value, weights=weight)), low, high


def comparable(variant: str, other: str) -> bool:
    """Return whether two systems compare: of one variant, or an encoder and a decoder."""
    kinds = [DEFINITIONS[name].kind for name in (variant, other) if name in DEFINITIONS]
    return variant == other or len(set(kinds)) == 2
