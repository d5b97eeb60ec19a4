"""Warnings of minimal sets: scores that tell no forms apart, one value, an untrained head."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from kasu.files.tables import read_parquet, read_tsv
from kasu.lm.scoring.untrained import UNTRAINED, untrained_head
from kasu.minimal_sets.evaluation.nulls import PAIR
from kasu.minimal_sets.models.predictions import SET_DROPS
from kasu.results.warnings.signs import equal_scores, few, like, one_answer, one_class
from kasu.results.warnings.table import ResultWarning

SHORTEST = "the shortest form"
_RUN = ["system", "definition", "level"]
_ITEM = ["set", "item_id"]
_OF_SCORES = ["log_probability", "scored", "vocabulary"]
_COLUMNS = [*_ITEM, *_RUN, "value", "grammatical", "characters", *_OF_SCORES]
_NAMED = 3  # sets of a line


def find_warnings(
    files: Mapping[str, Sequence[str]], *, scorers: Sequence[str]
) -> Iterator[ResultWarning]:
    """Look at the scores of each model by each definition.

    Sets with the same values are one test, since a set may ask for one value in all its items.

    Args:
        files: `predictions`, one file per system, and `drops`, one of each of `scorers`.
        scorers: the models of this run, in the order of `drops`.
    """
    tested = set()
    dropped = dict(zip(scorers, map(_dropped, files["drops"]), strict=True))
    for path in files["predictions"]:
        frame = read_parquet(path, _COLUMNS).to_pandas()
        for (system, definition, level), rows in frame.groupby(_RUN):
            if _is_untrained(rows):
                yield ResultWarning(system, UNTRAINED, definition)
            for name, judged in rows.groupby("set")["item_id"].nunique().items():
                items = judged + dropped.get(system, {}).get((name, definition), 0)
                if wrong := few(judged, items):
                    where = f"{definition}, {name}, {judged:,} of {items:,}"
                    yield ResultWarning(system, wrong, where)
            for values, items in _by_values(rows):
                sets = _named(items["sets"].tolist())
                where = f"{sets}: {', '.join(values)}, {len(items['gold']):,} items"
                # Pairs of agreement have no values of their own but `right` and `wrong`
                if values != PAIR and (values, len(items["gold"])) not in tested:
                    tested.add((values, len(items["gold"])))
                    if wrong := one_class(items["gold"]):
                        yield ResultWarning("test set", wrong, where)
                if wrong := _wrong(items):
                    yield ResultWarning(system, wrong, f"{definition} of a {level}, {where}")


def _dropped(path: str) -> dict[tuple[str, str], int]:
    """Count by set and definition the items that a model did not score."""
    counts: dict[tuple[str, str], int] = {}
    for row in read_tsv(path, SET_DROPS):
        key = row["set"], row["reason"].partition(":")[0]
        counts[key] = counts.get(key, 0) + int(row["count"])
    return counts


def _is_untrained(rows: pd.DataFrame) -> bool:
    vocabulary = rows["vocabulary"].iloc[0]
    if pd.isna(vocabulary) or rows["scored"].isna().any():
        return False
    scores, tokens = rows["log_probability"].tolist(), rows["scored"].tolist()
    return bool(untrained_head(scores, int(vocabulary), tokens))


def _named(sets: Sequence[str]) -> str:
    """Name sets, the first few of many."""
    more = f" and {len(sets) - _NAMED:,} more" if len(sets) > _NAMED else ""
    return ", ".join(sets[:_NAMED]) + more


def _by_values(rows: pd.DataFrame) -> Iterator[tuple[tuple[str, ...], dict[str, np.ndarray]]]:
    """Yield items with the same values: scores, characters (items, values), right answers, sets."""
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
                "sets": alike["set"].unique(),
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
