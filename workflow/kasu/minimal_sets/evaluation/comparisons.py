"""Which system is better, and whether that depends on the metric: paired tests, flips."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kasu.minimal_sets.evaluation.cells import (
    UNITS,
    Cell,
    Cells,
    Key,
    comparable,
    name_pool,
)
from kasu.results.scores import compare_paired, holm, shared

COMPARISONS = (
    "variant", "level", "set", "a", "b", "n", "accuracy_a", "accuracy_b", "difference", "low",
    "high", "mcnemar_p", "permutation_p", "holm_p",
)  # fmt: skip
"""`n` counts the items that both systems scored. Holm's correction of the permutation test covers
the rows of a variant and level, single sets and pools of sets separately."""

FLIPS = (
    "set", "system", "a", "b", "accuracy_a", "accuracy_b", "winner_changes", "becomes_right",
    "becomes_wrong", "n",
)  # fmt: skip
"""What changes from metric `a` to metric `b` (level, variant, measure), as shares of n items: what
items gain that count for more, and lose that count for less. The winner is the form above all
others; a tie has none."""


def compare(cells: Cells, seed: int) -> list[dict]:
    """Return rows of COMPARISONS: each pair of systems on each set, and on each pool of sets.

    Intervals and permutations keep the items of a source sentence together, also across sets.
    """
    by_level: dict[str, dict[_System, dict[str, Cell]]] = {}
    for key, cell in cells.items():
        system = _System(key.variant, key.system)
        by_level.setdefault(key.level, {}).setdefault(system, {})[key.set] = cell
    single, pooled = [], []
    for level, systems in by_level.items():
        for a, b in combinations(systems, 2):
            if a.name == b.name or not comparable(a.variant, b.variant):
                continue
            variant = a.variant if a.variant == b.variant else f"{a.variant}, {b.variant}"
            named = {"variant": variant, "level": level, "a": a.name, "b": b.name}
            pairs = _pair(systems[a], systems[b])
            single += [named | _compare_two(name, [pair], seed) for name, pair in pairs.items()]
            pools: dict[str, list[_Pair]] = {}
            for pair in pairs.values():
                pools.setdefault(name_pool(pair.collection, pair.values), []).append(pair)
            pooled += [
                named | _compare_two(name, members, seed)
                for name, members in pools.items()
                if len(members) > 1
            ]
    _correct(single)
    _correct(pooled)
    return sorted(single + pooled, key=lambda row: [row[name] for name in COMPARISONS[:5]])


class _System(NamedTuple):
    """A system under one variant."""

    variant: str
    name: str


class _Pair(NamedTuple):
    """Two systems on a set: (items) what each item counts for, where both scored it."""

    a: np.ndarray
    b: np.ndarray
    sentences: np.ndarray
    values: tuple[str, ...]
    collection: str


def _pair(a: dict[str, Cell], b: dict[str, Cell]) -> dict[str, _Pair]:
    """The pairs of two systems by set, each given by its cells by set."""
    pairs = {}
    for name in sorted(a.keys() & b.keys()):
        common = np.intersect1d(a[name].items, b[name].items)
        one, other = (cell.take(np.isin(cell.items, common)) for cell in (a[name], b[name]))
        if len(common):
            pairs[name] = _Pair(
                one.correct, other.correct, one.sentences, one.values, one.collection
            )
    return pairs


def _compare_two(name: str, pairs: list[_Pair], seed: int) -> dict[str, object]:
    a = np.concatenate([pair.a for pair in pairs])
    b = np.concatenate([pair.b for pair in pairs])
    sentences = np.concatenate([pair.sentences for pair in pairs])
    return {"set": name, **compare_paired(a, b, sentences, metric="accuracy", seed=seed)}


def _correct(rows: list[dict]) -> None:
    """Add `holm_p`, corrected over the rows of each variant and level."""
    families: dict[tuple, list[dict]] = {}
    for row in rows:
        families.setdefault((row["variant"], row["level"]), []).append(row)
    for family in families.values():
        corrected = holm([row["permutation_p"] for row in family])
        for row, p in zip(family, corrected, strict=True):
            row["holm_p"] = p


def list_flips(cells: Cells) -> list[dict]:
    """Return rows of FLIPS: sums against sums per unit, and word level against sentence level."""
    rows = []
    for key, cell in cells.items():
        for unit in UNITS:
            if not np.isnan(cell.units[unit]).any():
                divided = cell.scores / np.maximum(cell.units[unit], 1)
                rows.append(_flip(key, key, "sum", f"per {unit}", cell, cell.scores, divided))
        for other, sentence in _sentence_cells(cells, key):
            if np.array_equal(cell.items, sentence.items):
                rows.append(_flip(key, other, "sum", "sum", cell, cell.scores, sentence.scores))
    return rows


def _sentence_cells(cells: Cells, key: Key) -> Iterator[tuple[Key, Cell]]:
    """The cells at sentence level with the system and set of one at word level."""
    for other, cell in cells.items():
        same = (other.set, other.system) == (key.set, key.system)
        if key.level == "word" and other.level == "sentence" and same:
            yield other, cell


def _flip(
    key: Key, other: Key, measure: str, by: str, cell: Cell, a: np.ndarray, b: np.ndarray
) -> dict:
    """A row of FLIPS: scores `a` of `key` by `measure`, against scores `b` of `other` by `by`."""
    right_a, right_b = (cell.judge(scores, cell.right) for scores in (a, b))
    return {
        "set": key.set,
        "system": key.system,
        "a": f"{key.level}, {key.variant}, {measure}",
        "b": f"{other.level}, {other.variant}, {by}",
        "accuracy_a": right_a.mean(),
        "accuracy_b": right_b.mean(),
        "winner_changes": (_winners(a) != _winners(b)).mean(),
        "becomes_right": np.maximum(right_b - right_a, 0).mean(),
        "becomes_wrong": np.maximum(right_a - right_b, 0).mean(),
        "n": len(cell),
    }


def _winners(scores: np.ndarray) -> np.ndarray:
    """(items) The column of the highest score; -1 for a tie."""
    return np.where(shared(scores), -1, scores.argmax(axis=1))
