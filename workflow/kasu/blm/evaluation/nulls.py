"""Table 1 with the nulls beside networks and print: one row per network and cell."""

from pathlib import Path

from kasu.blm.data.names import NULLS
from kasu.blm.evaluation.experiments import NETWORKS
from kasu.files.tables import write_tsv
from kasu.results.comparison import headline, read_comparison

BESIDE_NULLS = (
    "regime", "train", "test", "variant", "system", "published", "ours", "low", "high", "n",
    *NULLS, "best_null", "above_best",
)  # fmt: skip
"""F1 over all runs. `best_null` names the best of the nulls of the cell, `above_best` is ours minus
its F1: a network that equals print and is not above the best null has not shown the rule."""


def tabulate_nulls(table_1: str | Path, nulls: str | Path) -> None:
    """Write BESIDE_NULLS.

    Args:
        table_1: ours next to Table 1, written from `kasu.results.comparison.beside`.
    """
    ours = [row for row in headline(read_comparison(table_1)) if row.metric == "f1_mean"]
    by_null = {(row.condition, row.variant, row.system): row.ours for row in ours}
    rows = []
    for row in ours:
        if row.system not in NETWORKS or row.ours is None:
            continue
        values = {null: by_null.get((row.condition, row.variant, null)) for null in NULLS}
        scored = {null: value for null, value in values.items() if value is not None}
        best = max(scored, key=lambda null: scored[null], default=None)
        regime, *types = row.condition.split("|")
        rows.append(
            dict(zip(("train", "test"), (each.partition("=")[2] for each in types), strict=True))
            | {"regime": regime, "best_null": best, **values}
            | {"above_best": None if best is None else row.ours - scored[best]}
            | {"n": None if row.n is None else int(row.n)}
            | {
                name: getattr(row, name)
                for name in ("variant", "system", "published", "ours", "low", "high")
            }
        )
    write_tsv(nulls, rows, BESIDE_NULLS)
