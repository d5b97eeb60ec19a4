"""The tables of `kasu record`: a line for each table of a paper, or for each figure on record."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kasu.base.errors import KasuError, nearest
from kasu.records.reading import STUDIES, RecordEntry, read_record
from kasu.records.tallies import by_table
from kasu.report.display import display
from kasu.report.on_record import Tally
from kasu.results.published import PERCENT, file_slug

TALLY = ("study", "table", "printed", "on_record", "share", "words", "config", "commit")
ENTRY = (
    "study", "table", "system", "variant", "condition", "metric", "printed", "ours", "interval",
    "word", "reason", "config", "commit",
)  # fmt: skip


class Line(NamedTuple):
    """A line to print: its study, its cells, the same as facts, the configs that it comes from."""

    study: str
    cells: list[str]
    facts: dict[str, object]
    configs: list[str]


class RecordLines(NamedTuple):
    """What is on record of some printed figures: the columns, the lines, and the entries."""

    header: Sequence[str]
    lines: list[Line]
    entries: list[RecordEntry]


def look_up(
    paper: str | None = None, table: str | None = None, system: str | None = None
) -> RecordLines:
    """Return a line for each table; if a table or system is named, for each figure on record.

    Raises:
        KasuError: there is no record, or none of that paper, table or system.
    """
    entries = select(read_record(), paper, table, system)
    if table or system:
        return RecordLines(ENTRY, [entry_line(each) for each in entries if each.recorded], entries)
    return RecordLines(TALLY, [tally_line(each) for each in by_table(entries)], entries)


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
