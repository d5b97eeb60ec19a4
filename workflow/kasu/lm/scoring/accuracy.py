"""How often a model scores the right sentence or form of an item higher than the wrong ones."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.base.scores import wilson
from kasu.base.tables import read_parquet
from kasu.lm.scoring.items import FORM, GRAMMATICAL, PAIRS, item_name, read_rows

PHENOMENON = "phenomenon"
ALL = "all"


class Accuracy(NamedTuple):
    """The accuracy on some items, and its 95 % interval (Wilson)."""

    definition: str
    group: str
    items: int
    accuracy: float
    low: float
    high: float


def accuracies(items: str | Path, scores: str | Path, by: str | None = None) -> Iterator[Accuracy]:
    """Yield the accuracies of each definition.

    The right sentence or form of an item must be above all others; a tie is wrong. The group is
    ALL, then each value of a column, if there are several. Items that do not say what is right have
    no accuracy.

    Args:
        items, scores: the file that was scored, and its SCORES.
        by: the column; by default PHENOMENON, if there is one.
    """
    rows = {item_name(row, n): row for n, row in enumerate(read_rows(items), 1)}
    groups = {name: str(row.get(by or PHENOMENON, "")) for name, row in rows.items()}
    several = len(set(groups.values())) > 1
    outcomes: dict[str, dict[str, list[bool]]] = {}
    for definition, item, values in _scored(scores):
        right, wrong = right_and_wrong(rows[item], values)
        if right is None or not wrong:
            continue
        wins = values[right] > max(values[column] for column in wrong)
        of_groups = outcomes.setdefault(definition, {ALL: []})
        of_groups[ALL].append(wins)
        if several:
            of_groups.setdefault(groups[item], []).append(wins)
    for definition, of_groups in outcomes.items():
        for name, of_group in of_groups.items():
            won, n = sum(of_group), len(of_group)
            yield Accuracy(definition, name, n, won / n, *wilson(won, n))


def right_and_wrong(
    row: Mapping[str, object], scored: Iterable[str]
) -> tuple[str | None, list[str]]:
    """The scored columns of an item: the right sentence or form, None without, and the wrong."""
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


def _scored(scores: str | Path) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Yield definition and item, and the log probability of each of its columns."""
    names = ["definition", "item_id", "column", "log_probability"]
    found: dict[tuple[str, str], dict[str, float]] = {}
    table = read_parquet(scores, names)
    for definition, item, column, value in zip(
        *(table[name].to_pylist() for name in names), strict=True
    ):
        found.setdefault((definition, item), {})[column] = value
    for (definition, item), values in found.items():
        yield definition, item, values


def accuracy_lines(rows: Iterable[Accuracy]) -> Iterator[str]:
    """Yield a tab-separated table of accuracies in per cent, with a header unless it is empty."""
    for number, (definition, group, n, *shares) in enumerate(rows):
        if not number:
            yield "definition\tgroup\titems\taccuracy\tlow\thigh"
        yield "\t".join([definition, group, str(n), *(f"{100 * share:.1f}" for share in shares)])
