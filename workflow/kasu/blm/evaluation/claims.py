"""The paper's claims about its networks, each with a test that could refute it (BLM-20)."""

from collections.abc import Iterator

import numpy as np

from kasu.base.scores import cluster_bootstrap
from kasu.blm.evaluation.cells import NETWORKS, Cell, Cells, Key
from kasu.blm.models.predictions import ERROR_LABELS
from kasu.blm.names import FULL, PAPER, SAME, TYPES

MOST, RARE = "N2_alter", ("coordination", "mis_num")


def judge_claims(cells: Cells, seed: int) -> list[dict]:
    """Test the claims for each variant (CLAIMS): each holds, fails or is untestable."""
    rows = []
    for variant in sorted({key.variant for key in cells}):
        chosen = {key: cell for key, cell in cells.items() if key.variant == variant}
        for claim, test, difference in _claims(chosen, variant):
            result, evidence = difference.judge(seed)
            named = {"paper": PAPER, "claim": claim, "test": test, "variant": variant}
            rows.append(named | {"result": result, "evidence": evidence})
    return rows


class _Difference:
    """A difference that a claim says is above zero: the mean over cells of equal weight.

    Attributes:
        values, weights, clusters: by cell, arrays (problems,).
        above: number of cells whose difference is above zero.
        says: opening of the evidence.
    """

    def __init__(self) -> None:
        self.values: list[np.ndarray] = []
        self.weights: list[np.ndarray] = []
        self.clusters: list[np.ndarray] = []
        self.above = 0
        self.says = ""

    def add(self, values: np.ndarray, clusters: np.ndarray) -> None:
        """Add a cell, given the difference and the lexical seed of each of its problems."""
        # Dividing both by the number of problems gives each cell the weight 1
        self.values.append(values / len(values))
        self.weights.append(np.full(len(values), 1 / len(values)))
        self.clusters.append(clusters)
        self.above += bool(values.mean() > 0)

    def judge(self, seed: int) -> tuple[str, str]:
        """Return result and evidence, with an interval that resamples lexical seeds."""
        if not self.values:
            return "untestable", "a network or a regime that it takes did not run"
        values, weights, clusters = map(np.concatenate, (self.values, self.weights, self.clusters))
        low, high = cluster_bootstrap(values, clusters, weights=weights, seed=seed)
        mean = values.sum() / weights.sum()
        evidence = f"{self.says}difference {mean:+.4f} ({low:+.4f} to {high:+.4f})"
        if len(self.values) > 1:
            evidence += f", above 0 in {self.above} of {len(self.values)} cells"
        if low <= 0 <= high:
            return "untestable", f"{evidence}: within chance"
        return ("holds" if mean > 0 else "fails"), evidence


_Claim = tuple[str, str, _Difference]  # the claim, its test, what the test measures


def _claims(cells: Cells, variant: str) -> Iterator[_Claim]:
    yield (
        "The FFNN does better than the CNN on all training data (§3.2)",
        "mean difference of F1 over the nine pairs of training and test type",
        _between_networks(cells, variant),
    )
    for model in NETWORKS:
        for kind in TYPES[1:]:
            yield (
                f"With as few problems as type I has, the {model} collapses on {kind} (§3.2)",
                "F1 with all training data minus F1 with few, same type, same test problems",
                _collapse(cells, Key(variant, FULL, kind, kind, model)),
            )
    for model in NETWORKS:
        yield (
            f"Most errors of the {model} are {MOST} (§3.2)",
            "its share minus that of the next label, mean over the nine pairs, all training data",
            _most(cells, variant, model),
        )
        yield (
            f"{' and '.join(RARE)} are rare errors of the {model} (§3.2)",
            "mean share of the other three labels minus that of the two, over the nine pairs",
            _rare(cells, variant, model),
        )


def _full(cells: Cells, variant: str, model: str) -> dict[Key, Cell]:
    """Select the cells of a model trained on all data."""
    wanted = (variant, FULL, model)
    return {key: c for key, c in cells.items() if (key.variant, key.regime, key.model) == wanted}


def _between_networks(cells: Cells, variant: str) -> _Difference:
    difference = _Difference()
    for key, cell in _full(cells, variant, "FFNN").items():
        if other := cells.get(key._replace(model="CNN")):
            values = cell.solved.mean(axis=0) - other.solved.mean(axis=0)
            difference.add(values, cell.clusters)
    return difference


def _collapse(cells: Cells, key: Key) -> _Difference:
    difference = _Difference()
    """Compare training on all problems with training on as many as type I has."""
    many, few = cells.get(key), cells.get(key._replace(regime=SAME))
    if many and few:
        difference.says = f"{many.solved.mean():.4f} with all, {few.solved.mean():.4f} with few, "
        values = many.solved.mean(axis=0) - few.solved.mean(axis=0)
        difference.add(values, many.clusters)
    return difference


def _most(cells: Cells, variant: str, model: str) -> _Difference:
    difference, full = _Difference(), _full(cells, variant, model).values()
    if not full:
        return difference
    shares = {label: np.mean([(c.labels == label).mean() for c in full]) for label in ERROR_LABELS}
    # The label that the claim names against the most frequent of the others
    first, second, *_ = sorted(shares, key=lambda label: (label != MOST, -shares[label]))
    difference.says = f"{first} {shares[first]:.4f}, {second} {shares[second]:.4f}, "
    for cell in full:
        values = (cell.labels == first).mean(axis=0) - (cell.labels == second).mean(axis=0)
        difference.add(values, cell.clusters)
    return difference


def _rare(cells: Cells, variant: str, model: str) -> _Difference:
    difference = _Difference()
    for cell in _full(cells, variant, model).values():
        # Mean share of a label: of the rare ones, and of the others
        rare = np.isin(cell.labels, RARE).mean(axis=0) / len(RARE)
        rest = (~cell.solved).mean(axis=0) - len(RARE) * rare
        difference.add(rest / (len(ERROR_LABELS) - len(RARE)) - rare, cell.clusters)
    return difference
