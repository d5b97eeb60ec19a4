"""Which system is better, and whether that depends on the metric: paired tests, flips."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kasu.minimal_sets.evaluation.scored_sets import (
    UNITS,
    ModelOnSet,
    ScoredSet,
    ScoredSets,
    comparable,
    name_pool,
)
from kasu.results.statistics import compare_paired, correct, shared

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
"""What changes from metric `a` to metric `b` (level, variant, measure), as means over n items:
`becomes_right` is what items gain, `becomes_wrong` what they lose, and `winner_changes` the share
with another winner. The winner is the form above all others; a tie has none."""


def compare(sets: ScoredSets, seed: int) -> list[dict]:
    """Return rows of COMPARISONS: each pair of systems on each set, and on each pool of sets.

    Intervals and permutations keep the items of a source sentence together, also across sets.
    """
    # Level -> system -> set -> what the system scored on it
    by_level: dict[str, dict[_System, dict[str, ScoredSet]]] = {}
    for key, scored in sets.items():
        system = _System(key.variant, key.system)
        by_level.setdefault(key.level, {}).setdefault(system, {})[key.set] = scored
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
    family = ("variant", "level")
    corrected = correct(single, by=family) + correct(pooled, by=family)
    return sorted(corrected, key=lambda row: [row[name] for name in COMPARISONS[:5]])


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


def _pair(a: dict[str, ScoredSet], b: dict[str, ScoredSet]) -> dict[str, _Pair]:
    """Return the pairs of two systems by set, each given by what it scored, by set."""
    pairs = {}
    for name in sorted(a.keys() & b.keys()):
        common = np.intersect1d(a[name].items, b[name].items)
        one, other = (scored.take(np.isin(scored.items, common)) for scored in (a[name], b[name]))
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


def list_flips(sets: ScoredSets) -> list[dict]:
    """Return rows of FLIPS: sums against sums per unit, and word level against sentence level."""
    rows = []
    for key, scored in sets.items():
        for unit in UNITS:
            if not np.isnan(scored.units[unit]).any():
                divided = scored.scores / np.maximum(scored.units[unit], 1)
                rows.append(_flip(key, key, "sum", f"per {unit}", scored, scored.scores, divided))
        for other, sentence in _sentence_sets(sets, key):
            if np.array_equal(scored.items, sentence.items):
                rows.append(_flip(key, other, "sum", "sum", scored, scored.scores, sentence.scores))
    return rows


def _sentence_sets(sets: ScoredSets, key: ModelOnSet) -> Iterator[tuple[ModelOnSet, ScoredSet]]:
    """Yield the same system on the same set at sentence level, if `key` is at word level."""
    for other, scored in sets.items():
        same = (other.set, other.system) == (key.set, key.system)
        if key.level == "word" and other.level == "sentence" and same:
            yield other, scored


def _flip(
    key: ModelOnSet,
    other: ModelOnSet,
    measure: str,
    by: str,
    scored: ScoredSet,
    a: np.ndarray,
    b: np.ndarray,
) -> dict:
    """Return a row of FLIPS: scores `a` of `key` by `measure`, `b` of `other` by `by`."""
    right_a, right_b = (scored.judge(scores, scored.right) for scores in (a, b))
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
        "n": len(scored),
    }


def _winners(scores: np.ndarray) -> np.ndarray:
    """Return (items) the column of the highest score; -1 for a tie."""
    return np.where(shared(scores), -1, scores.argmax(axis=1))
