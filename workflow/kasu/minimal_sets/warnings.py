"""Warnings of the minimal sets study: scores that tell no forms apart, one value for all items."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from kasu.files.tables import read_parquet
from kasu.results.warnings.signs import equal_scores, like, one_answer, one_class
from kasu.results.warnings.table import ResultWarning

SHORTEST = "the shortest form"
_RUN = ["system", "definition", "level"]
_ITEM = ["set", "item_id"]
_COLUMNS = [*_ITEM, *_RUN, "value", "grammatical", "characters", "log_probability"]


def find_warnings(files: Mapping[str, Sequence[str]]) -> Iterator[ResultWarning]:
    """Look at the scores of each model by each definition.

    Sets with the same values are one test, since a set may ask for one value in all its items.

    Args:
        files: `predictions`, one file per model.
    """
    tested = set()
    for path in files["predictions"]:
        frame = read_parquet(path, _COLUMNS).to_pandas()
        for (system, definition, level), rows in frame.groupby(_RUN):
            for values, items in _by_values(rows):
                where = f"{', '.join(values)}, {len(items['gold']):,} items"
                if (values, len(items["gold"])) not in tested:
                    tested.add((values, len(items["gold"])))
                    if wrong := one_class(items["gold"]):
                        yield ResultWarning("test set", wrong, where)
                if wrong := _wrong(items):
                    yield ResultWarning(system, wrong, f"{definition} of a {level}, {where}")


def _by_values(rows: pd.DataFrame) -> Iterator[tuple[tuple[str, ...], dict[str, np.ndarray]]]:
    """Yield items with the same values: scores and characters (items, values), right answers."""
    rows = rows.sort_values([*_ITEM, "value"])
    values = rows.groupby(_ITEM)["value"].transform("|".join)
    for _, alike in rows.groupby(values):
        names = tuple(alike["value"].unique())
        shape = (-1, len(names))
        yield (
            names,
            {
                "scores": alike["log_probability"].to_numpy(float).reshape(shape),
                "characters": alike["characters"].to_numpy().reshape(shape),
                "values": np.array(names),
                "gold": alike["value"].to_numpy()[alike["grammatical"].to_numpy(bool)],
            },
        )


def _wrong(items: Mapping[str, np.ndarray]) -> str | None:
    """Return what is wrong with the scores of a model."""
    scores = items["scores"]
    if wrong := equal_scores(scores):
        return wrong
    chosen = items["values"][np.nan_to_num(scores, nan=-np.inf).argmax(axis=1)]
    shortest = items["values"][items["characters"].argmin(axis=1)]
    return one_answer(chosen, items["gold"]) or like(chosen, shortest, items["gold"], SHORTEST)
