"""Differences that claims test: between systems, kinds of pairs and word orders."""

import numpy as np

from kasu.base.verdicts import ALPHA, Difference, Sample, Untestable
from kasu.pretraining.data.filters import judge_orders
from kasu.pretraining.evaluation.cells import Cell
from kasu.pretraining.evaluation.comparisons import paired_values

Evidence = Difference | Untestable
CHANCE = 0.5
NO_PAIR = Untestable("no pair is left")


def paired(a: Cell, b: Cell, *, floor: float = 0.0, tried: int = 1, says: str = "") -> Evidence:
    """A minus B, on the pairs that both keep.

    Args:
        floor, tried: see `Difference.of`.
        says: opens the evidence.
    """
    values_a, values_b, clusters = paired_values(a, b)
    if not len(clusters):
        return NO_PAIR
    says += f"{values_a.mean():.4f} and {values_b.mean():.4f}, "
    samples = Sample(values_a, clusters), Sample(values_b, clusters)
    return Difference.of(*samples, floor=floor, tried=tried, says=says)


def between(cell: Cell, column: str, one: str, other: str, *, floor: float = 0.0) -> Evidence:
    """Accuracy on the pairs of one type or level, less that on another."""
    samples = []
    for value in (one, other):
        chosen = np.all(cell.kept, axis=0) & cell.where(column, value)
        if not chosen.any():
            return Untestable(f"no pair of {column} {value} is left")
        samples.append(_solved(cell, chosen))
    means = [np.asarray(sample.values).mean() for sample in samples]
    says = f"{one} {means[0]:.4f}, {other} {means[1]:.4f}, "
    return Difference.of(*samples, floor=floor, says=says)


def below_chance(cell: Cell, *, tried: int = 1, says: str = "") -> Evidence:
    """How far the accuracy on the kept pairs is below one half."""
    kept = np.all(cell.kept, axis=0)
    if not kept.any():
        return NO_PAIR
    solved, clusters, _ = _solved(cell, kept)
    return Difference.of(Sample(CHANCE - np.asarray(solved), clusters), tried=tried, says=says)


def ends_at_chance(system: str, cell: Cell) -> Untestable | None:
    """Why a model's last checkpoint cannot show a difference; None if it is above chance."""
    kept = np.all(cell.kept, axis=0)
    if not kept.any():
        return NO_PAIR
    accuracy = Difference.of(_solved(cell, kept), floor=CHANCE)
    if accuracy.p < ALPHA and accuracy.value > CHANCE:
        return None
    found = f"{accuracy.value:.4f} ({accuracy.low:.4f} to {accuracy.high:.4f})"
    return Untestable(f"{system} ends no better than chance: {found}")


def cost(cell: Cell) -> tuple[np.ndarray, np.ndarray]:
    """What a pair is worth in one order less that in both, mean of runs, and whether it is kept.

    Both are (pairs).
    """
    judged = [
        judge_orders(*orders, "both_filtered")
        for orders in zip(cell.runs, cell.reordered, strict=True)
    ]
    lost = np.mean([orders.single - orders.both for orders in judged], axis=0)
    return lost, np.all([orders.kept for orders in judged], axis=0)


def _solved(cell: Cell, chosen: np.ndarray) -> Sample:
    """Share of runs that solve each of the chosen pairs (pairs)."""
    return Sample(cell.solved[:, chosen].mean(axis=0), cell.pairs["source_id"][chosen])
