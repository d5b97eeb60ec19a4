"""Paired differences that claims test: between systems, kinds of pairs and word orders."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from kasu.pretraining.data.filters import judge_orders
from kasu.pretraining.evaluation.cells import Cell
from kasu.pretraining.evaluation.comparisons import paired_values


class Difference(NamedTuple):
    """Differences whose mean a claim is about.

    values: (items).
    clusters: (items) resampled together.
    says: what was compared, for the evidence.
    tried: how many differences it was chosen from, which widens its interval.
    """

    values: np.ndarray
    clusters: np.ndarray
    says: str
    tried: int = 1


def paired(a: Cell, b: Cell) -> Difference:
    """A minus B, on the pairs that both keep."""
    values_a, values_b, clusters = paired_values(a, b)
    says = f"{values_a.mean():.4f} and {values_b.mean():.4f}, " if len(clusters) else ""
    return Difference(values_a - values_b, clusters, says)


def between(
    cell: Cell, column: str, value: str, others: Sequence[str], sign: int
) -> Difference | None:
    """Accuracy on one type or level minus that on others, times `sign`.

    None if either has no kept pair.
    """
    kept, solved = cell.kept.all(axis=0), cell.solved.mean(axis=0)
    one, rest = kept & cell.where(column, value), kept & np.isin(cell.pairs[column], others)
    if not one.any() or not rest.any():
        return None
    mean_one, mean_rest = solved[one].mean(), solved[rest].mean()
    # One value per pair, whose mean is the difference of the two means. The groups are centred, so
    # that a bootstrap draw with more pairs of one group does not widen the interval.
    centred = one * (solved - mean_one) / one.sum() - rest * (solved - mean_rest) / rest.sum()
    values = sign * (centred[kept] * kept.sum() + mean_one - mean_rest)
    says = f"{value} {mean_one:.4f}, {' and '.join(others)} {mean_rest:.4f}, "
    return Difference(values, cell.pairs["source_id"][kept], says)


def cost(cell: Cell) -> tuple[np.ndarray, np.ndarray]:
    """Share of runs that solve a pair in one order but not in both, and whether it is kept.

    Both are (pairs).
    """
    judged = [
        judge_orders(*orders, "both_filtered")
        for orders in zip(cell.runs, cell.reordered, strict=True)
    ]
    both = np.array([solved for _, solved in judged])
    kept = np.array([kept for kept, _ in judged])
    return cell.solved.mean(axis=0) - both.mean(axis=0), np.all(kept, axis=0)


def closest(best: Cell, others: Mapping[str, Cell]) -> Difference:
    """One system minus the one of the others that comes closest."""
    leads = {name: paired(best, cell) for name, cell in others.items()}
    # Without a common pair the lead counts as 0
    means = {name: lead.values.sum() / max(len(lead.values), 1) for name, lead in leads.items()}
    name = min(means, key=means.__getitem__)
    says = f"closest of {len(leads)} {name}: {leads[name].says}"
    return leads[name]._replace(says=says, tried=len(leads))
