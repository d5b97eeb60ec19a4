"""Scores: one figure of ours per row, means over them, and names for groups of items."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import sqrt
from pathlib import Path
from typing import TypeVar, get_args

import pyarrow as pa

from kasu.files.tables import write_parquet

Figure = TypeVar("Figure")


@dataclass(frozen=True)
class Score:
    """One figure of ours.

    `paper, table, system, condition, metric` is the key of a published figure. A function makes one
    `Score` of what its rows share, and from it each row with `dataclasses.replace`; so every column
    but the first two has a default.

    Attributes:
        study: its name in config and paths.
        paper: the key of its paper in the published figures.
        table: the table of the paper, or of our own.
        system: the system, as the table names it.
        condition: the condition, as the table names it; may be empty.
        metric: the metric, as the table names it.
        value: a fraction of 1, or a plain distance or count; None where there is none to give.
        low, high: its interval at LEVEL.
        n: number of items.
        runs: number of seeds.
        variant: the variant of the study; None is the default.
        seed: None in a row over all seeds.
        note: for the reader.
        predictions: the file of predictions that the figure was taken from, or one of several of
            the same system; `write_scores` makes it relative. None where there is no such file: a
            count, a fact of the corpus, a mean of figures from several files.
    """

    study: str
    paper: str
    table: str = ""
    system: str = ""
    condition: str = ""
    metric: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    runs: int | None = None
    variant: str | None = None
    seed: int | None = None
    note: str | None = None
    predictions: str | Path | None = None


_TYPES = {str: pa.string(), float: pa.float64(), int: pa.int64()}
SCORES = pa.schema(
    # The type of `float | None` is float
    [(field.name, _TYPES[(*get_args(field.type), field.type)[0]]) for field in fields(Score)]
)
"""One `Score` per row."""

_ORDER = ("table", "system", "condition", "metric", "variant", "seed")


def write_scores(path: str | Path, scores: Iterable[Score]) -> None:
    """Write SCORES, sorted by table, system, condition, metric, variant and seed.

    Nulls come first: the default before other variants, all seeds before each. Predictions are
    named relative to the study's folder, in which the file lies, so that its bytes do not depend on
    where results lie.

    Raises:
        ValueError: a row lacks its table, system or metric.
    """
    rows = []
    for score in scores:
        row = dict(vars(score))
        if not (score.table and score.system and score.metric):
            raise ValueError(f"a score without table, system or metric: {score}")
        if score.predictions is not None:
            row["predictions"] = Path(
                os.path.relpath(score.predictions, Path(path).parent)
            ).as_posix()
        rows.append(row)
    rows.sort(key=lambda row: [(row[column] is not None, row[column]) for column in _ORDER])
    write_parquet(path, rows, SCORES)


CLAIMS = ("paper", "claim", "test", "variant", "about", "result", "evidence")
"""One claim of a paper per row: its test, whether it is judged by `ours` or by `print` alone, the
verdict of kasu.results.verdicts, and the figures: differences, clusters, p."""


def mean_score(scores: Sequence[Score]) -> Score:
    """Return the mean of independent figures, with an interval by variance recovery.

    It was taken from a file if all figures were.

    The distance from the mean to each bound is the root of the summed squares of the figures' own
    distances, divided by their number (Zou & Donner 2008, Statistics in Medicine 27). The mean has
    no value if one of the figures has none, and no interval if one of them has none.

    Args:
        scores: one or more; columns that are not averaged, such as the table, come from the first.
    """
    values = [score.value for score in scores if score.value is not None]
    empty = replace(scores[0], value=None, low=None, high=None, n=None, runs=None, predictions=None)
    if len(values) < len(scores):
        return empty
    mean = sum(values) / len(values)

    def bound(ends: Sequence[float | None], sign: int) -> float | None:
        known = [(end, value) for end, value in zip(ends, values, strict=True) if end is not None]
        if len(known) < len(values):
            return None
        return mean + sign * sqrt(sum((end - value) ** 2 for end, value in known)) / len(values)

    files = {score.predictions for score in scores}
    return replace(
        empty,
        value=mean,
        low=bound([score.low for score in scores], -1),
        high=bound([score.high for score in scores], 1),
        n=sum(score.n or 0 for score in scores),
        runs=min(score.runs or 0 for score in scores),
        note=f"mean over {len(scores)} language{'s' if len(scores) > 1 else ''}",
        predictions=scores[0].predictions if len(files) == 1 else None,
    )


def with_all_seeds(
    seeds: Mapping[int | None, Mapping[str, Figure]],
) -> Mapping[int | None, Mapping[str, Figure]]:
    """Add to the figures over all seeds those of languages that have a single seed.

    Args:
        seeds: figures of a system by seed and language; the seed None is all seeds together.
    """
    if len(seeds) == 1:
        return seeds
    single = {name: row for rows in seeds.values() for name, row in rows.items()}
    return {**seeds, None: single | dict(seeds.get(None, {}))}


def at_most(most: int, count: int) -> str:
    """Return a count, or `<most> or more`."""
    return f"{count}" if count < most else f"{most} or more"


def distance_group(words: int) -> str:
    """Return the group of a distance between two words, 1 if they are neighbours."""
    groups = ((1, "1"), (3, "2–3"), (6, "4–6"))
    return next((name for most, name in groups if words <= most), "7 or more")
