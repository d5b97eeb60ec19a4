"""Power: the smallest difference between two models that a benchmark can show."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from kasu.audits.data.findings import POWER, Finding
from kasu.audits.data.items import Benchmark
from kasu.results.differences import POWER as DETECTED
from kasu.results.statistics import smallest_effect

DISCORDANT = 0.1
"""Twice the share of items that the worse model alone has right: as of two good models."""
WEAK = 0.2  # a benchmark that shows no smaller difference than this has too few items


def check_power(benchmark: Benchmark) -> Iterator[Finding]:
    """Yield a finding over all items, and one for each phenomenon."""
    everything = np.ones(len(benchmark), bool)
    shown = cache(lambda count: smallest_effect(count, DISCORDANT, power=DETECTED))
    for group, members in [(None, everything), *benchmark.groups.items()]:
        clusters = benchmark.clusters[members]
        count = independent_items(clusters)
        share = shown(count)
        says = []
        if count < len(clusters):
            number = len(np.unique(clusters))
            says.append(f"{number} clusters, worth {count} independent items")
        weak = share is None or share > WEAK
        if weak:
            says.append("too few items")
        else:
            says.append(f"if the worse model alone is right in {100 * DISCORDANT / 2:.0f} %")
        yield Finding(
            POWER, "smallest difference of two models", len(clusters), group, share=share,
            says="; ".join(says), flaw=weak,
        )  # fmt: skip


def independent_items(clusters: np.ndarray) -> int:
    """Return how many independent items the clusters are worth if those of one are all alike.

    The square of the sum of their sizes, divided by the sum of their squares (Kish 1965).
    """
    sizes = np.unique(clusters, return_counts=True)[1]
    return int(sizes.sum() ** 2 / (sizes**2).sum())
