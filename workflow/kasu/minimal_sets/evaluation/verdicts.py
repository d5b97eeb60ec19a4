"""Who is better, and does the verdict hold under another metric: paired tests, and flips."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kasu.base.scores import compare_paired, holm
from kasu.minimal_sets.evaluation.cells import UNITS, Cell, Cells, Key, comparable, margins, several

COMPARISONS = (
    "variant", "level", "set", "a", "b", "n", "accuracy_a", "accuracy_b", "difference", "low",
    "high", "mcnemar_p", "permutation_p", "holm_p",
)  # fmt: skip
"""`n` counts the items that both could score. Holm's correction of the permutation test is over
the rows of a variant and level, those of single sets and those of all sets each by themselves."""

FLIPS = (
    "set", "system", "a", "b", "accuracy_a", "accuracy_b", "winner_changes", "becomes_right",
    "becomes_wrong", "n",
)  # fmt: skip
"""What changes when metric `a` gives way to `b` (level, variant, measure), as shares of n items.
A winner is the one form above all others; a tie has none."""


def compare(cells: Cells, seed: int) -> list[dict]:
    """Rows of COMPARISONS: all pairs of systems on each set, and on those of a collection.

    Intervals and permutations take the items of a source sentence together, also across sets.
    """
    of_level: dict[str, dict[tuple[str, str], dict[str, Cell]]] = {}
    for key, cell in cells.items():
        named = (key.variant, key.system)
        of_level.setdefault(key.level, {}).setdefault(named, {})[key.set] = cell
    single, pooled = [], []
    for level, systems in of_level.items():
        for a, b in combinations(systems, 2):
            if a[1] == b[1] or not comparable(a[0], b[0]):
                continue
            variant = a[0] if a[0] == b[0] else f"{a[0]}, {b[0]}"
            named = {"variant": variant, "level": level, "a": a[1], "b": b[1]}
            pairs = _pair(systems[a], systems[b])
            single += [named | _compare_two(name, [pair], seed) for name, pair in pairs.items()]
            gathered: dict[str, list[_Pair]] = {}
            for pair in pairs.values():
                gathered.setdefault(several(pair.collection, pair.values), []).append(pair)
            pooled += [
                named | _compare_two(name, mine, seed)
                for name, mine in gathered.items()
                if len(mine) > 1
            ]
    _correct(single)
    _correct(pooled)
    return sorted(single + pooled, key=lambda row: [row[name] for name in COMPARISONS[:5]])


class _Pair(NamedTuple):
    """Two systems on a set: which of the items that both scored each has right."""

    a: np.ndarray
    b: np.ndarray
    sentences: np.ndarray
    values: tuple[str, ...]
    collection: str


def _pair(a: dict[str, Cell], b: dict[str, Cell]) -> dict[str, _Pair]:
    pairs = {}
    for name in sorted(a.keys() & b.keys()):
        common = np.intersect1d(a[name].items, b[name].items)
        mine, other = (cell.take(np.isin(cell.items, common)) for cell in (a[name], b[name]))
        if len(common):
            pairs[name] = _Pair(
                mine.correct, other.correct, mine.sentences, mine.values, mine.collection
            )
    return pairs


def _compare_two(name: str, pairs: list[_Pair], seed: int) -> dict:
    together = (np.concatenate(arrays) for arrays in list(zip(*pairs, strict=True))[:3])
    return {"set": name} | compare_paired(*together, metric="accuracy", seed=seed)


def _correct(rows: list[dict]) -> None:
    families: dict[tuple, list[dict]] = {}
    for row in rows:
        families.setdefault((row["variant"], row["level"]), []).append(row)
    for family in families.values():
        corrected = holm([row["permutation_p"] for row in family])
        for row, p in zip(family, corrected, strict=True):
            row["holm_p"] = p


def list_flips(cells: Cells) -> list[dict]:
    """Rows of FLIPS: sums against those by token, word, character, byte; word against sentence."""
    rows = []
    for key, cell in cells.items():
        for unit in UNITS:
            if not np.isnan(cell.units[unit]).any():
                divided = cell.scores / np.maximum(cell.units[unit], 1)
                rows.append(_flip(key, key, "sum", f"per {unit}", cell, cell.scores, divided))
        for other, theirs in _sentence_cells(cells, key):
            if np.array_equal(cell.items, theirs.items):
                rows.append(_flip(key, other, "sum", "sum", cell, cell.scores, theirs.scores))
    return rows


def _sentence_cells(cells: Cells, key: Key) -> Iterator[tuple[Key, Cell]]:
    for other, cell in cells.items():
        same = (other.set, other.system) == (key.set, key.system)
        if key.level == "word" and other.level == "sentence" and same:
            yield other, cell


def _flip(
    key: Key, other: Key, measure: str, by: str, cell: Cell, a: np.ndarray, b: np.ndarray
) -> dict:
    right_a, right_b = (margins(scores, cell.right) > 0 for scores in (a, b))
    return {
        "set": key.set,
        "system": key.system,
        "a": f"{key.level}, {key.variant}, {measure}",
        "b": f"{other.level}, {other.variant}, {by}",
        "accuracy_a": right_a.mean(),
        "accuracy_b": right_b.mean(),
        "winner_changes": (_winners(a) != _winners(b)).mean(),
        "becomes_right": (right_b & ~right_a).mean(),
        "becomes_wrong": (right_a & ~right_b).mean(),
        "n": len(cell),
    }


def _winners(scores: np.ndarray) -> np.ndarray:
    """(items) The column of the one highest score; -1 where several share it."""
    best = scores.max(axis=1, keepdims=True)
    return np.where((scores == best).sum(axis=1) == 1, scores.argmax(axis=1), -1)
