"""Paired comparisons of systems, on the pairs that all of those compared keep (S-14)."""

import itertools
from collections.abc import Iterator, Mapping

import numpy as np

from kasu.base.scores import compare_paired, holm
from kasu.pretraining.evaluation.cells import TWIN, Cell, Cells, Key

COMPARISONS = (
    "comparison", "condition", "a", "b", "variant", "n", "accuracy_a", "accuracy_b", "difference",
    "low", "high", "mcnemar_p", "permutation_p", "holm_p",
)  # fmt: skip
SYSTEMS, TWINS = "systems", "twins"


def common_kept(cells: Mapping[Key, Cell]) -> Iterator[tuple[Key, Cell, np.ndarray]]:
    """Every cell with the mask of its pairs (pairs) that all models in `cells` keep.

    Pairs go by `item_id`; those that a set lacks are kept by nobody. Nulls are decided on the same
    pairs but have no say in which, unless there are only nulls.
    """
    voters = [cell for cell in cells.values() if not cell.null] or list(cells.values())
    common: set[str] | None = None
    for cell in voters:
        kept = set(cell.pairs["item_id"][cell.kept.all(axis=0)])
        common = kept if common is None else common & kept
    held = [set(cell.pairs["item_id"]) for cell in cells.values()]
    common = (common or set()).intersection(*held)
    for key, cell in cells.items():
        yield key, cell, np.array([item in common for item in cell.pairs["item_id"]], bool)


def paired_values(a: Cell, b: Cell) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shares of runs that solved each pair that both keep, for A and B, and the clusters: (pairs).

    Both are in the order of A's items.
    """
    (_, _, of_a), (_, _, of_b) = common_kept({"a": a, "b": b})
    names_a, names_b = a.pairs["item_id"][of_a], b.pairs["item_id"][of_b]
    place = {name: at for at, name in enumerate(names_b)}
    order = [place[name] for name in names_a]
    values_b = b.solved[:, of_b].mean(axis=0)[order]
    return a.solved[:, of_a].mean(axis=0), values_b, a.pairs["source_id"][of_a]


def compare(cells: Cells, seed: int) -> list[dict]:
    """Rows of COMPARISONS: every two systems at their last epoch; twins at every epoch.

    Items go by name, and names of two sets of pairs have nothing to do with each other: systems
    are compared on one set. The permutation test swaps two systems by near copies together; Holm's
    correction is over the systems of one set, and over all twins.
    """
    variants = dict.fromkeys(key.variant for key in cells)
    families = [_compare_systems(cells, variant, seed) for variant in variants]
    rows = []
    for family in map(list, [*families, _compare_twins(cells, seed)]):
        corrected = holm([row["permutation_p"] for row in family])
        rows += [row | {"holm_p": p} for row, p in zip(family, corrected, strict=True)]
    return rows


def _compare_systems(cells: Cells, variant: str, seed: int) -> Iterator[dict]:
    last = {}
    for key in cells:
        if key.variant == variant and not key.reordered and not key.system.endswith(TWIN):
            last[key.system] = key
    for a, b in itertools.combinations(last.values(), 2):
        if not (cells[a].null and cells[b].null):
            yield from _row(SYSTEMS, cells, a, b, seed)


def _compare_twins(cells: Cells, seed: int) -> Iterator[dict]:
    for key in cells:
        base = key._replace(system=key.system.removesuffix(TWIN), variant="")
        if key.system.endswith(TWIN) and not key.reordered and base in cells:
            yield from _row(TWINS, cells, key, base, seed)


def _row(kind: str, cells: Cells, a: Key, b: Key, seed: int) -> Iterator[dict]:
    values_a, values_b, clusters = paired_values(cells[a], cells[b])
    if len(values_a):
        compared = compare_paired(values_a, values_b, clusters, metric="accuracy", seed=seed)
        condition = "all" if kind == SYSTEMS else a.condition
        named = {"comparison": kind, "condition": condition, "variant": a.variant}
        yield named | {"a": a.system, "b": b.system} | compared
