"""Differences that claims assert, with their interval, p and power.

Only clusters of items (source sentences, articles, lexical seeds) are independent.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import nctdtrinc, stdtr, stdtrit

from kasu.results.statistics import LEVEL

ALPHA = round(1 - LEVEL, 9)
POWER = 0.8
_TINY = 1e-9  # float error


class Sample(NamedTuple):
    """Scores whose mean is compared.

    Attributes:
        values: one score per item, shape (items,).
        clusters: the item's cluster (source sentence, lexical seed), shape (items,); only clusters
            are independent.
        weights: the weight of each item in the mean, shape (items,); default 1.
    """

    values: ArrayLike
    clusters: ArrayLike
    weights: ArrayLike | None = None

    @property
    def mean(self) -> float:
        """The mean of the values."""
        weights = None if self.weights is None else np.asarray(self.weights)
        return float(np.average(np.asarray(self.values, float), weights=weights))


@dataclass(frozen=True)
class Difference:
    """A difference that a claim says is above `floor`.

    Attributes:
        value: the difference.
        low, high: its interval at LEVEL.
        p: two-sided p of a difference equal to `floor`.
        clusters: how many independent clusters of items it rests on.
        standard_error: the standard error of `value`; 0 if all clusters agree.
        floor: 0, or the loss below 0 that still counts as none.
        says: what was compared; opens the evidence.
        noun: its name in the evidence: a correlation, say, is a difference from none.
        tried: how many differences this one was chosen from.
        refutes: whether the opposite refutes the claim; else it only keeps it from holding.
        solved: why no system could show this difference; empty if one could.
    """

    value: float
    low: float
    high: float
    p: float
    clusters: int
    standard_error: float
    floor: float = 0.0
    says: str = ""
    noun: str = "difference"
    tried: int = 1
    refutes: bool = True
    solved: str = ""

    @classmethod
    def of(
        cls,
        sample: Sample,
        other: Sample | None = None,
        *,
        floor: float = 0.0,
        tried: int = 1,
        says: str = "",
    ) -> Self:
        """Return the mean of a sample, less that of another, with the cluster-robust t test.

        The samples may share clusters, as two systems on the same items do.

        Args:
            tried: how many differences this one was chosen from (Bonferroni).

        Raises:
            ValueError: a sample is empty.
        """
        subtracted = () if other is None else (other,)
        return cls.contrast([sample], subtracted, floor=floor, tried=tried, says=says)

    @classmethod
    def contrast(
        cls,
        added: Sequence[Sample],
        subtracted: Sequence[Sample] = (),
        *,
        floor: float = 0.0,
        tried: int = 1,
        says: str = "",
    ) -> Self:
        """Return the sum of some means, less the sum of others; see `of`."""
        value, residuals, clusters = 0.0, [], []
        for each, sign in (*((one, 1) for one in added), *((one, -1) for one in subtracted)):
            scores = np.asarray(each.values, float)
            if not len(scores):
                raise ValueError("a sample without an item")
            weights = np.ones_like(scores) if each.weights is None else np.asarray(each.weights)
            value += sign * each.mean
            # What each item adds to the error of the mean
            residuals.append(sign * weights * (scores - each.mean) / weights.sum())
            clusters.append(np.asarray(each.clusters))
        _, index = np.unique(np.concatenate(clusters), return_inverse=True)
        by_cluster = np.bincount(index, np.concatenate(residuals))
        low, high, p, error = _t_test(value, floor, by_cluster, tried)
        return cls(value, low, high, p, len(by_cluster), error, floor, says, tried=tried)

    @property
    def asserted(self) -> bool:
        """Whether it has the direction that the claim asserts, by what `p` tests."""
        return self.value > self.floor

    def smallest(self, level: float = ALPHA) -> float:
        """Return the smallest distance from `floor` whose p is below `level` in POWER of samples.

        By the noncentral t distribution, as the standard error is only estimated.
        """
        freedom = self.clusters - 1
        critical = -stdtrit(freedom, level / 2 / self.tried)
        return float(nctdtrinc(freedom, 1 - POWER, critical) * self.standard_error)

    def enough(self, level: float = ALPHA) -> int:
        """Return how many clusters that all agree have p below `level`, by the sign test."""
        return math.ceil(math.log2(2 * self.tried / level))

    def describe(self) -> str:
        """Say what was compared: the difference, its interval, the clusters, p as measured."""
        alike = self.standard_error < _TINY
        interval = "(no interval)" if alike else f"({self.low:+.4f} to {self.high:+.4f})"
        floor = f", floor {self.floor:g}" if self.floor else ""
        size = f"{self.clusters:,} cluster{'s' if self.clusters != 1 else ''}"
        return f"{self.says}{self.noun} {self.value:+.4f} {interval}{floor}, {size}, p {self.p:.2g}"

    def undecided(self, level: float) -> str:
        """Say why a difference whose p is not below `level` decides nothing, and what would."""
        if self.clusters < 2:
            return "nothing follows from one cluster"
        if self.standard_error >= _TINY:
            shown = f"{self.smallest(level):.4f} in {POWER:.0%} of samples"
            return f"within chance; as many clusters show {shown}"
        if abs(self.value - self.floor) < _TINY:
            return "no cluster differs"
        return f"within chance; all clusters agree, {self.enough(level)} would be enough"


def _t_test(
    value: float, floor: float, by_cluster: np.ndarray, tried: int
) -> tuple[float, float, float, float]:
    """Return the interval of a difference, its p and its standard error.

    Args:
        by_cluster: what each cluster adds to the error, shape (clusters,).
    """
    count = len(by_cluster)
    if count < 2:
        return -np.inf, np.inf, 1.0, np.inf
    standard_error = float(np.sqrt(count / (count - 1) * (by_cluster**2).sum()))
    if standard_error < _TINY:
        # All clusters agree: the sign test says how often they would by chance
        p = 1.0 if abs(value - floor) < _TINY else 2 * 0.5**count
        return value, value, min(tried * p, 1.0), 0.0
    margin = float(-stdtrit(count - 1, ALPHA / 2 / tried) * standard_error)
    p = 2 * float(stdtr(count - 1, -abs(value - floor) / standard_error))
    return value - margin, value + margin, min(tried * p, 1.0), standard_error
