"""`kasu record`: what Kasu has measured of each printed figure, without a run."""

import argparse
import json
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

from kasu.base.errors import KasuError, nearest
from kasu.base.visible import visible
from kasu.job.run import log
from kasu.records.reading import (
    SCALES,
    STUDIES,
    UNJUDGED,
    RecordEntry,
    command_of,
    rank,
    read_record,
)
from kasu.records.tallies import by_table
from kasu.report.display import display
from kasu.report.on_record import Tally
from kasu.results.published import PERCENT, file_slug

EPILOG = f"""\
examples:
  kasu record
  kasu record --paper agreement
  kasu record --table 'Table 4' --paper basque2018
  kasu record --system uzh --json

Without --table or --system a line is a table of a paper: how many figures it prints, how many of
these have one of ours on record, their words, the configs that measured them (a file each in
config/), and the commit that measured most. With either, a line is a figure, a claim or a
fingerprint on record; the tables 'claims', 'claims about print' and 'fingerprints' are Kasu's own.

A figure on record from several configs is that of the first of these, whatever its word:
{", ".join(SCALES)}. '{UNJUDGED}' is said of members by language, which are on record without an
interval (fingerprints judge them together), and of figures of another variant than the study's
default. docs/how-it-works.md says what the other words mean.

exit status: 0 something is on record, 1 nothing, 2 error
"""
TALLY = ("study", "table", "printed", "on_record", "share", "words", "config", "commit")
ENTRY = (
    "study", "table", "system", "variant", "condition", "metric", "printed", "ours", "interval",
    "word", "reason", "config", "commit",
)  # fmt: skip
GAP = "  "


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Print which printed figures have one of ours on record, and their words."
    parser.epilog = EPILOG
    parser.add_argument("--paper", metavar="NAME", help="only of this paper, or study")
    parser.add_argument("--table", metavar="NAME", help="each figure of this table")
    parser.add_argument("--system", metavar="NAME", help="each figure of this system")
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")


def run(arguments: argparse.Namespace) -> int:
    """Print; return the exit status, 0 if something is on record and 1 if nothing is.

    Raises:
        KasuError: there is no record, or none of that paper, table or system.
    """
    entries = select(read_record(), arguments.paper, arguments.table, arguments.system)
    figures = [entry for entry in entries if entry.printed]
    known = [entry for entry in entries if entry.recorded]
    if arguments.table or arguments.system:
        _print(ENTRY, [entry_line(each) for each in known], arguments.json)
    else:
        _print(TALLY, [tally_line(each) for each in by_table(entries)], arguments.json)
    ours, of = sum(entry.recorded for entry in figures), len(figures)
    if figures:
        log.info(f"{ours:,} of {of:,} printed figures have one of ours on record")
    return 0 if known else 1


def select(
    entries: Sequence[RecordEntry],
    paper: str | None = None,
    table: str | None = None,
    system: str | None = None,
) -> list[RecordEntry]:
    """Return the entries of a paper or study, of a table and of a system, each if named.

    Large and small letters are equal, and a table may be named as its file is: `table_4`.

    Raises:
        KasuError: there is no such name among those that the names before it leave.
    """
    chosen = list(entries)
    if paper is not None:
        names = [*(study.name for study in STUDIES), *(study.paper for study in STUDIES)]
        _expect("--paper", paper, names)
        chosen = [each for each in chosen if _same(paper, each.study) or _same(paper, each.paper)]
    if table is not None:
        _expect("--table", table, (each.table for each in chosen))
        chosen = [each for each in chosen if _same(table, each.table)]
    if system is not None:
        _expect("--system", system, (each.system for each in chosen))
        chosen = [each for each in chosen if _same(system, each.system)]
    return chosen


def _expect(option: str, name: str, known: Iterable[str]) -> None:
    names = list(dict.fromkeys(known))
    if not any(_same(name, each) for each in names):
        raise KasuError(option, f"no {name!r}", nearest(name, names))


def _same(one: str, other: str) -> bool:
    return file_slug(one) == file_slug(other)


class Line(NamedTuple):
    """A line to print: its study, its cells, the same as facts, the configs that it comes from."""

    study: str
    cells: list[str]
    facts: dict[str, object]
    configs: list[str]


def tally_line(each: Tally) -> Line:
    """Return what is on record of a table."""
    cells = [
        each.study,
        each.table,
        f"{each.printed}",
        f"{each.recorded}",
        f"{each.recorded / each.printed:.0%}",
        ", ".join(f"{word} {count}" for word, count in each.words.items()),
        ", ".join(each.configs),
        _first(each.commits),
    ]
    facts = vars(each) | {"recorded": each.recorded}
    return Line(each.study, cells, facts, list(each.configs))


def _first(commits: Sequence[str]) -> str:
    return "".join(commits[:1]) + (f" +{len(commits) - 1}" if len(commits) > 1 else "")


def entry_line(entry: RecordEntry) -> Line:
    """Return what is on record of a figure, with the digits of print."""
    digits, percent = entry.digits, entry.unit == PERCENT
    ours = display(entry.ours, digits, percent, near=entry.published)
    low, high = (display(end, digits, percent) for end in (entry.low, entry.high))
    facts = vars(entry)
    shown = facts | {"ours": ours, "interval": f"{low}–{high}" if low else ""}
    cells = [str(shown[name]).replace("|", " | ") for name in ENTRY]
    return Line(entry.study, cells, facts, [entry.config])


def _print(header: Sequence[str], lines: Sequence[Line], as_json: bool) -> None:
    """Print JSON objects; else a table, for a terminal in columns that fit it."""
    if as_json:
        for line in lines:
            print(json.dumps(line.facts, ensure_ascii=False))
        return
    lines = [line._replace(cells=list(map(visible, line.cells))) for line in lines]
    if sys.stdout.isatty():
        for study, of_study in groupby(lines, key=lambda line: line.study):
            width = shutil.get_terminal_size().columns
            print("\n".join(block(study, header, list(of_study), width)), end="\n\n")
    else:
        for row in (header, *(line.cells for line in lines)):
            print("\t".join(row))


def block(study: str, header: Sequence[str], lines: Sequence[Line], width: int) -> Iterator[str]:
    """Return the lines of a study: what all its rows share, the rows, how to repeat them."""
    shared, shown = [study], []
    for name, *column in zip(header, *(line.cells for line in lines), strict=True):
        if name != "study" and any(column):
            if len(set(column)) == 1 and len(lines) > 1:
                shared.append(f"{name} {column[0]}")
            else:
                shown.append([name.replace("_", " "), *column])
    yield ", ".join(shared)
    yield from fit(list(zip(*shown, strict=True)), width)
    for config in sorted({config for line in lines for config in line.configs}, key=rank):
        yield f"again: {command_of(study, config)}"


def fit(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return the lines of a table in columns; if too wide, the widest are wrapped.

    No word is broken, so a table may stay wider.
    """
    words = [[max(map(len, cell.split()), default=0) for cell in row] for row in rows]
    least = [max(column) for column in zip(*words, strict=True)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    while sum(widths) + len(GAP) * (len(widths) - 1) > width and widths != least:
        spare = [at if at > bound else 0 for at, bound in zip(widths, least, strict=True)]
        widths[spare.index(max(spare))] -= 1
    lines = []
    for row in rows:
        wrapped = [
            textwrap.wrap(cell, at, break_long_words=False, break_on_hyphens=False) or [""]
            for cell, at in zip(row, widths, strict=True)
        ]
        for part in zip_longest(*wrapped, fillvalue=""):
            padded = (f"{cell:{at}}" for cell, at in zip(part, widths, strict=True))
            lines.append(GAP.join(padded).rstrip())
    return lines
