"""Paradigms in the columns of UniMorph: lemma, form, features, and sometimes a segmentation."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import regex

from kasu.base.errors import KasuError
from kasu.corpora.paradigms.schema import SPELLINGS, Unreadable, alternatives, is_bundle, tidy
from kasu.corpora.texts.compressed import lines
from kasu.corpora.texts.spelling import canonical, key
from kasu.files.tables import split_row
from kasu.job.run import log

COLUMNS = ("lemma", "form", "features")
COLUMNS_OF_2023 = ("lemma", "features", "form")
"""The columns of the 2023 shared task; those of 2016 have the same order."""
_ORDINALS = ("first", "second", "third", "fourth")
_BROKEN = "not three columns"
_BROKEN_SHARE = 0.01
# The share of misplaced lines above which the columns have another order, or two files were joined
_MISPLACED_SHARE = 0.1
# How many lines with features of no known schema are looked at; fewer lemmata tell nothing
_LOOKED_AT, _LEAST_LEMMATA = 100_000, 20
# Where a lemma has no such form, or none is known, Wiktionary's tables have a dash of any length, a
# question mark or an asterisk; CoNLL's have an underscore
_NO_FORM = regex.compile(r"[\s/]*(?:[\p{Pd}\u2212?*_][\s/]*)+")
# Signs that separate features in other tag sets
_UNSEPARATED = regex.compile(r"\w[\s,.:_+]\w")
_HEADERS = {
    "lemma", "lemmas", "lemmata", "lexeme", "base", "form", "forms", "word", "wordform",
    "word form", "inflected form", "surface", "features", "feats", "tag", "tags",
    "msd", "morphology",
}  # fmt: skip


class ParadigmCell(NamedTuple):
    """One form of a paradigm."""

    lemma: str
    form: str
    features: str

    def canonical(self) -> "ParadigmCell":
        """Return the cell with its letters composed: equal for cells that differ in that alone."""
        return ParadigmCell(*map(canonical, self))

    @property
    def slot(self) -> tuple[str, str]:
        """What all forms of a lemma with the same features share."""
        return canonical(self.lemma), self.features


def read_paradigms(
    path: str | Path, *, features_second: bool = False
) -> tuple[list[ParadigmCell], Counter[str]]:
    """Read a paradigm file, plain or compressed; each cell once, in order of the lines.

    If lemma and features have several forms, each is a cell. Forms of several words stay. Blanks
    around a column or a feature are stripped (real files have them), and `|` between features, as
    in MorphyNet, becomes a semicolon. Everything else is kept. A fourth column is not read.

    Args:
        features_second: the columns are lemma, features, form, as in the 2023 shared task.

    Returns:
        The cells, and counts of dropped lines by reason: blank, a comment (`#` and no column), a
        header, the wrong number of columns, an empty column, a NUL, a repeated line, and those of
        `Columns.cell`.

    Raises:
        KasuError: as `Columns.conclude`; more than one line in a hundred has the wrong number of
            columns; no cell is left; or as `compressed.lines`.
    """
    columns = Columns(path, COLUMNS_OF_2023 if features_second else COLUMNS)
    drops = columns.drops
    cells: dict[ParadigmCell, ParadigmCell] = {}
    broken = None
    for number, line in lines(path):
        row = [column.strip() for column in line.split("\t")]
        if reason := _reason_to_drop(row):
            drops[reason] += 1
            if reason == _BROKEN and not broken:
                broken = KasuError(f"{path}:{number}", f"{len(row)} columns", columns.expected)
        elif cell := columns.cell(number, row):
            same = cell if canonical(line) is line else cell.canonical()
            drops["the same line again"] += same in cells
            cells.setdefault(same, cell)
    if broken and drops[_BROKEN] > _BROKEN_SHARE * (len(cells) + drops[_BROKEN]):
        raise broken
    columns.conclude()
    if not cells:
        raise KasuError(path, "no form", f"lines of {columns.expected}")
    return list(cells.values()), +drops


def read_listed(
    path: str | Path, *, released: bool = False
) -> tuple[list[ParadigmCell], Counter[str]]:
    """Read the triples of a split or of a system's answers, in their order, repeated ones too.

    Like the code of the 2018 shared task, this strips each line of white space and splits it at
    tabs. Blanks around a column and around a semicolon between features are lost. No code point is
    normalised. A fourth column is not read.

    Args:
        released: keep what `Columns.cell` drops, and blanks after a lemma and around a form
            (Kurmanji and Livonian have such forms), as the official scorer does, so that figures
            are on the same items.

    Returns:
        The triples, and counts of dropped lines by reason: blank, and those of `Columns.cell`.

    Raises:
        KasuError: a line has the wrong number of columns or a NUL, there is no triple, or as
            `Columns.conclude`, `split_row` and `compressed.lines`.
    """
    columns = Columns(path, released=released)
    cells = []
    for number, line in lines(path):
        if not (line := line.strip()):
            columns.drops["blank line"] += 1
            continue
        where = f"{path}:{number}"
        row = split_row(line, where)
        if len(row) not in (3, 4):
            expected = f"{columns.expected}, separated by tabs"
            raise KasuError(where, f"{len(row)} columns", expected)
        if "\0" in line:
            raise KasuError(where, "a NUL character", columns.expected)
        if cell := columns.cell(number, row):
            cells.append(cell)
    columns.conclude()
    if not cells:
        raise KasuError(path, "no triple", f"lines of {columns.expected}")
    return cells, +columns.drops


def _reason_to_drop(row: list[str]) -> str | None:
    if not any(row):
        return "blank line"
    if len(row) == 1 and row[0].startswith("#"):
        return "comment"
    if len(row) not in (3, 4):
        return _BROKEN
    if not all(row[:3]):
        return "empty lemma, form or features"
    if any("\0" in column for column in row):
        return "a NUL character"
    return None


class Columns:
    """A check that the columns of a file hold what their names say.

    The file is judged as a whole: by the columns in which its lines have features of the schema.
    Features of another tag set are recognised by the number of values of each column.

    Attributes:
        drops: lines dropped, by reason.
        expected: the names of the columns, for errors.
    """

    def __init__(
        self, path: str | Path, names: Sequence[str] = COLUMNS, *, released: bool = False
    ) -> None:
        """Read a file with these columns; see `read_listed` for `released`."""
        self.path, self.released = path, released
        self.expected = ", ".join(names)
        self.drops: Counter[str] = Counter()
        self._form, self._features = (names.index(n) for n in ("form", "features"))
        self._lines = self._misplaced = self._unknown = 0
        self._error: KasuError | None = None
        self._known: dict[str, str] = {}
        # What the columns hold in lines with features of no known schema
        self._values: tuple[set[str], ...] = (set(), set(), set())

    def cell(self, number: int, row: Sequence[str]) -> ParadigmCell | None:
        """Return the cell of a line, or None if it is dropped, unless the file is a released one.

        It is dropped as `no form` if its form is empty or, unlike its lemma, a dash or the like; as
        `features in another column`; as `features that cannot be read` (`schema.alternatives`);
        and as a `header` if it names the columns.
        """
        text, form = row[self._features], row[self._form]
        features = self._known.get(text)
        if features is None:
            if not self.released and is_header(row):
                self.drops["header"] += 1
                return None
            features = tidy(text)
            reason = None if self.holds(number, row) else "features in another column"
            reason = reason or _reason_not_to_read(features)
            if reason and not self.released:
                self.drops[reason] += 1
                return None
            if is_bundle(features):
                self._known[text] = features
        else:
            self._lines += 1
        if not form[:1].isalpha() and not self.released and is_no_form(row[0], form):
            self.drops["no form"] += 1
            return None
        lemma = row[0]
        if not self.released:
            lemma, form = lemma.strip(), form.strip()
        return ParadigmCell(lemma, form, features)

    def holds(self, number: int, row: Sequence[str], at: int | None = None) -> bool:
        """Return whether a line has features where it should, or in no other column either.

        Args:
            at: the column of features.
        """
        at = self._features if at is None else at
        self._lines += 1
        if is_bundle(row[at].strip()):
            return True
        if row[at] not in self._values[at]:
            for column, text in enumerate(row):
                if column != at and is_bundle(text.strip()):
                    self._misplaced += 1
                    self._error = self._error or self._misplacement(number, column, text)
                    return False
        self._unknown += 1
        if self._unknown <= _LOOKED_AT:
            for values, text in zip(self._values, row, strict=False):
                values.add(text)
        return True

    def _misplacement(self, number: int, column: int, text: str) -> KasuError:
        like = self.expected == ", ".join(COLUMNS) and column == 1
        found = f"features in the {_ORDINALS[column]} column ({text})"
        found += ", as in the 2023 shared task" * like
        return KasuError(f"{self.path}:{number}", found, self.expected)

    def conclude(self) -> None:
        """Judge the file; say so if most lines have features of no known schema.

        Raises:
            KasuError: of more than a tenth of the lines the features are in another column; or most
                have those of no known schema, and the column of forms has far fewer values than
                another.
        """
        if self._error and self._misplaced > _MISPLACED_SHARE * self._lines:
            raise self._error
        if 2 * self._unknown > self._lines:
            self._check_numbers()
            log.info("%s: features of no known schema, taken as they are", self.path)
        bundles = [*self._known.values(), *map(tidy, self._values[self._features])]
        unseparated = sorted(filter(_UNSEPARATED.search, bundles))
        if unseparated and not any(";" in bundle for bundle in bundles):
            found = "%s: no semicolon between features: %r and the like are one feature each"
            log.info(found, self.path, unseparated[0])

    def _check_numbers(self) -> None:
        """Recognise features of no known schema: a column of few values, where forms have many."""
        counts = [len(values) for values in self._values]
        lemmata, forms, features = counts[0], counts[self._form], counts[self._features]
        # Few lemmata may have more features than forms; what is asked for may have no forms
        if lemmata >= _LEAST_LEMMATA and forms > 1 and 2 * forms < max(lemmata, features):
            found = f"{lemmata:,} lemmata, {forms:,} forms and {features:,} features"
            raise KasuError(self.path, found, f"most forms, in columns of {self.expected}")


def _reason_not_to_read(features: str) -> str | None:
    try:
        alternatives(features)
        _wanted(features)
    except Unreadable:
        return "features that cannot be read"
    return None


def is_header(row: Sequence[str]) -> bool:
    """Return whether a line names the columns."""
    return {name.strip("# ").lower() for name in row[:3]} <= _HEADERS


def is_no_form(lemma: str, form: str) -> bool:
    """Return whether a form is empty or, unlike its lemma, a dash or the like."""
    return not form.strip() or bool(_NO_FORM.fullmatch(form) and not _NO_FORM.fullmatch(lemma))


# Cells that a word meets

# Agreement with the subject, as UniMorph 4 writes it
_SUBJECT = regex.compile(r"\bNOM\(([^()]*)\)")


def meets(tags: Collection[str], features: str) -> bool:
    """Return whether a word with these tags stands in a cell: the word has all tags of the cell.

    It may have more: a treebank marks the gender of a noun, a paradigm does not. A tag of several
    parts (`MASC+FEM`) asks for all of them, one of `schema.SPELLINGS` for what the schema has in
    its place; what one of several values and a negation ask for, `schema.alternatives` says.
    `NOM(3,SG)` asks for `3` and `SG`, as treebanks do not say which argument a verb of one agrees
    with.

    Raises:
        Unreadable: as `schema.alternatives`.
    """
    return any(wanted.issubset(tags) for wanted in _wanted(features))


@lru_cache(1 << 14)
def _wanted(features: str) -> tuple[frozenset[str], ...]:
    unnested = _SUBJECT.sub(lambda found: found[1].replace(",", ";"), features)
    bundles = alternatives(unnested)
    return tuple(
        frozenset(SPELLINGS.get(part, part) for tag in bundle for part in tag.split("+"))
        for bundle in bundles
    )


class Paradigms:
    """The tables of a language by lemma; spellings with one `key` are the same word."""

    def __init__(self, cells: Iterable[ParadigmCell], language: str = "") -> None:
        """Take cells; `language` is a code, for upper and lower case."""
        self.language = language
        self._tables: dict[str, list[ParadigmCell]] = {}
        self._forms: dict[tuple[str, str], list[ParadigmCell]] = {}
        # Files have the cells of a lemma one after the other
        for spelling, group in groupby(cells, key=attrgetter("lemma")):
            lemma = self.key(spelling)
            table = self._tables.setdefault(lemma, [])
            for cell in group:
                table.append(cell)
                self._forms.setdefault((lemma, key(cell.form, language)), []).append(cell)

    def key(self, word: str) -> str:
        """Return what all spellings of a word share."""
        return key(word, self.language)

    def table(self, lemma: str) -> list[ParadigmCell]:
        """Return all cells of a lemma, in their order; none if there is no table."""
        return self._tables.get(self.key(lemma), [])

    def cells(self, lemma: str, form: str) -> list[ParadigmCell]:
        """Return the cells of a lemma with this form."""
        return self._forms.get((self.key(lemma), self.key(form)), [])
