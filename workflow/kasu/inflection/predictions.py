"""The file of predictions: what a system writes for one language and setting."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, write_parquet
from kasu.inflection.data.triples import Triple

PREDICTIONS = pa.schema(
    [
        ("lemma", pa.string()),
        ("features", pa.string()),
        ("form", pa.string()),
        ("prediction", pa.string()),
        ("variant", pa.string()),
        ("seed", pa.int64()),
    ]
)
"""A row a test item, variant and seed: grouped by variant, then seed, items in the order of the
test set. `form` is the right answer. Variant and seed are null where a system has none."""

Run = tuple[str | None, int | None]
"""Variant and seed."""


def write_predictions(
    path: str | Path, test: Sequence[Triple], found: Mapping[Run, Sequence[str]]
) -> None:
    """Write what a system found for the items of a test set, a list of forms a variant and seed.

    Raises:
        KasuError: a list has not one form an item.
    """
    lemmas, forms, features = zip(*test, strict=True) if test else ((), (), ())
    tables = [PREDICTIONS.empty_table()]
    for variant, seed in sorted(found, key=_order):
        predicted = found[variant, seed]
        if len(predicted) != len(test):
            counted = f"{len(predicted)} forms of variant {variant}, seed {seed}"
            raise KasuError(path, counted, f"{len(test)}, one a test item")
        columns = (lemmas, features, forms, predicted, [variant] * len(test), [seed] * len(test))
        named = dict(zip(PREDICTIONS.names, map(list, columns), strict=True))
        tables.append(pa.table(named, PREDICTIONS))
    write_parquet(path, pa.concat_tables(tables), PREDICTIONS)


def _order(run: Run) -> tuple:
    variant, seed = run
    return variant or "", seed is not None, seed or 0


def read_predictions(path: str | Path, test: pa.Table) -> dict[Run, list[str]]:
    """Read predictions for the items of a test set, in its order.

    Args:
        test: lemma, form, features, a row an item.

    Raises:
        KasuError: the items of a variant and seed are not those of the test set: some are missing,
            too many, or in another order.
    """
    table = read_parquet(path, PREDICTIONS.names)
    found: dict[Run, list[str]] = {}
    items = max(len(test), 1)
    for start in range(0, len(table), items):
        part = table.slice(start, items)
        if not all(part[name].equals(test[name]) for name in ("lemma", "form", "features")):
            row = start + _first_difference(part, test)
            raise KasuError(f"{path}:{row + 1}", "not the next test item", "all, in their order")
        runs = {tuple(run.values()) for run in _distinct(part)}
        if len(runs) > 1 or not runs.isdisjoint(found):
            expected = f"{len(test)} rows together for each"
            raise KasuError(f"{path}:{start + 1}", "rows of a variant and seed apart", expected)
        found[runs.pop()] = part["prediction"].to_pylist()
    return found


def _distinct(part: pa.Table) -> list[dict]:
    return part.select(["variant", "seed"]).group_by(["variant", "seed"]).aggregate([]).to_pylist()


def _first_difference(part: pa.Table, test: pa.Table) -> int:
    shared = min(len(part), len(test))
    for row in range(shared):
        for name in ("lemma", "form", "features"):
            if not pc.equal(part[name][row], test[name][row]).as_py():
                return row
    return shared
