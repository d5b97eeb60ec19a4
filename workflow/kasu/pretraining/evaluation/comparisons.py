"""Paired comparisons of systems, on the pairs that all compared systems keep (S-14)."""

import itertools
from collections.abc import Hashable, Iterator, Mapping
from typing import TypeVar

import numpy as np

from kasu.pretraining.data.names import TWIN
from kasu.pretraining.evaluation.pair_results import CheckpointOnPairs, Checkpoints, PairResults
from kasu.results.statistics import compare_paired, correct

COMPARISONS = (
    "comparison", "condition", "a", "b", "variant", "n", "accuracy_a", "accuracy_b", "difference",
    "low", "high", "mcnemar_p", "permutation_p", "holm_p",
)  # fmt: skip
SYSTEMS, TWINS = "systems", "twins"
K = TypeVar("K", bound=Hashable)


def common_kept(
    checkpoints: Mapping[K, PairResults],
) -> Iterator[tuple[K, PairResults, np.ndarray]]:
    """Yield each of the results with a mask (pairs) of the pairs that all models keep.

    Pairs are matched by `item_id`; a pair that one of the sets lacks is not kept. Nulls are scored
    on the same pairs, but what they keep counts only if there is no model.
    """
    models = [results for results in checkpoints.values() if not results.null] or list(
        checkpoints.values()
    )
    kept = [set(results.pairs["item_id"][results.kept.all(axis=0)]) for results in models]
    present = [set(results.pairs["item_id"]) for results in checkpoints.values()]
    common = set.intersection(*kept, *present) if checkpoints else set()
    for key, results in checkpoints.items():
        yield key, results, np.array([item in common for item in results.pairs["item_id"]], bool)


def paired_values(a: PairResults, b: PairResults) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the share of runs that solve each pair, for A and B, and the clusters: all (pairs).

    Over the pairs that both keep, in the order of A.
    """
    (_, _, mask_a), (_, _, mask_b) = common_kept({"a": a, "b": b})
    items_a, items_b = a.pairs["item_id"][mask_a], b.pairs["item_id"][mask_b]
    # The two may have the pairs in different orders
    place_in_b = {item: place for place, item in enumerate(items_b)}
    order = [place_in_b[item] for item in items_a]
    values_b = b.solved[:, mask_b].mean(axis=0)[order]
    return a.solved[:, mask_a].mean(axis=0), values_b, a.pairs["source_id"][mask_a]


def compare(checkpoints: Checkpoints, seed: int) -> list[dict]:
    """Return rows of COMPARISONS: all pairs of systems at their last epoch; twins at every epoch.

    Item ids of different sets are unrelated, so systems are compared within one set. The
    permutation test swaps near copies together. Holm's correction is over the systems of one set,
    and over all twins.
    """
    variants = dict.fromkeys(key.variant for key in checkpoints)
    systems = [row for each in variants for row in _compare_systems(checkpoints, each, seed)]
    return [*correct(systems, by=("variant",)), *correct([*_compare_twins(checkpoints, seed)])]


def _compare_systems(checkpoints: Checkpoints, variant: str, seed: int) -> Iterator[dict]:
    last: dict[str, CheckpointOnPairs] = {}
    for key in checkpoints:
        if key.variant == variant and not key.reordered and not key.system.endswith(TWIN):
            last[key.system] = key
    for a, b in itertools.combinations(last.values(), 2):
        # Comparing two nulls says nothing of a model
        if not (checkpoints[a].null and checkpoints[b].null):
            yield from _row(SYSTEMS, checkpoints, a, b, seed)


def _compare_twins(checkpoints: Checkpoints, seed: int) -> Iterator[dict]:
    for key, results in checkpoints.items():
        base = key._replace(system=key.system.removesuffix(TWIN), variant="")
        if (
            key.system.endswith(TWIN)
            and not (key.reordered or results.null)
            and base in checkpoints
        ):
            yield from _row(TWINS, checkpoints, key, base, seed)


def _row(
    kind: str, checkpoints: Checkpoints, a: CheckpointOnPairs, b: CheckpointOnPairs, seed: int
) -> Iterator[dict]:
    values_a, values_b, clusters = paired_values(checkpoints[a], checkpoints[b])
    if len(values_a):
        compared = compare_paired(values_a, values_b, clusters, metric="accuracy", seed=seed)
        condition = "all" if kind == SYSTEMS else a.condition
        what = {"comparison": kind, "condition": condition, "variant": a.variant}
        yield what | {"a": a.system, "b": b.system} | compared
