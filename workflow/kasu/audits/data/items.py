"""Read a benchmark: minimal pairs, minimal sets or multiple choice, from any form of table."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from pathlib import Path

import numpy as np

from kasu.base.errors import KasuError, nearest
from kasu.lm.scoring.clusters import CLUSTERS as OF_ITEMS
from kasu.lm.scoring.clusters import read_clusters
from kasu.lm.scoring.items import (
    FORM,
    GRAMMATICAL,
    MASK,
    PAIRS,
    Row,
    cell_text,
    choose_column,
    masked_column,
    named_items,
    names_of,
    read_rows,
    warn_of_marks,
)

IN_PAIRS, IN_SETS, IN_CHOICES = "minimal pairs", "minimal sets", "multiple choice"
KNOWN = (
    *(f"{good} and {bad}" for good, bad in PAIRS.items()),
    f"masked, {FORM}... and {GRAMMATICAL} (or one {FORM}{GRAMMATICAL}_...)",
    "context, candidates and label",
)
"""The columns of each form of benchmark."""
CANDIDATES, LABELS, CONTEXT = ("candidates", "choices"), ("label", "answer"), "context"
CANDIDATE = "candidate_"  # and a number from 1, the column of a candidate in scores
BY = ("phenomenon", "UID", "type", "variant")
CLUSTERS = (*OF_ITEMS, "seed")
OF_MATRICES = {"variant", "seed"}
"""Those of BY and CLUSTERS that are a default of multiple choice alone, where they have several
values. A matrix of Kasu is there once for each variant, and matrices of a seed share its words."""
_RIGHT = f"{FORM}{GRAMMATICAL}_"
_TOLD = re.compile(f"{FORM}((un)?{GRAMMATICAL}_)?")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Benchmark:
    """Items, each with as many options, one of them right.

    Attributes:
        form: IN_PAIRS, IN_SETS or IN_CHOICES.
        names: of the items.
        options: the sentences to choose from, (items, options).
        strings: what tells them apart: the forms of minimal sets, else the options.
        columns: the name of each option in scores.
        right: the place of the right option, (items,).
        contexts: the sentences that the options follow, or the parts around the mask.
        phenomena: the value of the column `by`, (items,); empty without one.
        clusters: the number of the item's cluster, (items,); each its own without `cluster`.
    """

    path: Path
    form: str
    names: Sequence[str]
    options: Sequence[Sequence[str]]
    strings: Sequence[Sequence[str]]
    columns: Sequence[str]
    right: np.ndarray
    contexts: Sequence[Sequence[str]]
    by: str | None
    phenomena: Sequence[str]
    cluster: str | None
    clusters: np.ndarray

    def __len__(self) -> int:
        return len(self.names)

    @property
    def chance(self) -> float:
        """The share right of a guess."""
        return 1 / len(self.columns)

    @cached_property
    def groups(self) -> Mapping[str, np.ndarray]:
        """Which items are of each phenomenon, in order of the file; empty if all are of one."""
        values = np.array(self.phenomena, object)
        names = dict.fromkeys(self.phenomena)
        return {name: values == name for name in names} if len(names) > 1 else {}


def read_benchmark(
    path: str | Path, by: str | None = None, cluster: str | None = None
) -> Benchmark:
    """Read a benchmark from parquet, JSON lines, TSV or CSV.

    Args:
        by: the column of phenomena; by default the first of BY, and none if it is empty.
        cluster: the column of what items share, as their source; by default the first of CLUSTERS.

    Raises:
        KasuError: the columns fit no form, an item lacks a text or a right option, items have
            unequal numbers of options or one name, or the file cannot be read.
    """
    path = Path(path)
    rows = read_rows(path)
    names = names_of(rows)
    form, parse, columns = _form(path, names, rows)
    items = [(name, *parse(where, row)) for name, where, row in named_items(path, rows)]
    named, contexts, strings, options, right = zip(*items, strict=True)
    warn_of_marks(path, chain.from_iterable(strings))
    count = len(options[0])
    for name, given in zip(named, options, strict=True):
        if len(given) != count:
            found = f"{len(given)} candidates"
            raise KasuError(f"{path}: item {name}", found, f"{count}, as in the first item")
    by = choose_column(path, names, by, _usual(BY, form, rows), "--by")
    phenomena = [cell_text(row, by) for row in rows] if by else []
    clusters = read_clusters(path, rows, cluster, _usual(CLUSTERS, form, rows))
    return Benchmark(
        path=path,
        form=form,
        names=named,
        options=options,
        strings=strings,
        columns=columns or [f"{CANDIDATE}{at}" for at in range(1, count + 1)],
        right=np.array(right),
        contexts=contexts,
        by=by,
        phenomena=phenomena,
        cluster=clusters.column,
        clusters=np.unique([clusters.of[name] for name in named], return_inverse=True)[1],
    )


_Parsed = tuple[list[str], list[str], list[str], int]
"""Context, strings, options and the place of the right one."""
_Parse = Callable[[str, Row], _Parsed]


def _form(
    path: Path, names: Sequence[str], rows: Sequence[Row]
) -> tuple[str, _Parse, Sequence[str]]:
    """Return the form, what parses an item, and the names of its options if columns have them."""
    for pair in PAIRS.items():
        if {*pair} <= {*names}:
            return IN_PAIRS, partial(_pair, pair=pair), pair
    masked = masked_column(names)
    forms = [name for name in names if name.startswith(FORM)]
    # The column of the right form has it in its name, where no column `grammatical` tells
    told = [name for name in forms if name.startswith(_RIGHT)]
    if masked and len(forms) > 1 and (GRAMMATICAL in names or len(told) == 1):
        fixed = None if GRAMMATICAL in names else told[0]
        return IN_SETS, partial(_set, masked=masked, forms=forms, told=fixed), forms
    candidates = next((name for name in CANDIDATES if name in names), "")
    label = next((name for name in LABELS if name in names), "")
    if candidates and label:
        return IN_CHOICES, partial(_choice, candidates=candidates, label=label), []
    raise KasuError(path, f"columns {', '.join(names)}", "; or ".join(KNOWN))


def _pair(where: str, row: Row, pair: Sequence[str]) -> _Parsed:
    halves = [_text(where, row, name) for name in pair]
    return [], halves, halves, 0


def _set(where: str, row: Row, masked: str, forms: Sequence[str], told: str | None) -> _Parsed:
    frame = _text(where, row, masked)
    if frame.count(MASK) != 1:
        raise KasuError(where, f"{frame.count(MASK) or 'no'} {MASK}", "exactly one")
    strings = [_text(where, row, name) for name in forms]
    right = told or f"{FORM}{row.get(GRAMMATICAL)}"
    if right not in forms:
        expected = nearest(right, forms).replace(FORM, "")
        raise KasuError(f"{where}, {GRAMMATICAL}", repr(row.get(GRAMMATICAL)), expected)
    options = [frame.replace(MASK, text) for text in strings]
    return frame.split(MASK), strings, options, forms.index(right)


def _choice(where: str, row: Row, candidates: str, label: str) -> _Parsed:
    options = _texts(where, row, candidates)
    if len(options) < 2:
        raise KasuError(f"{where}, {candidates}", f"{len(options)} candidates", "two or more")
    given = row.get(label)
    if isinstance(given, str) and given in options:
        right = options.index(given)
    else:
        # In a table a place, too, is text
        place = str(given)
        right = int(place) if place.isascii() and place.isdigit() else -1
    if not 0 <= right < len(options):
        expected = f"a candidate, or its place from 0 to {len(options) - 1}"
        raise KasuError(f"{where}, {label}", repr(given)[:60], expected)
    context = _texts(where, row, CONTEXT) if row.get(CONTEXT) else []
    return context, options, options, right


def _texts(where: str, row: Row, column: str) -> list[str]:
    """Return the texts of a list; of a table, of a list in JSON; or a text alone."""
    value = row.get(column)
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except ValueError:
            raise KasuError(f"{where}, {column}", repr(value)[:60], "a list in JSON") from None
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        raise KasuError(f"{where}, {column}", repr(value)[:60], "a list of texts")
    return [_expect_text(f"{where}, {column}", text) for text in value]


def _text(where: str, row: Row, column: str) -> str:
    if column not in row:
        raise KasuError(where, f"no column {column!r}", ", ".join(row))
    return _expect_text(f"{where}, {column}", row[column])


def _expect_text(where: str, text: object) -> str:
    """Return a text, which may be empty: that is a finding."""
    if not isinstance(text, str) or _SURROGATE.search(text):
        raise KasuError(where, repr(text)[:60], "a text")
    return text


def _usual(columns: Sequence[str], form: str, rows: Sequence[Row]) -> list[str]:
    """Return the columns that may be taken by default."""
    return [
        name
        for name in columns
        if name not in OF_MATRICES
        or (form == IN_CHOICES and len({cell_text(row, name) for row in rows}) > 1)
    ]


def option_name(column: str) -> str:
    """Return what an option is called: `nom` for `form_grammatical_nom`."""
    return _TOLD.sub("", column).replace(CANDIDATE, "")
