"""Seeds of BLM problems: the chunks that the grammar combines (An et al. 2023 §2.1; BLM-1)."""

import csv
import io
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.blm.generation.spelling import (
    COMMAS,
    lower_capitals,
    spans,
    tidy,
    uncapitalise,
)
from kasu.corpora.texts.spelling import capitalised
from kasu.files.reading import read_text

NUMBERS = ("sg", "pl")
PAIRED = (
    "subject", "pp1", "conjunct1", "pp2", "conjunct2", "pp3", "conjunct3", "verb"
)  # fmt: skip
COLUMNS = ("prefix", *(f"{name}_{n}" for name in PAIRED[:-1] for n in NUMBERS), "relative",
           "verb_sg", "verb_pl")  # fmt: skip
# Columns that a file may lack, with their defaults. `relative_pl` is the relative clause after a
# plural subject, where it agrees with the subject; without it, that of the singular
OPTIONAL = {"relative_pl": None, "stop": "."}
ATTRACTORS = ("pp1", "pp2", "pp3")
_MARKED = re.compile(r"[^\[\]]*(\[[^\[\]]+\][^\[\]]*)*")
_UNTIDY = ("' ", *(f" {comma}" for comma in COMMAS))

# Headers of the seeds files released with the paper, in lower case
_RELEASED = {
    "prefix": "prefix", "prefix1": "prefix", "roc": "relative", "roc-s": "relative",
    "roc-p": "relative_pl", ".": "stop",
    **{f"{short}-{n[0]}": f"{long}_{n}"
       for short, long in (("np", "subject"), ("vp", "verb"), *((a, a) for a in ATTRACTORS))
       for n in NUMBERS},
    **{form: f"conjunct{at}_{n}" for at in (1, 2, 3) for n in NUMBERS
       for form in (f"conj{at}{n}", f"conj{at}-{n[0]}")},
    **{form: f"pp3_{n}" for n in NUMBERS for form in (f"p3{n}", f"p3-{n[0]}")},
}  # fmt: skip


@dataclass(frozen=True)
class Seed:
    """One row of a seeds file.

    Attributes:
        place: `file:line`, for error messages.
        chunks: the text of each of COLUMNS and OPTIONAL, without a sentence-initial capital.
        marks: by column, begin and end of each word that the file marks with brackets.
        lower: whether names inside a sentence lose their capital (BLM-8).
        language: a code, for upper and lower case.
    """

    place: str
    chunks: Mapping[str, str]
    marks: Mapping[str, Sequence[tuple[int, int]]]
    lower: bool
    language: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the chunks, in lower case."""
        return frozenset(
            text[begin:end].casefold()
            for text in self.chunks.values()
            for begin, end in spans(text)
        )

    def with_word(self, form: Mapping[str, str], at: Mapping[str, tuple[int, int]]) -> "Seed":
        """Replace the word at the span `at` of each column by the column's `form`."""
        chunks = dict(self.chunks)
        for column, (begin, end) in at.items():
            word = uncapitalise(form[column], self.language) if self.lower else form[column]
            chunks[column] = chunks[column][:begin] + word + chunks[column][end:]
        return replace(self, chunks=chunks)

    def join(self, columns: Sequence[str]) -> str:
        """Join chunks and the final stop into a sentence."""
        text = " ".join([self.chunks[column] for column in columns] + [self.chunks["stop"]])
        # A chunk may end in an elided word, "qu'" and "un ami", or begin with a comma
        text = tidy(text) if any(sign in text for sign in _UNTIDY) else text
        return capitalised(text, self.language)


def read_seeds(path: str | Path, capitals: str = "lower", language: str = "") -> list[Seed]:
    """Read a seeds file: one seed per row, in order.

    Kasu's own files are tab-separated with the header COLUMNS; subjects are written as inside a
    sentence, and `[word]` may mark a word that type II replaces. The files released with the paper
    (semicolons or tabs, other headers, capitalised subjects) are read too, typos included.

    Args:
        capitals: `lower` lower-cases names inside sentences as the released data do (BLM-8),
            `keep` leaves them.
        language: a code, for upper and lower case.

    Raises:
        KasuError: the file is not UTF-8; a column is missing, unknown or repeated; a row has the
            wrong number of cells, an empty cell, no attractor, an equal singular and plural, or a
            verb that ends in the stop; a seed is repeated.
    """
    if capitals not in ("lower", "keep"):
        raise KasuError("capitals", repr(capitals), "lower or keep")
    rows = _rows(path)
    if not rows:
        raise KasuError(path, "no seeds", "a header and one or more rows")
    (line, header), *rows = rows
    columns = _columns(f"{path}:{line}", header)
    own = "subject_sg" in (name.strip().casefold() for name in header)
    seeds = [
        _seed(f"{path}:{line}", cells, columns, own, capitals == "lower", language)
        for line, cells in rows
    ]
    if not seeds:
        raise KasuError(path, "no seeds", "one or more rows below the header")
    _check_twice(seeds)
    return seeds


def _rows(path: str | Path) -> list[tuple[int, list[str]]]:
    """Read the cells of each line that is not blank, with the line number."""
    text = read_text(path)
    separator = "\t" if "\t" in text.partition("\n")[0] else ";"
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    try:
        return [(reader.line_num, cells) for cells in reader if any(map(str.strip, cells))]
    except csv.Error as error:
        raise KasuError(f"{path}:{reader.line_num}", str(error), "a table of text") from error


def _columns(place: str, header: Sequence[str]) -> list[str]:
    """Translate the header into the names of COLUMNS and OPTIONAL."""
    if len(header) == 1:
        raise KasuError(place, f"one column, {header[0].strip()!r}", "tabs or semicolons between")
    columns = []
    for name in (cell.strip().casefold() for cell in header):
        column = _RELEASED.get(name, name)
        if column not in COLUMNS and column not in OPTIONAL:
            raise KasuError(place, f"unknown column {name!r}", ", ".join((*COLUMNS, *OPTIONAL)))
        if column in columns:
            raise KasuError(place, f"column {name!r} twice", "once")
        columns.append(column)
    if missing := [column for column in COLUMNS if column not in columns]:
        raise KasuError(place, f"no column {missing[0]!r}", ", ".join(COLUMNS))
    return columns


def _seed(
    place: str, cells: Sequence[str], columns: Sequence[str], own: bool, lower: bool, language: str
) -> Seed:
    if len(cells) != len(columns):
        raise KasuError(place, f"{len(cells)} cells", f"{len(columns)}, separated as the header")
    chunks = {name: text for name, text in OPTIONAL.items() if text is not None}
    marks = {}
    for column, cell in zip(columns, cells, strict=True):
        # The space lowers the first capital too, since a chunk stands inside the sentence
        text = tidy(lower_capitals(f" {cell}", language) if lower else cell)
        if column.startswith("subject") and not own:
            text = uncapitalise(text, language)
        chunks[column], marks[column] = _unmark(f"{place}, column {column}", text)
        if cell.strip().startswith('"') and cell.strip().endswith('"'):
            expected = "no quotes around it, as a spreadsheet writes them"
            raise KasuError(f"{place}, column {column}", f"{cell.strip()[:60]} in quotes", expected)
        if "\0" in cell:
            raise KasuError(f"{place}, column {column}", "a NUL character", "text")
        if not chunks[column]:
            attractor = column[:-3] in ATTRACTORS
            raise KasuError(
                f"{place}, column {column}",
                "no attractor" if attractor else "an empty cell",
                "text",
            )
    chunks.setdefault("relative_pl", chunks["relative"])
    marks.setdefault("relative_pl", marks["relative"])
    _check_numbers(place, chunks)
    _check_stop(place, chunks)
    return Seed(place, chunks, marks, lower, language)


def _unmark(place: str, text: str) -> tuple[str, list[tuple[int, int]]]:
    """Remove the brackets; return the plain text and the spans of the marked words in it."""
    plain, marked = "", []
    for number, piece in enumerate(text.replace("]", "[").split("[")):
        if number % 2:  # every second piece is inside brackets
            marked.append((len(plain), len(plain) + len(piece)))
        plain += piece
    if not _MARKED.fullmatch(text):
        raise KasuError(place, f"{text!r}", "brackets in pairs")
    return plain, marked


def _check_numbers(place: str, chunks: Mapping[str, str]) -> None:
    for name in PAIRED:
        singular, plural = (chunks[f"{name}_{number}"] for number in NUMBERS)
        if singular.casefold() == plural.casefold():
            where = f"{place}, columns {name}_sg and {name}_pl"
            raise KasuError(where, f"{singular!r} twice", "a singular and a plural that differ")
    for attractor, number in itertools.product(ATTRACTORS, NUMBERS):
        columns = [f"{attractor}_{number}", f"{attractor.replace('pp', 'conjunct')}_{number}"]
        text, conjunct = (chunks[column] for column in columns)
        # With a plural subject, the wrong answer of a coordination would be the right one again
        if text.casefold() == conjunct.casefold():
            where = f"{place}, columns {' and '.join(columns)}"
            expected = "an attractor and a second subject that differ"
            raise KasuError(where, f"{text!r} twice", expected)


def _check_stop(place: str, chunks: Mapping[str, str]) -> None:
    for column in (f"verb_{number}" for number in NUMBERS):
        text, stop = chunks[column], chunks["stop"]
        if text.endswith(stop):
            expected = f"no {stop!r} at the end: `stop` adds it"
            raise KasuError(f"{place}, column {column}", repr(text), expected)


def _check_twice(seeds: Sequence[Seed]) -> None:
    known: dict[tuple[str, ...], Seed] = {}
    for seed in seeds:
        # Two seeds that share all three would have the same main clauses
        text = tuple(seed.chunks[c].casefold() for c in ("subject_sg", "pp1_sg", "verb_sg"))
        if text in known:
            first = known[text].place.rpartition(":")[2]
            found = f"the same as line {first} ({' '.join(text)!r})"
            where = f"{seed.place}, columns subject_sg, pp1_sg, verb_sg"
            raise KasuError(where, found, "each seed once")
        known[text] = seed
