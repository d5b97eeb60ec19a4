"""Differences that claims are about: by pair, of two systems, of two kinds of pairs, of orders."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from kasu.pretraining.data.filters import judge_orders
from kasu.pretraining.evaluation.cells import Cell
from kasu.pretraining.evaluation.comparisons import paired_values


class Difference(NamedTuple):
    """Differences whose mean a claim is about: (items) values and clusters.

    tried: how many it was chosen from, which widens its interval.
    """

    values: np.ndarray
    clusters: np.ndarray
    says: str
    tried: int = 1


def paired(a: Cell, b: Cell) -> Difference:
    """One system minus another, on the pairs that both keep."""
    values_a, values_b, clusters = paired_values(a, b)
    says = f"{values_a.mean():.4f} and {values_b.mean():.4f}, " if len(clusters) else ""
    return Difference(values_a - values_b, clusters, says)


def between(
    cell: Cell, column: str, value: str, others: Sequence[str], sign: int
) -> Difference | None:
    """Pairs of one type or level minus those of others, times `sign`; None if either has none."""
    kept, solved = cell.kept.all(axis=0), cell.solved.mean(axis=0)
    one, rest = kept & cell.where(column, value), kept & np.isin(cell.pairs[column], others)
    if not one.any() or not rest.any():
        return None
    a, b = solved[one].mean(), solved[rest].mean()
    # Each group centred, so that resampling its size adds nothing to the spread of its mean
    apart = one * (solved - a) / one.sum() - rest * (solved - b) / rest.sum()
    values = sign * (apart[kept] * kept.sum() + a - b)
    says = f"{value} {a:.4f}, {' and '.join(others)} {b:.4f}, "
    return Difference(values, cell.pairs["source_id"][kept], says)


def cost(cell: Cell) -> tuple[np.ndarray, np.ndarray]:
    """How much less of a pair is right in both orders than in one, and whether it is kept."""
    judged = [
        judge_orders(*each, "both_filtered") for each in zip(cell.runs, cell.others, strict=True)
    ]
    both = np.array([solved for _, solved in judged])
    kept = np.array([kept for kept, _ in judged]).all(axis=0)
    return cell.solved.mean(axis=0) - both.mean(axis=0), kept


def closest(best: Cell, others: Mapping[str, Cell]) -> Difference:
    """One system minus that of the others that it leads by least."""
    found = {name: paired(best, cell) for name, cell in others.items()}
    # Without a common pair there is nothing to tell, and the mean counts as 0
    means = {name: each.values.sum() / max(len(each.values), 1) for name, each in found.items()}
    name = min(means, key=means.__getitem__)
    says = f"closest of {len(found)} {name}: {found[name].says}"
    return found[name]._replace(says=says, tried=len(found))
