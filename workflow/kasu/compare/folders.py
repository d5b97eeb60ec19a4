"""Compare two result folders by value: which files, columns, rows and cells differ.

Parquet and TSV files are compared cell by cell, all other files byte by byte. Logs, benchmarks,
resume states (`work/`), hidden files and the report's page are left out: they differ from run to
run.
"""

import filecmp
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatch
from itertools import zip_longest
from pathlib import Path, PurePosixPath

from kasu.base.errors import KasuError
from kasu.compare.cells import describe
from kasu.compare.tables import Rows, compare_tables

LONGEST_TEXT = 1 << 24  # bytes of a file whose lines are compared
TABLES = (".parquet", ".tsv")
EXEMPT_FOLDERS = ("benchmarks", "logs", "work")
EXEMPT = ("*.log", "report/*.html")


@dataclass(frozen=True)
class Options:
    """How to pair files and rows, and when two numbers are equal."""

    moved: Sequence[tuple[str, str]] = ()
    """Pairs of patterns that turn paths of OLD into paths of NEW; the first that matches counts.
    `*` stands for any characters but `/`, and in the second pattern for what it stood for in the
    first; a pattern also matches everything under a folder of that name."""
    ignore: Sequence[str] = ()
    """Patterns of paths to leave out; `*` also matches `/`."""
    key: Sequence[str] = ()
    """Columns that identify a row, in tables that have them all."""
    sort: bool = False
    """Whether rows may stand in another order."""
    tolerance: float = 0
    """The largest absolute difference between numbers that count as equal."""


@dataclass(frozen=True)
class Finding:
    """The result for one path of NEW: `equal`, `different`, `only in OLD` or `only in NEW`."""

    path: str
    state: str
    details: list[str] = field(default_factory=list)


def compare_folders(old: Path, new: Path, options: Options) -> Iterator[Finding]:
    """Compare every file under `old` and `new`; yield one finding per path of NEW, in order.

    Tables are read by row group. Where rows are not paired by their position, both tables of a
    path are held in memory.

    Raises:
        KasuError: a folder is missing or holds nothing to compare, or a table is unreadable.
    """
    old_files: dict[str, list[Path]] = defaultdict(list)
    for path in _paths(old, options.ignore):
        old_files[_moved(path, options.moved)].append(old / path)
    new_files = {path: new / path for path in _paths(new, options.ignore)}
    for path in sorted(old_files.keys() | new_files):
        if path not in new_files:
            yield Finding(path, "only in OLD")
        elif path not in old_files:
            yield Finding(path, "only in NEW")
        else:
            details = _compare_files(old_files[path], new_files[path], options)
            yield Finding(path, "different" if details else "equal", details)


def _paths(folder: Path, ignore: Sequence[str]) -> list[str]:
    """Return the files to compare, relative to `folder`, in order."""
    if not folder.is_dir():
        raise KasuError(folder, "no such folder")
    paths = []
    for file in folder.rglob("*"):
        path = PurePosixPath(file.relative_to(folder))
        exempt = any(part.startswith(".") or part in EXEMPT_FOLDERS for part in path.parts)
        exempt = exempt or any(fnmatch(str(path), pattern) for pattern in (*EXEMPT, *ignore))
        if file.is_file() and not exempt:
            paths.append(str(path))
    if not paths:
        raise KasuError(folder, "no files to compare", "a folder of results")
    return sorted(paths)


def _moved(path: str, moved: Sequence[tuple[str, str]]) -> str:
    """Return the path in NEW of a file of OLD."""
    for before, after in moved:
        pattern = "([^/]*)".join(map(re.escape, before.rstrip("/").split("*")))
        if match := re.fullmatch(f"{pattern}(/.*)?", path):
            *captured, rest = match.groups()
            start, *texts = after.rstrip("/").split("*")
            if len(texts) > len(captured):
                raise KasuError(f"--moved {before}={after}", "too many *", f"{len(captured)}")
            filled = "".join(star + text for star, text in zip(captured, texts, strict=False))
            return start + filled + (rest or "")
    return path


def _compare_files(old: Sequence[Path], new: Path, options: Options) -> list[str]:
    """Return the differences between a file of NEW and those of OLD that became it."""
    if len(old) == 1 and filecmp.cmp(old[0], new, shallow=False):
        return []
    if all(path.suffix in TABLES for path in (*old, new)):
        return compare_tables(
            Rows(old), Rows([new]), key=options.key, sort=options.sort, tolerance=options.tolerance
        )
    if len(old) > 1:
        return [f"{len(old)} files of OLD became one: only tables can be joined"]
    return _describe_files(old[0], new)


def _describe_files(old: Path, new: Path) -> list[str]:
    """Describe two files that differ: their sizes, and the first line if both are short texts."""
    sizes = [path.stat().st_size for path in (old, new)]
    details = ["bytes differ (size {} -> {})".format(*sizes)]
    if max(sizes) > LONGEST_TEXT:
        return details
    with suppress(UnicodeDecodeError):
        before, after = (path.read_bytes().decode().splitlines() for path in (old, new))
        lines = zip_longest(before, after)
        pairs = enumerate(lines, start=1)
        details += [describe(f"line {n}", *pair) for n, pair in pairs if pair[0] != pair[1]][:1]
    return details
