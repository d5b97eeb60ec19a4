"""How often a model scores the right sentence of a minimal pair higher than the wrong one."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.base.scores import wilson
from kasu.base.tables import read_parquet
from kasu.lm.scoring.items import PAIRS, item_name, read_rows

PHENOMENON = "phenomenon"
ALL = "all"


class Accuracy(NamedTuple):
    """The accuracy on some pairs, and its 95 % interval (Wilson)."""

    definition: str
    group: str
    pairs: int
    accuracy: float
    low: float
    high: float


def pair_accuracies(
    items: str | Path, scores: str | Path, by: str | None = None
) -> Iterator[Accuracy]:
    """Yield the accuracies of each definition.

    A tie is wrong. The group is ALL, then each value of a column, if there are several. A file
    without the columns of PAIRS has no accuracy.

    Args:
        items, scores: the file that was scored, and its SCORES.
        by: the column; by default PHENOMENON, if there is one.
    """
    rows = read_rows(items)
    right = next((name for name in PAIRS if {name, PAIRS[name]} <= rows[0].keys()), None)
    if right is None:
        return
    group = {item_name(row, n): str(row.get(by or PHENOMENON, "")) for n, row in enumerate(rows, 1)}
    outcomes: dict[str, dict[str, list[bool]]] = {}
    for definition, item, wins in _outcomes(scores, right, PAIRS[right]):
        groups = outcomes.setdefault(definition, {ALL: []})
        groups[ALL].append(wins)
        if len(set(group.values())) > 1:
            groups.setdefault(group[item], []).append(wins)
    for definition, groups in outcomes.items():
        for name, of_group in groups.items():
            won, pairs = sum(of_group), len(of_group)
            yield Accuracy(definition, name, pairs, won / pairs, *wilson(won, pairs))


def expect_column(items: str | Path, column: str) -> None:
    """Check that a file of items has a column.

    Raises:
        KasuError: it has not, or the file cannot be read.
    """
    names = read_rows(items)[0]
    if column not in names:
        raise KasuError(items, f"no column {column!r}", ", ".join(names))


def _outcomes(scores: str | Path, right: str, wrong: str) -> Iterator[tuple[str, str, bool]]:
    """Yield definition and item of each pair that was scored, and whether the right one wins."""
    names = ["definition", "item_id", "column", "log_probability"]
    found: dict[tuple[str, str], dict[str, float]] = {}
    table = read_parquet(scores, names)
    for definition, item, column, value in zip(
        *(table[name].to_pylist() for name in names), strict=True
    ):
        found.setdefault((definition, item), {})[column] = value
    for (definition, item), values in found.items():
        if {right, wrong} <= values.keys():
            yield definition, item, values[right] > values[wrong]


def accuracy_lines(rows: Iterable[Accuracy]) -> Iterator[str]:
    """Yield a tab-separated table of accuracies in per cent, with a header unless it is empty."""
    for number, (definition, group, n, *shares) in enumerate(rows):
        if not number:
            yield "definition\tgroup\tpairs\taccuracy\tlow\thigh"
        yield "\t".join([definition, group, str(n), *(f"{100 * share:.1f}" for share in shares)])
