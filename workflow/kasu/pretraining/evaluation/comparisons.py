"""Paired comparisons of systems, on the pairs that all compared systems keep (S-14)."""

import itertools
from collections.abc import Hashable, Iterator, Mapping
from typing import TypeVar

import numpy as np

from kasu.pretraining.data.names import TWIN
from kasu.pretraining.evaluation.cells import Cell, Cells, Key
from kasu.results.scores import compare_paired, holm

COMPARISONS = (
    "comparison", "condition", "a", "b", "variant", "n", "accuracy_a", "accuracy_b", "difference",
    "low", "high", "mcnemar_p", "permutation_p", "holm_p",
)  # fmt: skip
SYSTEMS, TWINS = "systems", "twins"
K = TypeVar("K", bound=Hashable)


def common_kept(cells: Mapping[K, Cell]) -> Iterator[tuple[K, Cell, np.ndarray]]:
    """Yield every cell with a mask (pairs) of the pairs that all models in `cells` keep.

    Pairs are matched by `item_id`; a pair that one of the sets lacks is not kept. Nulls are scored
    on the same pairs without restricting them, unless there are only nulls.
    """
    models = [cell for cell in cells.values() if not cell.null] or list(cells.values())
    kept = [set(cell.pairs["item_id"][cell.kept.all(axis=0)]) for cell in models]
    present = [set(cell.pairs["item_id"]) for cell in cells.values()]
    common = set.intersection(*kept, *present) if cells else set()
    for key, cell in cells.items():
        yield key, cell, np.array([item in common for item in cell.pairs["item_id"]], bool)


def paired_values(a: Cell, b: Cell) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Share of runs that solve each pair, for A and for B, and the clusters: each (pairs).

    Over the pairs that both keep, in the order of A.
    """
    (_, _, mask_a), (_, _, mask_b) = common_kept({"a": a, "b": b})
    items_a, items_b = a.pairs["item_id"][mask_a], b.pairs["item_id"][mask_b]
    place_in_b = {item: place for place, item in enumerate(items_b)}
    order = [place_in_b[item] for item in items_a]
    values_b = b.solved[:, mask_b].mean(axis=0)[order]
    return a.solved[:, mask_a].mean(axis=0), values_b, a.pairs["source_id"][mask_a]


def compare(cells: Cells, seed: int) -> list[dict]:
    """Rows of COMPARISONS: all pairs of systems at their last epoch; twins at every epoch.

    Item ids of different sets are unrelated, so systems are compared within one set. The
    permutation test swaps near copies together. Holm's correction is over the systems of one set,
    and over all twins.
    """
    variants = dict.fromkeys(key.variant for key in cells)
    families = [_compare_systems(cells, variant, seed) for variant in variants]
    rows = []
    for family in map(list, [*families, _compare_twins(cells, seed)]):
        corrected = holm([row["permutation_p"] for row in family])
        rows += [row | {"holm_p": p} for row, p in zip(family, corrected, strict=True)]
    return rows


def _compare_systems(cells: Cells, variant: str, seed: int) -> Iterator[dict]:
    last: dict[str, Key] = {}
    for key in cells:
        if key.variant == variant and not key.reordered and not key.system.endswith(TWIN):
            last[key.system] = key
    for a, b in itertools.combinations(last.values(), 2):
        # Comparing two nulls says nothing of a model
        if not (cells[a].null and cells[b].null):
            yield from _row(SYSTEMS, cells, a, b, seed)


def _compare_twins(cells: Cells, seed: int) -> Iterator[dict]:
    for key, cell in cells.items():
        base = key._replace(system=key.system.removesuffix(TWIN), variant="")
        if key.system.endswith(TWIN) and not (key.reordered or cell.null) and base in cells:
            yield from _row(TWINS, cells, key, base, seed)


def _row(kind: str, cells: Cells, a: Key, b: Key, seed: int) -> Iterator[dict]:
    values_a, values_b, clusters = paired_values(cells[a], cells[b])
    if len(values_a):
        compared = compare_paired(values_a, values_b, clusters, metric="accuracy", seed=seed)
        condition = "all" if kind == SYSTEMS else a.condition
        what = {"comparison": kind, "condition": condition, "variant": a.variant}
        yield what | {"a": a.system, "b": b.system} | compared
