"""The smallest change of weights that gives right answers their margins.

Source: Hildreth (1957), as in MIRA (McDonald et al. 2005).
"""

from collections.abc import Hashable, Mapping, Sequence
from itertools import chain
from typing import TypeVar

import numpy as np

K = TypeVar("K", bound=Hashable)

SLACK = 9_999_999.0
"""What a unit of a margin that is missed costs, as in DirecTL+."""

NEAR = 1e-9  # a margin missed by less is kept
SWEEPS = 10_000


def smallest_step(
    rows: Sequence[Mapping[K, float]], sides: Sequence[float], cost: float = SLACK
) -> dict[K, float]:
    """Return the z that minimises |z|^2 / 2 + cost * slack with row . z >= side - slack for each.

    Hildreth's coordinate ascent raises one multiplier after the other, each to its optimum given
    the rest, until all margins are kept. Where rows contradict one another it ends after SWEEPS.

    Args:
        rows: sparse vectors, ten at most.
        sides: one a row.
        cost: of slack; no multiplier exceeds it.
    """
    places = range(len(rows))
    products = _products(rows)
    multipliers = [0.0] * len(rows)
    # By how much each margin is missed at present
    missed = list(sides)
    for _ in range(SWEEPS):
        kept = True
        for i in places:
            if not products[i][i]:
                continue
            new = min(max(multipliers[i] + missed[i] / products[i][i], 0.0), cost)
            step = new - multipliers[i]
            if abs(step) * products[i][i] <= NEAR:
                continue
            kept = False
            multipliers[i] = new
            for j in places:
                missed[j] -= step * products[i][j]
        if kept:
            break
    change: dict[K, float] = {}
    for row, multiplier in zip(rows, multipliers, strict=True):
        if multiplier:
            for key, value in row.items():
                change[key] = change.get(key, 0.0) + multiplier * value
    return change


def _products(rows: Sequence[Mapping[K, float]]) -> list[list[float]]:
    """Return the products of all rows with one another."""
    columns = {key: column for column, key in enumerate(dict.fromkeys(chain.from_iterable(rows)))}
    matrix = np.zeros((len(rows), len(columns)))
    for line, row in zip(matrix, rows, strict=True):
        line[[columns[key] for key in row]] = [*row.values()]
    return (matrix @ matrix.T).tolist()
