"""How often a model scores the right sentence or form of an item higher than the wrong ones."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.lm.scoring.clusters import COLUMNS as OF_CLUSTERS
from kasu.lm.scoring.clusters import interval, read_clusters, shown_columns
from kasu.lm.scoring.compare import System, Verdicts
from kasu.lm.scoring.items import (
    FORM,
    GRAMMATICAL,
    PAIRS,
    Row,
    cell_text,
    item_name,
    read_rows,
)
from kasu.results.statistics import tied, worth

PHENOMENON = "phenomenon"
UNTRAINED = " (untrained)"  # after the definition
ALL = "all"  # printed for the whole file
_LINE = re.compile(r"[\t\r\n]")  # would break the printed table
COLUMNS = (
    "definition", "group", "items", "not_judged", "unknown", "ties", "accuracy", "low", "high",
    *OF_CLUSTERS,
)  # fmt: skip


class Accuracy(NamedTuple):
    """The accuracy on some items, and its 95 % interval (`kasu.lm.scoring.clusters.interval`).

    It is None if no item was judged.

    group: the value of a column that its items share; None for all items.
    items: those that were judged.
    why_not: how many were not, by reason.
    unknown: scored items, judged or not, with a token for text that the tokenizer does not know.
    ties: judged items whose right text shares the highest score (`kasu.results.statistics.worth`).
    cluster: the column of what items share, as their lemma; None if no two of the file do.
    clusters: how many clusters were judged; None likewise.
    """

    definition: str
    group: str | None
    items: int
    why_not: Mapping[str, int]
    unknown: int
    ties: int
    accuracy: float | None
    low: float | None
    high: float | None
    cluster: str | None = None
    clusters: int | None = None

    @property
    def not_judged(self) -> int:
        """How many items were not judged."""
        return sum(self.why_not.values())


class _Judged(NamedTuple):
    """An item: what it is worth, or why it was not judged."""

    worth: float | None
    why_not: str
    unknown: bool
    group: str = ""
    cluster: str = ""


_Scored = Mapping[str, tuple[float, int]]
"""Column of an item -> log probability and number of unknown tokens."""


def accuracies(
    items: str | Path, scores: pa.Table, by: str | None = None, cluster: str | None = None
) -> Iterator[Accuracy]:
    """Yield the accuracies of each definition, by the rule of `kasu.results.statistics.worth`.

    First all items, then each group, if a column has several values; an item without a value is
    in the group of the empty one. Every item of the file counts, as judged or as not.

    Args:
        items: the file that was scored.
        scores: its SCORES.
        by: the column; by default PHENOMENON, if there is one.
        cluster: the column of what items share, as `kasu.lm.scoring.clusters.read_clusters` takes
            it.
    """
    rows = read_rows(items)
    clusters = read_clusters(items, rows, cluster)
    for definition, judged in _judge_all(rows, scores, by, clusters.of).items():
        groups: dict[str, list[_Judged]] = {}
        for item in judged.values():
            groups.setdefault(item.group, []).append(item)
        yield _accuracy(definition, None, [*judged.values()], clusters.shared)
        if len(groups) > 1:
            for group, members in groups.items():
                yield _accuracy(definition, group, members, clusters.shared)


def verdicts(
    items: str | Path,
    scores: pa.Table,
    model: str,
    by: str | None = None,
    cluster: str | None = None,
) -> dict[System, Verdicts]:
    """Return what each item is worth to a model by each definition; see `accuracies`."""
    rows = read_rows(items)
    clusters = read_clusters(items, rows, cluster)
    found = {}
    for definition, judged in _judge_all(rows, scores, by, clusters.of).items():
        worths = {name: item.worth for name, item in judged.items() if item.worth is not None}
        groups = {name: item.group for name, item in judged.items()}
        several = len(set(groups.values())) > 1
        found[System(model, definition)] = Verdicts(worths, groups if several else {}, clusters)
    return found


def _judge_all(
    rows: Sequence[Row], scores: pa.Table, by: str | None, clusters: Mapping[str, str]
) -> dict[str, dict[str, _Judged]]:
    """Judge every item by each definition."""
    items = {item_name(row, n): row for n, row in enumerate(rows, 1)}
    return {
        definition: {
            name: _judge(row, scored.get(name, {}))._replace(
                group=cell_text(row, by or PHENOMENON), cluster=clusters[name]
            )
            for name, row in items.items()
        }
        for definition, scored in _by_definition(scores).items()
    }


def _judge(row: Mapping[str, object], scored: _Scored) -> _Judged:
    right, wrong = right_and_wrong(row, scored)
    unknown = any(count for _, count in scored.values())
    if right is not None and wrong:
        values = [scored[column][0] for column in (right, *wrong)]
        return _Judged(float(worth([values], 0)[0]), "", unknown)
    if not scored:
        return _Judged(None, "left out of the scores", unknown)
    if len(scored) == 1:
        return _Judged(None, f"only {next(iter(scored))} was scored", unknown)
    if all(column.startswith(FORM) for column in scored):
        if GRAMMATICAL not in row:
            return _Judged(None, f"no column {GRAMMATICAL}", unknown)
        return _Judged(None, f"{GRAMMATICAL} names none of the scored forms", unknown)
    return _Judged(None, "no scored text is known to be the right one", unknown)


def _accuracy(
    definition: str, group: str | None, members: Sequence[_Judged], cluster: str | None
) -> Accuracy:
    judged = [(item.worth, item.cluster) for item in members if item.worth is not None]
    worths = [worth for worth, _ in judged]
    clusters = [name for _, name in judged]
    why_not = Counter(item.why_not for item in members if item.worth is None)
    unknown = sum(item.unknown for item in members)
    n = len(worths)
    low, high = interval(worths, clusters) if n else (None, None)
    return Accuracy(
        definition, group, n, why_not, unknown, int(tied(worths).sum()),
        sum(worths) / n if n else None, low, high,
        cluster, len({*clusters}) if cluster else None,
    )  # fmt: skip


def right_and_wrong(
    row: Mapping[str, object], scored: Iterable[str]
) -> tuple[str | None, list[str]]:
    """Return the right column of an item, None if it has none, and the wrong columns."""
    for right, wrong in PAIRS.items():
        if {right, wrong} <= {*scored}:
            return right, [wrong]
    right = f"{FORM}{row.get(GRAMMATICAL)}"
    return (right if right in scored else None), [each for each in scored if each != right]


def expect_column(items: str | Path, column: str) -> None:
    """Check that every item of a file has a column.

    Raises:
        KasuError: one has not, or the file cannot be read.
    """
    for number, row in enumerate(read_rows(items), 1):
        if column not in row:
            where = f"{items}: item {item_name(row, number)}"
            raise KasuError(where, f"no column {column!r}", ", ".join(row))


def _by_definition(scores: pa.Table) -> dict[str, dict[str, dict[str, tuple[float, int]]]]:
    """Group scores by definition (with a note if the model is untrained), then by item."""
    names = ["definition", "untrained", "item_id", "column", "log_probability", "unknown"]
    found: dict[str, dict[str, dict[str, tuple[float, int]]]] = {}
    for definition, untrained, item, column, *values in zip(
        *(scores[name].to_pylist() for name in names), strict=True
    ):
        name = f"{definition}{UNTRAINED}" if untrained else definition
        found.setdefault(name, {}).setdefault(item, {})[column] = tuple(values)
    return found


def accuracy_lines(rows: Iterable[Accuracy]) -> Iterator[str]:
    """Yield a tab-separated table of accuracies in per cent, with a header unless it is empty.

    A tab or the end of a line in the name of a group or column becomes a blank.
    """
    rows = [*rows]
    if rows:
        yield "\t".join(shown_columns(COLUMNS, rows))
    for row in rows:
        of = (row.accuracy, row.low, row.high)
        shares = ("" if share is None else f"{100 * share:.1f}" for share in of)
        counts = (row.items, row.not_judged, row.unknown, row.ties)
        group = ALL if row.group is None else _LINE.sub(" ", row.group)
        clusters = [_LINE.sub(" ", row.cluster), str(row.clusters)] if row.cluster else []
        yield "\t".join([row.definition, group, *map(str, counts), *shares, *clusters])


def accuracy_objects(rows: Iterable[Accuracy]) -> Iterator[str]:
    """Yield a JSON object for each row, with shares of 1 and the reasons of what is not judged.

    The group of all items is null.
    """
    for row in rows:
        found = {name: getattr(row, name) for name in shown_columns(COLUMNS, [row])}
        found |= {"why_not": row.why_not}
        yield json.dumps(found, ensure_ascii=False)


def remarks(rows: Iterable[Accuracy]) -> Iterator[str]:
    """Yield a line for what an accuracy does not show: not judged, ties, unknown tokens."""
    rows = [*rows]
    if not rows:
        yield "no accuracy: every item was left out"
    for row in rows:
        if row.group is not None:
            continue
        for reason, count in row.why_not.items():
            of = f"{count:,} of {row.items + row.not_judged:,} items not judged"
            yield f"{row.definition}: {of if row.items else 'no accuracy'}: {reason}"
        if row.ties:
            of = f"{row.ties:,} of {row.items:,} items"
            yield f"{row.definition}: ties: {of}; each counts one divided by the number of equals"
        if row.unknown:
            of = f"{row.unknown:,} of {row.items + row.not_judged:,}"
            yield f"{row.definition}: {of} items have unknown tokens"
