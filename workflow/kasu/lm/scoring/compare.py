"""Models on the same items: paired differences, and the items on which verdicts flip.

A system is a model with a definition. Two are compared if they share either; two models without a
definition in common, as a masked and a causal one, by the first definition of each.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from kasu.lm.scoring.clusters import SEED, Clusters, independent
from kasu.results.statistics import compare_paired, holm

MCNEMAR, PERMUTATION = "mcnemar", "permutation"


class System(NamedTuple):
    """A model, and the definition that it was scored by."""

    model: str
    definition: str

    def __str__(self) -> str:
        return f"{self.model}, {self.definition}"


class Verdicts(NamedTuple):
    """What the items are worth to a system, by their names; those that it judges.

    groups: the group of every item, judged or not; empty if all are of one.
    clusters: the cluster of every item, judged or not.
    """

    worths: Mapping[str, float]
    groups: Mapping[str, str]
    clusters: Clusters


class Comparison(NamedTuple):
    """The difference between two systems on the items that both judge.

    group: None for all items.
    only_a, only_b: how many items are worth more to one of them.
    test: MCNEMAR, exact; PERMUTATION, of whole clusters, if an item is a tie or two share one.
    holm_p: corrected over all comparisons of all items, or over those of all groups.
    cluster: the column of what items share, as their lemma; None if no two of the file do.
    clusters: how many clusters both judge; None likewise.
    """

    a: System
    b: System
    group: str | None
    items: int
    accuracy_a: float
    accuracy_b: float
    difference: float
    low: float
    high: float
    only_a: int
    only_b: int
    test: str
    p: float
    holm_p: float
    cluster: str | None = None
    clusters: int | None = None


def paired(systems: Sequence[System]) -> Iterator[tuple[System, System]]:
    """Yield the systems that are compared."""
    first = {system.model: system for system in reversed(systems)}
    definitions = {name: {s.definition for s in systems if s.model == name} for name in first}
    for a, b in combinations(systems, 2):
        apart = definitions[a.model].isdisjoint(definitions[b.model])
        if (
            a.model == b.model
            or a.definition == b.definition
            or (apart and a == first[a.model] and b == first[b.model])
        ):
            yield a, b


def compare(verdicts: Mapping[System, Verdicts]) -> list[Comparison]:
    """Compare systems over all items, and then in each group of two or more common items."""
    found = []
    groups = dict.fromkeys(group for each in verdicts.values() for group in each.groups.values())
    for group in (None, *groups):
        for a, b in paired([*verdicts]):
            mine, theirs = verdicts[a], verdicts[b]
            common = [
                item
                for item in mine.worths
                if item in theirs.worths and group in (None, mine.groups.get(item))
            ]
            if len(common) > 1:
                found.append(_compare(a, b, group, mine, theirs, common))
    families = [each.group is None for each in found]
    corrected = holm([each.p for each in found], families)
    return [each._replace(holm_p=p) for each, p in zip(found, corrected, strict=True)]


def _compare(
    a: System,
    b: System,
    group: str | None,
    mine: Verdicts,
    theirs: Verdicts,
    common: Sequence[str],
) -> Comparison:
    of_a, of_b = (np.array([each.worths[item] for item in common]) for each in (mine, theirs))
    clusters = [mine.clusters.of[item] for item in common]
    both = compare_paired(of_a, of_b, clusters, metric="accuracy", seed=SEED)
    exact = both["mcnemar_p"] is not None and independent(clusters)
    numbers = {name: float(both[name] or 0.0) for name in Comparison._fields if name in both}
    p = float(both["mcnemar_p" if exact else "permutation_p"] or 0.0)
    return Comparison(
        a, b, group, len(common), **numbers, only_a=int((of_a > of_b).sum()),
        only_b=int((of_b > of_a).sum()), test=MCNEMAR if exact else PERMUTATION, p=p, holm_p=p,
        cluster=mine.clusters.shared, clusters=len({*clusters}) if mine.clusters.shared else None,
    )  # fmt: skip


def flips(verdicts: Mapping[System, Verdicts]) -> Iterator[tuple[str, str, list[float | None]]]:
    """Yield the items on which systems differ: name, group, what it is worth to each system.

    None where a system does not judge it.
    """
    items = dict.fromkeys(item for each in verdicts.values() for item in each.worths)
    for item in items:
        worths = [each.worths.get(item) for each in verdicts.values()]
        if len({worth for worth in worths if worth is not None}) > 1:
            groups = next(iter(verdicts.values())).groups
            yield item, groups.get(item, ""), worths
