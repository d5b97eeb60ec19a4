"""Paradigms in the columns of UniMorph: lemma, form, features, and sometimes a segmentation."""

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.corpora.compressed import lines

# A part of speech of the UniMorph schema, followed by more features
_FEATURES = re.compile(
    r"(N|PROPN|V|V\.\w+|ADJ|ADV|PRO|DET|NUM|ADP|ART|AUX|CLF|COMP|CONJ|INTJ|PART)[;(].*"
)
_EXPECTED = "lemma, form, features"
_BROKEN = "not three columns"
_BROKEN_SHARE = 0.01


class Cell(NamedTuple):
    """One form of a paradigm."""

    lemma: str
    form: str
    features: str


def read_paradigms(path: str | Path) -> tuple[list[Cell], Counter[str]]:
    """Read a paradigm file, plain or compressed; each cell once, in order of the lines.

    If lemma and features have several forms, each is a cell. Forms of several words stay. Blanks
    around a column are stripped (real files have them); everything else is kept.

    Returns:
        The cells, and counts of dropped lines by reason: blank, a comment (`#` and no column), the
        wrong number of columns, an empty column, a repeated line.

    Raises:
        KasuError: the columns are in the order lemma, features, form; more than one line in a
            hundred has the wrong number of columns; no cell is left; or as `compressed.lines`.
    """
    drops: Counter[str] = Counter()
    cells: dict[Cell, None] = {}
    broken = None
    for number, line in lines(path):
        columns = [column.strip() for column in line.split("\t")]
        if reason := _reason_to_drop(columns):
            drops[reason] += 1
            if reason == _BROKEN and not broken:
                broken = KasuError(f"{path}:{number}", f"{len(columns)} columns", _EXPECTED)
            continue
        _expect_order(f"{path}:{number}", columns)
        cell = Cell(*columns[:3])
        drops["the same line again"] += cell in cells
        cells[cell] = None
    if broken and drops[_BROKEN] > _BROKEN_SHARE * (len(cells) + drops[_BROKEN]):
        raise broken
    if not cells:
        raise KasuError(path, "no form", f"lines of {_EXPECTED}")
    return list(cells), +drops


def _reason_to_drop(columns: list[str]) -> str | None:
    if not any(columns):
        return "blank line"
    if len(columns) == 1 and columns[0].startswith("#"):
        return "comment"
    if len(columns) not in (3, 4):
        return _BROKEN
    if not all(columns[:3]):
        return "empty lemma, form or features"
    return None


def _expect_order(where: str, columns: list[str]) -> None:
    if _FEATURES.fullmatch(columns[1]) and not _FEATURES.fullmatch(columns[2]):
        found = f"features in the second column ({columns[1]}), as in the 2023 shared task"
        raise KasuError(where, found, _EXPECTED)
