"""What the paper says of its networks, each claim with the test that could refute it (BLM-20)."""

from collections.abc import Iterator

import numpy as np

from kasu.base.scores import cluster_bootstrap
from kasu.blm.data.problems import TYPES
from kasu.blm.evaluation.cells import NETWORKS, Cell, Cells, Key
from kasu.blm.models.predictions import ERROR_LABELS, FULL, PAPER, SAME

CLAIMS = ("paper", "claim", "test", "variant", "result", "evidence")
MOST, RARE = "N2_alter", ("coordination", "mis_num")


def judge_claims(cells: Cells, seed: int) -> list[dict]:
    """Rows of CLAIMS: what the paper says of its networks (BLM-20): holds, fails or untestable."""
    rows = []
    for variant in sorted({key.variant for key in cells}):
        mine = {key: cell for key, cell in cells.items() if key.variant == variant}
        for claim, test, difference in _claims(mine, variant):
            result, evidence = difference.judge(seed)
            named = {"paper": PAPER, "claim": claim, "test": test, "variant": variant}
            rows.append(named | {"result": result, "evidence": evidence})
    return rows


class _Difference:
    """A difference that a claim says is above zero: the mean over cells, each of equal weight."""

    def __init__(self) -> None:
        self.values, self.weights, self.clusters = [], [], []
        self.above = 0
        self.says = ""

    def add(self, values: np.ndarray, clusters: np.ndarray) -> None:
        """Add a cell: its problems' differences."""
        self.values.append(values / len(values))
        self.weights.append(np.full(len(values), 1 / len(values)))
        self.clusters.append(clusters)
        self.above += bool(values.mean() > 0)

    def judge(self, seed: int) -> tuple[str, str]:
        """Result and evidence: the interval resamples lexical seeds."""
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


_Claim = tuple[str, str, _Difference]


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
    first, *others = sorted(shares, key=lambda label: (label != MOST, -shares[label]))
    difference.says = f"{first} {shares[first]:.4f}, {others[0]} {shares[others[0]]:.4f}, "
    for cell in full:
        hits = (cell.labels == first).mean(axis=0) - (cell.labels == others[0]).mean(axis=0)
        difference.add(hits, cell.clusters)
    return difference


def _rare(cells: Cells, variant: str, model: str) -> _Difference:
    difference = _Difference()
    for cell in _full(cells, variant, model).values():
        rare = np.isin(cell.labels, RARE).mean(axis=0) / len(RARE)
        wrong = (~cell.solved).mean(axis=0) - len(RARE) * rare
        difference.add(wrong / (len(ERROR_LABELS) - len(RARE)) - rare, cell.clusters)
    return difference
