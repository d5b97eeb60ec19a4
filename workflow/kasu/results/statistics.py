"""The worth of an item, and the intervals and tests of figures.

Resampling uses a seeded generator, so the same inputs and seed give the same figures. What takes
`scipy.stats` imports it when called: that takes half a second, and most jobs need only quantiles.
"""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import lcm, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, ndtri, stdtrit

LEVEL = 0.95
FEW = 30
"""Of fewer clusters a bootstrap interval is too narrow: of two, an interval of 95 % holds 60 %."""
_DRAWN = 2**20
_TINY = 1e-12  # float error
_STEPS = 2**29  # of an exact permutation test, at most; some take half a second
_FINEST = 2520  # what scores are multiples of, at most: shares of up to ten runs or options


def worth(scores: ArrayLike, right: ArrayLike) -> np.ndarray:
    """Return what each item counts for in an accuracy, 0 to 1: the rule of models and of nulls.

    An item is right, 1, if its right option scores above all others, and wrong, 0, if another
    scores above it. Else it is a tie: the right option shares the highest score, and the item
    counts as often as a guess among those that share it would be right, a half of two. So a system
    that cannot tell the options apart stands at chance.

    Args:
        scores: (items, options); a missing one is NaN, and its item counts 0.
        right: the column of the right option, (items,), or one for all.
    """
    scores = np.asarray(scores, float)
    highest = scores == scores.max(axis=1, keepdims=True)
    return highest[np.arange(len(scores)), right] / np.maximum(highest.sum(axis=1), 1)


def shared(scores: ArrayLike) -> np.ndarray:
    """Return which items have several options with the highest score.

    Args:
        scores: (..., options).
    """
    scores = np.asarray(scores)
    return (scores == scores.max(axis=-1, keepdims=True)).sum(axis=-1) > 1


def tied(worths: ArrayLike) -> np.ndarray:
    """Return which items are ties, by what they are `worth`."""
    worths = np.asarray(worths, float)
    return (worths > 0) & (worths < 1)


def ties_wrong(worths: ArrayLike) -> np.ndarray:
    """Return what items are worth by the papers' rule, under which a tie is wrong: 0 or 1."""
    return np.floor(np.asarray(worths, float))


def wilson(successes: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Return Wilson's score interval for a share of `n` independent items; (0, 1) if `n` is 0.

    Successes need not be whole, as a tie counts one half. Such items vary less than items that are
    right or wrong, so the interval is then a little too wide.
    """
    if n == 0:
        return 0.0, 1.0
    # SciPy's takes whole numbers only
    z, failures = _normal(level), n - successes
    centre = (successes + z**2 / 2) / (n + z**2)
    half = z / (n + z**2) * sqrt(successes * failures / n + z**2 / 4)
    return centre - half if successes else 0.0, centre + half if failures else 1.0


def cluster_interval(
    values: ArrayLike,
    clusters: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    seed: int,
    draws: int = 1000,
    level: float = LEVEL,
) -> tuple[float, float]:
    """Return the interval of sum(values) / sum(weights), where only clusters are independent.

    With FEW clusters or more, the percentile interval of a bootstrap of whole clusters; with
    fewer, Student's with the cluster-robust standard error. It has no width if all clusters are
    alike. Without `weights` the statistic is the mean. For recall, values = gold and predicted,
    weights = gold. For a paired comparison, values = differences.

    Args:
        values: one number per item, shape (items,).
        clusters: the item's cluster (source sentence, article, lemma), shape (items,).
        weights: the item's share of the denominator, shape (items,); default 1.

    Returns:
        (low, high); both NaN if the weights sum to 0.
    """
    values = np.asarray(values, float)
    weights = np.ones_like(values) if weights is None else np.asarray(weights, float)
    totals = np.stack([_by_cluster(values, clusters), _by_cluster(weights, clusters)], axis=1)
    if (count := _count_weighted(totals)) < FEW:
        share, error = _ratio(totals)
        half = _student(count, level) * error
        return share - half, share + half
    # Clusters with equal totals are interchangeable: draw how many of each kind, not which
    kinds, counts = np.unique(totals, axis=0, return_counts=True)
    cluster_count = counts.sum()
    generator = np.random.default_rng(seed)
    # Many draws in one call, though no more than fit into some megabytes
    at_once = max(_DRAWN // len(kinds), 1)
    drawn = np.array(
        [
            numbers @ kinds
            for start in range(0, draws, at_once)
            for numbers in generator.multinomial(
                cluster_count, counts / cluster_count, min(at_once, draws - start)
            )
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
    """Return the interval of a share of clustered items.

    With FEW clusters or more, by bootstrap. With fewer, Wilson's, for as many independent items as
    would leave the share as uncertain as these clusters do, and Student's quantile in the place of
    the normal one (Dean & Pagano 2015, Journal of Survey Statistics and Methodology 3). If all
    clusters are alike (all items right or all wrong, or one cluster), neither would have a width:
    Wilson's interval then counts each cluster with a trial as one item.

    Args:
        hits: what the item counts for in the numerator, 0 to 1, shape (items,).
        trials: true where it counts for the denominator, or its weight there, shape (items,).
        clusters: the item's cluster, shape (items,).
    """
    tried = np.asarray(trials, float)
    right = np.asarray(hits, float) * tried
    totals = np.stack([_by_cluster(right, clusters), _by_cluster(tried, clusters)], axis=1)
    count = _count_weighted(totals)
    share, error = _ratio(totals)
    if 0 < share < 1 and error > _TINY:
        if count >= FEW:
            return cluster_interval(
                right, clusters, weights=tried, seed=seed, draws=draws, level=level
            )
        # Clusters may happen to be more alike than independent items would be
        items = min(share * (1 - share) / error**2, float(tried.sum() ** 2 / (tried**2).sum()))
        items *= (_normal(level) / _student(count, level)) ** 2
        return wilson(items * share, items, level)
    return wilson(count * share, count, level) if count else (0.0, 1.0)


def difference_interval(
    differences: ArrayLike, clusters: ArrayLike, *, seed: int
) -> tuple[float, float]:
    """Return the interval of the mean of differences of -1 to 1, where clusters are independent.

    If all clusters differ alike, it allows for as many others as there may be by Wilson's interval
    of none among these, each as different as can be.

    Args:
        differences: one number per item, shape (items,).
        clusters: the item's cluster, shape (items,).
    """
    differences = np.asarray(differences, float)
    low, high = cluster_interval(differences, clusters, seed=seed)
    if high - low < _TINY:
        mean, others = float(differences.mean()), wilson(0, len(np.unique(clusters)))[1]
        low, high = mean - others * (mean + 1), mean + others * (1 - mean)
    return max(low, -1.0), min(high, 1.0)


def span(numbers: Sequence[int]) -> str:
    """Return the least and the most of some numbers: `3 to 5`, or `5`."""
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low} to {high}"


def mean_interval(values: ArrayLike, *, share: bool = False) -> tuple[float, float]:
    """Return Student's interval of the mean of two or more values; of a share, within 0 to 1."""
    values = np.asarray(values, float)
    half = float(_student(len(values), LEVEL) * values.std(ddof=1) / sqrt(len(values)))
    low, high = float(values.mean()) - half, float(values.mean()) + half
    return (max(low, 0.0), min(high, 1.0)) if share else (low, high)


def mcnemar(correct_a: ArrayLike, correct_b: ArrayLike) -> float:
    """Return McNemar's exact two-sided p: do A and B err equally often on the same items?

    Items are assumed independent; for clustered items see `paired_permutation`.
    """
    from scipy.stats import binomtest

    a, b = np.asarray(correct_a, bool), np.asarray(correct_b, bool)
    only_a, only_b = int((a & ~b).sum()), int((b & ~a).sum())
    if only_a + only_b == 0:
        return 1.0
    return float(binomtest(only_a, only_a + only_b).pvalue)


def smallest_effect(
    n: int, discordant: float, *, power: float = 0.8, level: float = 1 - LEVEL
) -> float | None:
    """Return the smallest difference in accuracy that `mcnemar` detects with probability `power`.

    Detected means significant at `level` and in the right direction. The probability is exact: the
    two systems differ on a binomial number of `n` independent items, and the better one is right
    in a binomial number of these.

    Args:
        n: the number of items.
        discordant: twice the share of items that only the worse system has right; the better one
            alone is right on an equal share and, in addition, on the difference. 0 if the better
            system is right wherever the other one is.

    Returns:
        The difference, to 1e-6; None if even the largest possible one is not detected.
    """
    low, high = 0.0, 1.0 - discordant
    if _detection(n, discordant, high, level) < power:
        return None
    # The larger the difference, the likelier it is detected: search by bisection
    while high - low > 1e-6:
        middle = (low + high) / 2
        if _detection(n, discordant, middle, level) < power:
            low = middle
        else:
            high = middle
    return high


def _detection(n: int, discordant: float, difference: float, level: float) -> float:
    """Return the probability that `mcnemar` detects a difference; see `smallest_effect`."""
    from scipy.stats import binom

    share = min(discordant + difference, 1.0)
    if share == 0:
        return 0.0
    # All numbers of differing items but those whose probability is nothing to a double
    middle, beyond = n * share, 12 * sqrt(n * share * (1 - share)) + 60
    differing = np.arange(max(1, int(middle - beyond)), min(n, int(middle + beyond)) + 1)
    # The fewest wins among the differing items with p = 2 P(wins or more | 1/2) <= level
    wins = binom.isf(level / 2, differing, 0.5) + 1
    detected = binom.sf(wins - 1, differing, (discordant / 2 + difference) / share)
    return float((binom.pmf(differing, n, share) * detected).sum())


def paired_permutation(
    values_a: ArrayLike,
    values_b: ArrayLike,
    clusters: ArrayLike,
    *,
    seed: int,
    draws: int = 10_000,
) -> float:
    """Return the two-sided p of equal means of A and B, by swapping A and B in whole clusters.

    Where scores are multiples of a fraction, as right and wrong, ties and shares of runs are, p
    counts all swaps. Else, or where these are too many, it counts `draws` of them and the observed
    assignment, so it is never below 1 / (1 + draws).

    Args:
        values_a, values_b: one number per item, paired, shape (items,).
        clusters: the item's cluster, shape (items,).
    """
    difference = _by_cluster(np.subtract(values_a, values_b, dtype=float), clusters)
    # Clusters with equal differences are interchangeable: draw how many of them are swapped
    kinds, counts = np.unique(np.abs(difference), return_counts=True)
    if (exact := _exact(kinds, counts, abs(float(difference.sum())))) is not None:
        return exact
    generator = np.random.default_rng(seed)
    swapped = np.zeros(draws)
    for size, count in zip(kinds, counts, strict=True):
        swapped += size * (2 * generator.binomial(count, 0.5, draws) - count)
    # Sums in a different order differ in their last bits; ties must stay ties
    as_large = np.abs(swapped) >= abs(difference.sum()) - 1e-9 * np.abs(difference).sum()
    return float((1 + as_large.sum()) / (1 + draws))


def compare_paired(
    values_a: ArrayLike, values_b: ArrayLike, clusters: ArrayLike, *, metric: str, seed: int
) -> dict[str, float | int | None]:
    """Compare two systems on the same items: means, difference with interval, tests.

    Args:
        values_a, values_b: each system's score on an item, 0 to 1 (right or not, or the share of
            its runs that are right), shape (items,).
        clusters: the item's cluster, shape (items,).
        metric: the name of a mean in the keys `<metric>_a` and `<metric>_b`.

    Returns:
        The means, `n`, `difference`, `low`, `high`, `permutation_p`, and `mcnemar_p`: None unless
        all values are 0 or 1, as McNemar's test takes neither ties nor shares of runs.
    """
    a, b = np.asarray(values_a, float), np.asarray(values_b, float)
    low, high = difference_interval(a - b, clusters, seed=seed)
    binary = set(np.unique([a, b])) <= {0.0, 1.0}
    return {
        "n": len(a),
        f"{metric}_a": a.mean(),
        f"{metric}_b": b.mean(),
        "difference": a.mean() - b.mean(),
        "low": low,
        "high": high,
        "mcnemar_p": mcnemar(a, b) if binary else None,
        "permutation_p": paired_permutation(a, b, clusters, seed=seed),
    }


def holm(p_values: Sequence[float], families: Sequence[Hashable] | None = None) -> list[float]:
    """Adjust p values by Holm's method (family-wise error); they keep their order.

    Args:
        families: the family of each p value, which is corrected together; by default all are one.
    """
    p = np.asarray(p_values, float)
    adjusted = np.empty(len(p))
    members: dict[Hashable, list[int]] = {}
    for at, family in enumerate([None] * len(p) if families is None else families):
        members.setdefault(family, []).append(at)
    for places in map(np.array, members.values()):
        rising = places[np.argsort(p[places], kind="stable")]
        # The smallest counts as often as there are p values, the largest once
        scaled = p[rising] * np.arange(len(rising), 0, -1)
        adjusted[rising] = np.minimum(np.maximum.accumulate(scaled), 1)
    return adjusted.tolist()


def correct(rows: Sequence[Mapping[str, Any]], by: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return rows of comparisons with `holm_p`: their `permutation_p` after Holm's correction.

    Args:
        by: the columns whose values tell families apart; by default all rows are one family.
    """
    families = [tuple(row[column] for column in by) for row in rows]
    corrected = holm([row["permutation_p"] for row in rows], families)
    return [{**row, "holm_p": p} for row, p in zip(rows, corrected, strict=True)]


def _count_weighted(totals: np.ndarray) -> int:
    """Return how many clusters have a weight; `totals` has their values and weights."""
    return int((totals[:, 1] != 0).sum())


def _ratio(totals: np.ndarray) -> tuple[float, float]:
    """Return the ratio of the sums of two columns, with its cluster-robust standard error.

    The ratio is NaN if its denominator is 0, the error if there are fewer than two clusters.
    """
    above, below = totals.sum(axis=0)
    count = _count_weighted(totals)
    if not below:
        return float("nan"), float("nan")
    ratio = above / below
    if count < 2:
        return float(ratio), 0.0
    residuals = totals[:, 0] - ratio * totals[:, 1]
    return float(ratio), float(sqrt(count / (count - 1) * (residuals**2).sum()) / below)


def _normal(level: float) -> float:
    return -float(ndtri((1 - level) / 2))


def _student(count: int, level: float) -> float:
    """Return the quantile for an interval of the mean of `count` values; 0 for one."""
    return -float(stdtrit(count - 1, (1 - level) / 2)) if count > 1 else 0.0


def _by_cluster(values: np.ndarray, clusters: ArrayLike) -> np.ndarray:
    """Return the sum of the values in each cluster."""
    _, index = np.unique(np.asarray(clusters), return_inverse=True)
    return np.bincount(index, values)


def _exact(kinds: np.ndarray, counts: np.ndarray, observed: float) -> float | None:
    """Return the share of all sign flips whose sum is as large as the observed one.

    None if the differences are multiples of no fraction, or the flips are too many to count.

    Args:
        kinds, counts: the distinct absolute differences, and how often each occurs.
        observed: the absolute sum of the differences.
    """
    unit = 1
    for kind in kinds.tolist():
        unit = lcm(unit, Fraction(kind).limit_denominator(_FINEST).denominator)
        if unit > _FINEST:
            return None
    sizes = np.rint(kinds * unit).astype(int)
    if np.abs(kinds * unit - sizes).max() > 1e-6:
        return None
    # The distribution of the sum of what is swapped, in units: at first of nothing
    sums, steps = np.ones(1), 0
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        if size:
            steps += (len(sums) + size * count) * min(len(sums), count)
            if steps > _STEPS:
                return None
            sums = _spread(sums, size, count)
    most = len(sums) - 1
    distance = np.abs(2 * np.arange(most + 1) - most)
    return min(float(sums[distance >= round(observed * unit)].sum()), 1.0)


def _spread(sums: np.ndarray, size: int, count: int) -> np.ndarray:
    """Return the distribution of a sum to which `size` is added a Binomial(count, ½) of times."""
    shares = np.exp(
        gammaln(count + 1) - gammaln(np.arange(count + 1) + 1)
        - gammaln(count - np.arange(count + 1) + 1) - count * log(2)
    )  # fmt: skip
    found = np.zeros(len(sums) + size * count)
    if len(sums) <= count:
        for at, share in enumerate(sums.tolist()):
            found[at : at + size * count + 1 : size] += share * shares
    else:
        for times, share in enumerate(shares.tolist()):
            found[size * times : size * times + len(sums)] += share * sums
    return found
