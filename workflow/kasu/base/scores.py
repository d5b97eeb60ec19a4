"""Scores: their schema, and the intervals and tests that stand beside them.

Resampling draws from a seeded generator, so equal inputs and seed give equal figures.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike
from scipy.stats import binom, binomtest

LEVEL = 0.95

SCORES = pa.schema(
    [
        ("study", pa.string()),
        ("paper", pa.string()),
        ("table", pa.string()),
        ("system", pa.string()),
        ("condition", pa.string()),
        ("metric", pa.string()),
        ("value", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("n", pa.int64()),
        ("runs", pa.int64()),
        ("variant", pa.string()),
        ("seed", pa.int64()),
        ("note", pa.string()),
    ]
)
"""One figure a row. `value`, `low`, `high` are fractions of 1 (distances and counts as they are),
the interval is at LEVEL, `n` counts items, `runs` counts seeds. `seed` is null in a row over all
runs. `paper, table, system, condition, metric` are the key of the published figure."""


def wilson(successes: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval of a share of `n` independent items; (0, 1) where there is none."""
    if n == 0:
        return 0.0, 1.0
    interval = binomtest(successes, n).proportion_ci(level, method="wilson")
    return float(interval.low), float(interval.high)


def cluster_bootstrap(
    values: ArrayLike,
    clusters: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    seed: int,
    draws: int = 1000,
    level: float = LEVEL,
) -> tuple[float, float]:
    """Percentile interval of sum(values) / sum(weights), resampling whole clusters.

    Without `weights` the statistic is the mean. Recall is values = gold and found, weights =
    gold. Differences of paired items go in as values.

    Args:
        values: one number an item, shape (items,).
        clusters: the item's cluster (source sentence, article, lemma), shape (items,).
        weights: the item's share of the denominator, shape (items,); default 1.

    Returns:
        (low, high); both NaN where the weights sum to nothing.
    """
    values = np.asarray(values, float)
    weights = np.ones_like(values) if weights is None else np.asarray(weights, float)
    totals = np.stack([_by_cluster(values, clusters), _by_cluster(weights, clusters)], axis=1)
    # Clusters of equal totals are exchangeable: draw how many of each kind, not which.
    kinds, counts = np.unique(totals, axis=0, return_counts=True)
    clusters_in_all = counts.sum()
    generator = np.random.default_rng(seed)
    drawn = np.array(
        [
            generator.multinomial(clusters_in_all, counts / clusters_in_all) @ kinds
            for _ in range(draws)
        ]
    )
    drawn = drawn[drawn[:, 1] > 0]
    if not len(drawn):
        return float("nan"), float("nan")
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def share_interval(
    hits: ArrayLike,
    trials: ArrayLike,
    clusters: ArrayLike,
    *,
    seed: int,
    draws: int = 1000,
    level: float = LEVEL,
) -> tuple[float, float]:
    """Interval of a share whose items come in clusters: the bootstrap, or Wilson at 0 and 1.

    A bootstrap of items that are all right (or all wrong) has no width; there the interval is
    Wilson's, with each cluster that has a trial counted as one item.

    Args:
        hits: true where the item counts for the numerator, shape (items,).
        trials: true where it counts for the denominator, shape (items,).
        clusters: the item's cluster, shape (items,).
    """
    trials = np.asarray(trials, bool)
    hits = np.asarray(hits, bool) & trials
    clusters = np.asarray(clusters)
    if hits.any() and (hits != trials).any():
        return cluster_bootstrap(
            hits, clusters, weights=trials, seed=seed, draws=draws, level=level
        )
    tried = len(np.unique(clusters[trials]))
    return wilson(tried if hits.any() else 0, tried, level)


def mcnemar(correct_a: ArrayLike, correct_b: ArrayLike) -> float:
    """Exact two-sided p of McNemar's test: do A and B err equally often on the same items?

    Items are taken as independent; for clustered items see `paired_permutation`.
    """
    correct_a, correct_b = np.asarray(correct_a, bool), np.asarray(correct_b, bool)
    only_a = int((correct_a & ~correct_b).sum())
    only_b = int((correct_b & ~correct_a).sum())
    if only_a + only_b == 0:
        return 1.0
    return float(binomtest(only_a, only_a + only_b).pvalue)


def smallest_effect(
    n: int, discordant: float, *, power: float = 0.8, level: float = 1 - LEVEL
) -> float | None:
    """The smallest difference in accuracy that `mcnemar` at `level` finds with probability `power`.

    Found means significant and in the right direction. Exact: the two systems differ on a binomial
    number of `n` independent items, and of these the better one has a binomial number right.

    Args:
        n: items.
        discordant: share of items that only the worse system has right, and as many that only the
            better one has on top of the difference; both shares together. 0 where the better
            system is right wherever the other one is.

    Returns:
        The difference, to 1e-6; None where even the largest possible one is not found.
    """
    low, high = 0.0, 1.0 - discordant
    if _detection(n, discordant, high, level) < power:
        return None
    while high - low > 1e-6:
        middle = (low + high) / 2
        if _detection(n, discordant, middle, level) < power:
            low = middle
        else:
            high = middle
    return high


def _detection(n: int, discordant: float, difference: float, level: float) -> float:
    differing = np.arange(1, n + 1)
    share = discordant + difference
    if share == 0:
        return 0.0
    # p = 2 P(wins or more | differing items, 1/2) must not exceed the level
    wins = binom.isf(level / 2, differing, 0.5) + 1
    found = binom.sf(wins - 1, differing, (discordant / 2 + difference) / share)
    return float((binom.pmf(differing, n, min(share, 1.0)) * found).sum())


def paired_permutation(
    values_a: ArrayLike,
    values_b: ArrayLike,
    clusters: ArrayLike,
    *,
    seed: int,
    draws: int = 10_000,
) -> float:
    """Two-sided p that the means of A and B are equal, swapping A and B by whole clusters.

    The observed assignment counts as one of the draws, so p is never 0.

    Args:
        values_a, values_b: one number an item, paired, shape (items,).
        clusters: the item's cluster, shape (items,).
    """
    difference = _by_cluster(np.subtract(values_a, values_b, dtype=float), clusters)
    kinds, counts = np.unique(np.abs(difference), return_counts=True)
    generator = np.random.default_rng(seed)
    swapped = np.zeros(draws)
    for size, count in zip(kinds, counts, strict=True):
        swapped += size * (2 * generator.binomial(count, 0.5, draws) - count)
    # Sums of fractions in another order differ in their last bits: a tie must stay a tie.
    as_large = np.abs(swapped) >= abs(difference.sum()) - 1e-9 * np.abs(difference).sum()
    return float((1 + as_large.sum()) / (1 + draws))


def compare_paired(
    values_a: ArrayLike, values_b: ArrayLike, clusters: ArrayLike, *, metric: str, seed: int
) -> dict[str, float | int | None]:
    """Compare two systems on the same items: means, difference with interval, tests.

    Args:
        values_a, values_b: what each got of an item (right or not, or the share of its runs that
            got it right), shape (items,).
        clusters: the item's cluster, shape (items,).
        metric: what a mean is called in the keys `<metric>_a` and `<metric>_b`.

    Returns:
        Also `n`, `difference`, `low`, `high`, `mcnemar_p` (None unless all values are 0 or 1) and
        `permutation_p`.
    """
    a, b = np.asarray(values_a, float), np.asarray(values_b, float)
    low, high = cluster_bootstrap(a - b, clusters, seed=seed)
    single = set(np.unique([a, b])) <= {0.0, 1.0}
    return {
        "n": len(a),
        f"{metric}_a": a.mean(),
        f"{metric}_b": b.mean(),
        "difference": a.mean() - b.mean(),
        "low": low,
        "high": high,
        "mcnemar_p": mcnemar(a, b) if single else None,
        "permutation_p": paired_permutation(a, b, clusters, seed=seed),
    }


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p values, in the order given (family-wise error)."""
    p = np.asarray(p_values, float)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    scaled = p[order] * np.arange(len(p), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1)
    return adjusted.tolist()


def _by_cluster(values: np.ndarray, clusters: ArrayLike) -> np.ndarray:
    _, index = np.unique(np.asarray(clusters), return_inverse=True)
    return np.bincount(index, values)
