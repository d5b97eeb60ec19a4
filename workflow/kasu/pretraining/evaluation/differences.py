"""Differences that claims test: between systems, kinds of pairs and word orders."""

from dataclasses import replace

import numpy as np

from kasu.pretraining.data.filters import judge_orders
from kasu.pretraining.data.names import text_of
from kasu.pretraining.evaluation.comparisons import paired_values
from kasu.pretraining.evaluation.pair_results import CheckpointOnPairs, Checkpoints, PairResults
from kasu.pretraining.models.trigram import LENGTHS, TRIGRAM
from kasu.results.differences import ALPHA, Difference, Sample
from kasu.results.nulls import above, beyond
from kasu.results.statistics import worth
from kasu.results.verdicts import Untestable

Evidence = Difference | list[Difference] | Untestable
CHANCE = 0.5
NO_PAIR = Untestable("no pair is left")


def paired(
    a: PairResults, b: PairResults, *, floor: float = 0.0, tried: int = 1, says: str = ""
) -> Evidence:
    """Return A minus B, on the pairs that both keep.

    Args:
        floor, tried: see `Difference.of`.
        says: opens the evidence.
    """
    samples = _pair(a, b)
    if not np.size(samples[0].values):
        return NO_PAIR
    says += f"{samples[0].mean:.4f} and {samples[1].mean:.4f}, "
    return Difference.of(*samples, floor=floor, tried=tried, says=says)


def nulls_of(checkpoints: Checkpoints, key: CheckpointOnPairs) -> dict[str, PairResults]:
    """Return the nulls of a model by name, with its pairs and its length filter.

    They are chance, the longer and the shorter sentence, and the trigram of its text if that ran.
    """
    results = checkpoints[key]
    # A length null takes the good sentence if its number is above 0, and ties at 0
    sides = {name.replace("_", " "): side * results.excess for name, side in LENGTHS.items()}
    worths = {"chance": np.full(len(results.excess), CHANCE)}
    worths |= {name: worth(np.stack([a, -a], axis=1), 0) for name, a in sides.items()}
    trigram = key._replace(system=f"{TRIGRAM}-{text_of(key.system)}", epoch=None)
    if trigram in checkpoints:
        worths[TRIGRAM] = checkpoints[trigram].solved.mean(axis=0)
    return {name: _as_null(results, solved) for name, solved in worths.items()}


def _as_null(results: PairResults, solved: np.ndarray) -> PairResults:
    return replace(results, runs=[run._replace(solved=solved) for run in results.runs])


def between(
    checkpoints: Checkpoints,
    key: CheckpointOnPairs,
    column: str,
    one: str,
    other: str,
    *,
    floor: float = 0.0,
) -> list[Difference] | Untestable:
    """Return accuracy on the pairs of one type or level, less that on another.

    Without a floor, also how far the difference is beyond that of the strongest null.
    """
    results = checkpoints[key]
    kept = [np.all(results.kept, axis=0) & results.where(column, value) for value in (one, other)]
    for value, chosen in zip((one, other), kept, strict=True):
        if not chosen.any():
            return Untestable(f"no pair of {column} {value} is left")
    samples = _solved(results, kept[0]), _solved(results, kept[1])
    says = f"{one} {samples[0].mean:.4f}, {other} {samples[1].mean:.4f}, "
    if floor:
        return [Difference.of(*samples, floor=floor, says=says)]
    name, null = _strongest(checkpoints, key)
    return beyond(samples, (_solved(null, kept[0]), _solved(null, kept[1])), name, says=says)


def below_chance(
    checkpoints: Checkpoints, key: CheckpointOnPairs, *, tried: int = 1, says: str = ""
) -> Evidence:
    """Measure how far accuracy on the kept pairs is below one half, and beyond the lowest null."""
    results = checkpoints[key]
    kept = np.all(results.kept, axis=0)
    if not kept.any():
        return NO_PAIR
    nulls = nulls_of(checkpoints, key)
    half = _solved(nulls["chance"], kept)
    name = min(nulls, key=lambda each: _solved(nulls[each], kept).mean)
    null = half, _solved(nulls[name], kept)
    return beyond((half, _solved(results, kept)), null, name, tried=tried, says=says)


def twins(
    checkpoints: Checkpoints, twin: CheckpointOnPairs, base: CheckpointOnPairs
) -> list[Difference] | Untestable:
    """Return a lemmatised model minus its base on the pairs that both keep, and beyond the null."""
    name, null = _strongest(checkpoints, twin)
    both = checkpoints[twin], checkpoints[base]
    of_null = null, nulls_of(checkpoints, base).get(name, null)
    samples, null_samples = _pair(*both), _pair(*of_null)
    if not np.size(samples[0].values):
        return NO_PAIR
    says = f"{samples[0].mean:.4f} and {samples[1].mean:.4f}, "
    return beyond(samples, null_samples, name, says=says)


def ends_at_null(checkpoints: Checkpoints, key: CheckpointOnPairs, says: str) -> Untestable | None:
    """Say why a checkpoint cannot show a difference; None if it is above the strongest null."""
    results = checkpoints[key]
    kept = np.all(results.kept, axis=0)
    if not kept.any():
        return NO_PAIR
    nulls = {name: _solved(null, kept) for name, null in nulls_of(checkpoints, key).items()}
    found = above(_solved(results, kept), nulls)
    if found.p < ALPHA and found.value > 0:
        return None
    return Untestable(f"{says} ends no better than a null: {found.describe()}")


def _strongest(checkpoints: Checkpoints, key: CheckpointOnPairs) -> tuple[str, PairResults]:
    """Return the null with the highest accuracy on the pairs that a model keeps."""
    nulls = nulls_of(checkpoints, key)
    name = max(nulls, key=lambda each: nulls[each].accuracy)
    return name, nulls[name]


def _pair(a: PairResults, b: PairResults) -> tuple[Sample, Sample]:
    """Return samples of two systems on the pairs that both keep."""
    values_a, values_b, clusters = paired_values(a, b)
    return Sample(values_a, clusters), Sample(values_b, clusters)


def cost(results: PairResults) -> tuple[np.ndarray, np.ndarray]:
    """Return what each pair loses by a second order, mean of runs, and whether it is kept.

    Both have the shape (pairs,).
    """
    judged = [
        judge_orders(*orders, "both_filtered")
        for orders in zip(results.runs, results.reordered, strict=True)
    ]
    lost = np.mean([orders.single - orders.both for orders in judged], axis=0)
    return lost, np.all([orders.kept for orders in judged], axis=0)


def _solved(results: PairResults, chosen: np.ndarray) -> Sample:
    """Return the share of runs that solve each of the chosen pairs (pairs)."""
    return Sample(results.solved[:, chosen].mean(axis=0), results.pairs["source_id"][chosen])
