"""Compare two result folders by value: which files, columns, rows and cells differ.

Parquet and TSV files are compared cell by cell, all other files byte by byte. Logs, benchmarks,
resume states (`<study>/work/`), hidden files and the report's page are left out: they differ from
run to run. Links are followed, as to a larger disk.
"""

import filecmp
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatch
from itertools import zip_longest
from pathlib import Path, PurePosixPath

from kasu.base.errors import KasuError
from kasu.compare.cells import describe
from kasu.compare.tables import Table, compare_tables

LONGEST_TEXT = 1 << 24  # bytes of a file whose lines are compared
TABLES = (".parquet", ".tsv")
EXEMPT = ("benchmarks/*", "logs/*", "*.log", "report/*.html", "report/*.json")


@dataclass(frozen=True)
class Options:
    """What to compare, how to pair rows, and when two numbers are equal."""

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
    """The result for one path: `equal`, `different`, `only in OLD` or `only in NEW`."""

    path: str
    state: str
    details: list[str] = field(default_factory=list)


def compare_folders(old: Path, new: Path, options: Options) -> Iterator[Finding]:
    """Compare every file under `old` and `new`; yield one finding per path, in order.

    Tables are read by row group. Where rows are not paired by their position, both tables of a
    path are held in memory.

    Raises:
        KasuError: a folder is missing or holds nothing to compare, no table of both has the columns
            of `key`, or a table is unreadable.
    """
    before, after = (_paths(folder, options.ignore) for folder in (old, new))
    if options.key:
        _expect_key(old, new, sorted(before & after), options.key)
    for path in sorted(before | after):
        if path not in after:
            yield Finding(path, "only in OLD")
        elif path not in before:
            yield Finding(path, "only in NEW")
        else:
            details = _compare_files(old / path, new / path, options)
            yield Finding(path, "different" if details else "equal", details)


def _paths(folder: Path, ignore: Sequence[str]) -> set[str]:
    """Return the files to compare, relative to `folder`."""
    if not folder.is_dir():
        raise KasuError(folder, "no such folder")
    paths = set()
    for file in _files(folder):
        path = PurePosixPath(file.relative_to(folder))
        exempt = any(fnmatch(str(path), pattern) for pattern in (*EXEMPT, *ignore))
        if not exempt and not _is_state(path):
            paths.add(str(path))
    if not paths:
        raise KasuError(folder, "no files to compare", "a folder of results")
    return paths


def _files(folder: Path, above: Sequence[Path] = ()) -> Iterator[Path]:
    """Yield all files under a folder that are not hidden, also behind links.

    Args:
        above: the folders that it lies in; a link back to one of them leads nowhere new.

    Raises:
        KasuError: a link leads to nothing, as to a disk that is not there.
    """
    real = folder.resolve()
    if real in above:
        return
    for path in folder.iterdir():
        if path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _files(path, (*above, real))
        elif path.is_file():
            yield path
        elif path.is_symlink():
            raise KasuError(path, "a link to nothing", "a file or a folder")


def _expect_key(old: Path, new: Path, paths: Sequence[str], key: Sequence[str]) -> None:
    """Expect a table in both folders that has all the columns of `key`."""
    for path in paths:
        if PurePosixPath(path).suffix in TABLES:
            before, after = (Table(folder / path).columns for folder in (old, new))
            if set(key) <= before.keys() & after.keys():
                return
    found = f"no table in both folders has {', '.join(map(repr, key))}"
    raise KasuError("--key", found, "columns of one, such as 'item,system'")


def _is_state(path: PurePosixPath) -> bool:
    """Return whether a file lies in `<study>/work/` or `models/work/`."""
    # Below `corpora/`, folders have the names of corpora
    return path.parts[1:2] == ("work",) and path.parts[0] != "corpora"


def _compare_files(old: Path, new: Path, options: Options) -> list[str]:
    """Return the differences between two files."""
    if filecmp.cmp(old, new, shallow=False):
        return []
    if new.suffix in TABLES:
        return compare_tables(
            Table(old), Table(new), key=options.key, sort=options.sort, tolerance=options.tolerance
        )
    return _describe_files(old, new)


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
