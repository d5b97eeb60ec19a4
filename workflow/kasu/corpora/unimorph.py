"""Paradigms in the columns of UniMorph: lemma, form, features, and sometimes a segmentation."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.corpora.compressed import lines

# A part of speech of the UniMorph schema, followed by more features
_FEATURES = re.compile(
    r"(N|PROPN|V|V\.\w+|ADJ|ADV|PRO|DET|NUM|ADP|ART|AUX|CLF|COMP|CONJ|INTJ|PART)[;(].*"
)
# Agreement with the subject, as UniMorph 4 writes it
_SUBJECT = re.compile(r"\bNOM\(([^()]*)\)")
_SEPARATOR = re.compile(r"\s*;\s*")
_EXPECTED = "lemma, form, features"
_BROKEN = "not three columns"
_BROKEN_SHARE = 0.01


class Cell(NamedTuple):
    """One form of a paradigm."""

    lemma: str
    form: str
    features: str


def read_paradigms(
    path: str | Path, *, features_second: bool = False
) -> tuple[list[Cell], Counter[str]]:
    """Read a paradigm file, plain or compressed; each cell once, in order of the lines.

    With `features_second` the columns are lemma, features, form, as in the 2023 shared task. If
    lemma and features have several forms, each is a cell. Forms of several words stay. Blanks
    around a column or a feature are stripped (real files have them); everything else is kept.

    Returns:
        The cells, and counts of dropped lines by reason: blank, a comment (`#` and no column), the
        wrong number of columns, an empty column, a NUL, a repeated line.

    Raises:
        KasuError: form and features stand in the other order; more than one line in a
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
        if features_second:
            columns[1:3] = columns[2], columns[1]
        _expect_order(f"{path}:{number}", columns, features_second)
        lemma, form, features = columns[:3]
        cell = Cell(lemma, form, tidy(features))
        drops["the same line again"] += cell in cells
        cells[cell] = None
    if broken and drops[_BROKEN] > _BROKEN_SHARE * (len(cells) + drops[_BROKEN]):
        raise broken
    if not cells:
        raise KasuError(path, "no form", f"lines of {_EXPECTED}")
    return list(cells), +drops


def tidy(features: str) -> str:
    """Features without blanks around a semicolon."""
    return _SEPARATOR.sub(";", features)


def _reason_to_drop(columns: list[str]) -> str | None:
    if not any(columns):
        return "blank line"
    if len(columns) == 1 and columns[0].startswith("#"):
        return "comment"
    if len(columns) not in (3, 4):
        return _BROKEN
    if not all(columns[:3]):
        return "empty lemma, form or features"
    if any("\0" in column for column in columns):
        return "a NUL character"
    return None


def _expect_order(where: str, columns: list[str], features_second: bool) -> None:
    if not _FEATURES.fullmatch(columns[1]) or _FEATURES.fullmatch(columns[2]):
        return
    if features_second:
        found = f"features in the third column ({columns[1]})"
        raise KasuError(where, found, "lemma, features, form")
    found = f"features in the second column ({columns[1]}), as in the 2023 shared task"
    raise KasuError(where, found, _EXPECTED)


# Cells that a word meets


def meets(tags: Collection[str], features: str) -> bool:
    """Whether a word with these tags stands in a cell: the word has all tags of the cell.

    It may have more: a treebank marks the gender of a noun, a paradigm does not. A tag of several
    parts (`MASC+FEM`) asks for all of them, one of several values (`MASC/FEM`) for one. `NOM(3,SG)`
    asks for `3` and `SG`, as treebanks do not say which argument a verb of one agrees with.
    """
    wanted = _SUBJECT.sub(lambda found: found[1].replace(",", ";"), features)
    parts = (part for tag in wanted.split(";") for part in tag.split("+"))
    return all(any(value in tags for value in part.split("/")) for part in parts)


class Paradigms:
    """The tables of a language by lemma, in upper and lower case alike."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._tables: dict[str, list[Cell]] = {}
        self._forms: dict[tuple[str, str], list[Cell]] = {}
        for cell in cells:
            lemma, form = cell.lemma.lower(), cell.form.lower()
            self._tables.setdefault(lemma, []).append(cell)
            self._forms.setdefault((lemma, form), []).append(cell)

    def table(self, lemma: str) -> list[Cell]:
        """All cells of a lemma, in their order; none if there is no table."""
        return self._tables.get(lemma.lower(), [])

    def cells(self, lemma: str, form: str) -> list[Cell]:
        """The cells of a lemma with this form."""
        return self._forms.get((lemma.lower(), form.lower()), [])
