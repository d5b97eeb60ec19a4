"""Accuracy and F1 over the amount of text that networks were trained on."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kasu.agreement.evaluation.rows import TRAINED_ON
from kasu.files.tables import read_counts, write_tsv
from kasu.results.comparison import SEEDS, headline, read_comparison

CURVE = (
    "system", "condition", "of", "metric", "variant", "training_set", "corpus", "sentences",
    "words", "ours", "low", "high", *SEEDS, "n", "runs", "published",
)  # fmt: skip
"""One figure of one training set. `of` is the argument or the suffix; `corpus` is what the set was
drawn from; `published` is the figure of the paper's networks, trained on 935,730 sentences."""


def tabulate_curve(
    tables: Sequence[str | Path],
    counts: Mapping[str, str | Path],
    sources: Mapping[str, str],
    out: str | Path,
) -> None:
    """Write the figures of all training sets (CURVE), by figure and then by number of words.

    Args:
        tables: of ours beside published, with the rows of training sets among others.
        counts: the sentences and words of each training set.
        sources: the corpus that each was drawn from.
    """
    sizes = {name: read_counts(path) for name, path in counts.items()}
    found = [row for table in tables for row in _rows(table, sizes, sources)]
    # The figures of a curve stand together, curves in the order of their tables
    places: dict[tuple, int] = {}
    for row in found:
        places.setdefault(_curve_of(row), len(places))
    write_tsv(out, sorted(found, key=lambda row: (places[_curve_of(row)], row["words"])), CURVE)


def _curve_of(row: Mapping[str, Any]) -> tuple:
    """Return the values that identify the curve of a row."""
    return tuple(row[column] for column in CURVE[:5])


def _rows(
    table: str | Path, sizes: Mapping[str, Mapping[str, int]], sources: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table whose networks were trained on a training set (CURVE)."""
    rows = read_comparison(table)
    published = {
        (row.system, row.condition, row.metric): row.published
        for row in rows
        if row.published is not None
    }
    for row in headline(rows):
        title, _, of = row.condition.partition("|")
        shown, _, name = title.partition(TRAINED_ON)
        if name:
            yield {
                **{column: getattr(row, column) for column in CURVE if hasattr(row, column)},
                "condition": shown,
                "of": of,
                "training_set": name,
                "corpus": sources[name],
                **sizes[name],
                **{count: int(getattr(row, count) or 0) for count in ("n", "runs")},
                "published": published.get((row.system, f"{shown}|{of}", row.metric)),
            }
