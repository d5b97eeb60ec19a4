"""Compare two result folders by value: which files, columns, rows and cells differ.

Parquet and TSV files are compared cell by cell, all other files byte by byte. Logs, benchmarks,
resume states (`work/`), hidden files and the report's page are left out: they differ from run to
run.
"""

import csv
import filecmp
import hashlib
import math
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatch
from itertools import islice, zip_longest
from pathlib import Path, PurePosixPath

import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.base.tables import ParquetReader

SHOWN = 5  # differing cells, and unpaired rows of a side, printed per file
WIDTH = 60  # characters of a printed value
PIECE = 16_384  # rows of a TSV read at a time
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
    """The files to compare, relative to `folder`, in order."""
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
    """The path in NEW of a file of OLD."""
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
    """The differences between one file of NEW and those of OLD that became it; none if equal."""
    if len(old) == 1 and filecmp.cmp(old[0], new, shallow=False):
        return []
    if all(path.suffix in TABLES for path in (*old, new)):
        return _compare_tables(_Rows(old), _Rows([new]), options)
    if len(old) > 1:
        return [f"{len(old)} files of OLD became one: only tables can be joined"]
    return _describe_files(old[0], new)


def _describe_files(old: Path, new: Path) -> list[str]:
    """The sizes of two files that differ, and the first line that does if both are short texts."""
    sizes = [path.stat().st_size for path in (old, new)]
    details = ["bytes differ (size {} -> {})".format(*sizes)]
    if max(sizes) > LONGEST_TEXT:
        return details
    with suppress(UnicodeDecodeError):
        before, after = (path.read_bytes().decode().splitlines() for path in (old, new))
        lines = zip_longest(before, after)
        pairs = enumerate(lines, start=1)
        details += [_describe(f"line {n}", *pair) for n, pair in pairs if pair[0] != pair[1]][:1]
    return details


class _Rows:
    """The rows of tables with the same columns, one after another."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = paths
        self.columns: dict[str, str] = {}  # name -> type
        self.count = 0
        for path in paths:
            columns, count = _shape(path)
            self.columns |= columns
            self.count += count

    def pieces(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """The rows as tables of bounded size."""
        for path in self.paths:
            if missing := [name for name in columns if name not in _shape(path)[0]]:
                raise KasuError(path, f"no column {missing[0]!r}", "it, as in the files it joins")
            for piece in _pieces(path, columns):
                yield piece.select(list(columns))


def _shape(path: Path) -> tuple[dict[str, str], int]:
    """The columns of a table with their types, and its number of rows."""
    if path.suffix == ".tsv":
        with open(path, encoding="utf-8", newline="") as file:
            header = next(csv.reader(file, delimiter="\t"), [])
        return dict.fromkeys(header, "text"), sum(piece.num_rows for piece in _pieces(path, ()))
    reader = ParquetReader(path)
    return {field.name: str(field.type) for field in reader.schema}, reader.rows


def _pieces(path: Path, columns: Sequence[str]) -> Iterator[pa.Table]:
    """A table in pieces of bounded size, with at least `columns`."""
    if path.suffix == ".parquet":
        for batch in ParquetReader(path).batches(PIECE, columns):
            yield pa.Table.from_batches([batch])
        return
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.reader(file, delimiter="\t", strict=True)
            header = next(reader, [])
            while rows := list(islice(reader, PIECE)):
                if any(len(row) != len(header) for row in rows):
                    raise KasuError(path, "a row of another length", f"{len(header)} cells")
                yield pa.table(dict(zip(header, zip(*rows, strict=True), strict=True)))
    except (UnicodeDecodeError, csv.Error) as error:
        raise KasuError(path, f"unreadable TSV ({error})") from error


def _compare_tables(old: _Rows, new: _Rows, options: Options) -> list[str]:
    """The differences between the columns, rows and cells of two tables."""
    details = _compare_columns(old.columns, new.columns)
    common = [name for name in old.columns if name in new.columns]
    cells = _Cells(options.tolerance)
    keyed = bool(options.key) and set(options.key) <= set(common)
    if old.count == new.count and not keyed and not options.sort:
        at = 0
        for old_piece, new_piece in _aligned(old.pieces(common), new.pieces(common)):
            numbers = range(at, at + old_piece.num_rows)
            cells.compare(old_piece, new_piece, numbers)
            at += old_piece.num_rows
        return details + cells.details()
    old_table, new_table = _whole(old, common), _whole(new, common)
    key = options.key if keyed else ()
    pairs, removed, added = _pair(old_table, new_table, key)
    before, after = zip(*pairs, strict=True) if pairs else ((), ())
    old_rows = old_table.take(pa.array(before, pa.int64()))
    new_rows = new_table.take(pa.array(after, pa.int64()))
    cells.compare(old_rows, new_rows, before)
    details += cells.details()
    details += _unpaired("only in OLD", old_table, removed)
    return details + _unpaired("only in NEW", new_table, added)


def _compare_columns(old: dict[str, str], new: dict[str, str]) -> list[str]:
    details = []
    for side, names in (("OLD", old.keys() - new), ("NEW", new.keys() - old)):
        if names:
            details.append(f"columns only in {side}: {', '.join(sorted(names))}")
    for name in old:
        if name in new and old[name] != new[name]:
            details.append(f"column {name}: type {old[name]} -> {new[name]}")
    common = [name for name in new if name in old]
    if common != [name for name in old if name in new]:
        details.append(f"columns in another order: {', '.join(new)}")
    return details


def _aligned(old: Iterator[pa.Table], new: Iterator[pa.Table]) -> Iterator[tuple[pa.Table, ...]]:
    """Two sequences of pieces, with as many rows in all, cut at the same rows."""
    before, after = next(old, None), next(new, None)
    while before is not None and after is not None:
        rows = min(before.num_rows, after.num_rows)
        yield before.slice(0, rows), after.slice(0, rows)
        before = before.slice(rows) if rows < before.num_rows else next(old, None)
        after = after.slice(rows) if rows < after.num_rows else next(new, None)


def _whole(rows: _Rows, columns: Sequence[str]) -> pa.Table:
    pieces = list(rows.pieces(columns)) or [pa.table({name: [] for name in columns})]
    return pa.concat_tables(pieces, promote_options="permissive")


def _pair(
    old: pa.Table, new: pa.Table, key: Sequence[str]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pair the rows of two tables, whatever their order.

    Equal rows are paired first; then those with the same key, or without a key those that differ
    in floating-point columns alone.

    Returns:
        Row numbers of the pairs in order of `old`, and of the unpaired rows of `old` and of `new`.
    """
    pairs, removed, added = _match(
        dict(enumerate(_digests(old, old.column_names))),
        dict(enumerate(_digests(new, new.column_names))),
    )
    old_floats, new_floats = _float_columns(old), _float_columns(new)
    exact = [name for name in old.column_names if name not in old_floats | new_floats]
    columns = key or exact
    if removed and added:
        old_digests, new_digests = _digests(old, columns), _digests(new, columns)
        # Of rows with the same key, the smallest numbers come first on both sides
        by_value = [name for name in old.column_names if name not in exact]
        more, removed, added = _match(
            {row: old_digests[row] for row in _by_value(old, removed, by_value)},
            {row: new_digests[row] for row in _by_value(new, added, by_value)},
        )
        pairs += more
    return sorted(pairs), sorted(removed), sorted(added)


def _match(
    old: dict[int, bytes], new: dict[int, bytes]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pair row numbers with the same digest, first with first; also the rows left over."""
    waiting: dict[bytes, deque[int]] = defaultdict(deque)
    for row, digest in old.items():
        waiting[digest].append(row)
    pairs, added = [], []
    for row, digest in new.items():
        if waiting.get(digest):
            pairs.append((waiting[digest].popleft(), row))
        else:
            added.append(row)
    return pairs, [row for rows in waiting.values() for row in rows], added


def _digests(table: pa.Table, columns: Sequence[str]) -> list[bytes]:
    """A digest of each row's cells; all the same if there are no columns."""
    if not columns:
        return [b""] * table.num_rows
    digests = []
    for batch in table.select(list(columns)).to_batches(max_chunksize=PIECE):
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            digests.append(hashlib.blake2b(repr(row).encode(), digest_size=16).digest())
    return digests


def _float_columns(table: pa.Table) -> set[str]:
    """The columns of floating-point numbers, also in lists, or of text that is all numbers."""
    return {
        name
        for name, column in zip(table.column_names, table.columns, strict=True)
        if "float" in str(column.type)
        or "double" in str(column.type)
        or (pa.types.is_string(column.type) and _are_decimals(column))
    }


def _are_decimals(column: pa.ChunkedArray) -> bool:
    """Whether a column of text holds numbers, empty cells apart, and not integers alone."""
    texts = {text for text in column.to_pylist() if text}
    return any(not text.isdigit() for text in texts) and None not in map(_number, texts)


def _by_value(table: pa.Table, rows: Sequence[int], columns: Sequence[str]) -> list[int]:
    """The given rows, in order of their cells in `columns`."""
    if not columns:
        return list(rows)
    cells = table.select(list(columns)).take(rows).to_pylist()
    order = sorted(range(len(rows)), key=lambda at: [_rank(cell) for cell in cells[at].values()])
    return [rows[at] for at in order]


def _rank(cell: object) -> tuple[bool, float, str]:
    """A sort key: numbers first, by value."""
    number = _number(cell)
    if number is None or math.isnan(number):
        return (True, 0, repr(cell))
    return (False, number, "")


def _number(cell: object) -> float | None:
    """The value of a number, or of text that spells one."""
    if isinstance(cell, (str, int, float)):
        try:
            return float(cell)
        except ValueError:
            return None
    return None


class _Cells:
    """Collects the cells that differ between paired rows: counts of all, the first few to show."""

    def __init__(self, tolerance: float) -> None:
        self.tolerance = tolerance
        self.rows = 0
        self.by_column: Counter[str] = Counter()
        self.shown: list[str] = []

    def compare(self, old: pa.Table, new: pa.Table, numbers: Sequence[int]) -> None:
        """Compare tables row by row; `numbers` are the row numbers of `old` in its file."""
        changed: dict[int, list[tuple[str, object, object]]] = defaultdict(list)
        for name in old.column_names:
            before, after = old[name], new[name]
            if before.type == after.type and before.equals(after):
                continue
            cells = zip(before.to_pylist(), after.to_pylist(), strict=True)
            for at, (left, right) in enumerate(cells):
                if not self._same(left, right):
                    self.by_column[name] += 1
                    changed[at].append((name, left, right))
        self.rows += len(changed)
        for at in sorted(changed):
            for change in changed[at][: SHOWN - len(self.shown)]:
                self.shown.append(f"  row {numbers[at] + 1}, {_describe(*change)}")

    def _same(self, left: object, right: object) -> bool:
        if left == right:
            return True
        if isinstance(left, list) and isinstance(right, list):
            return len(left) == len(right) and all(map(self._same, left, right))
        if isinstance(left, float) and isinstance(right, float) and math.isnan(left):
            return math.isnan(right)
        if not self.tolerance:
            return False
        before, after = _number(left), _number(right)
        return before is not None and after is not None and abs(before - after) <= self.tolerance

    def details(self) -> list[str]:
        """How many rows and cells changed, and the first of them."""
        if not self.rows:
            return []
        columns = ", ".join(f"{name} ({count})" for name, count in self.by_column.items())
        return [f"rows changed: {self.rows}; cells: {columns}", *self.shown]


def _describe(name: str, left: object, right: object) -> str:
    """A changed cell; of lists of the same length, the first element that differs."""
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        at = next(at for at in range(len(left)) if left[at] != right[at])
        return _describe(f"{name}[{at}]", left[at], right[at])
    start = 0
    if isinstance(left, str) and isinstance(right, str):
        pairs = zip(left, right, strict=False)
        start = next((at for at, (before, after) in enumerate(pairs) if before != after), 0)
    return f"{name}: {_short(left, start)} -> {_short(right, start)}"


def _unpaired(side: str, table: pa.Table, rows: Sequence[int]) -> list[str]:
    """How many rows one side alone has, and the first of them."""
    if not rows:
        return []
    details = [f"rows {side}: {len(rows)}"]
    for row in rows[:SHOWN]:
        cells = table.slice(row, 1).to_pylist()[0]
        text = ", ".join(f"{name}={_short(cell)}" for name, cell in cells.items())
        details.append(f"  row {row + 1}, {text}")
    return details


def _short(value: object, start: int = 0) -> str:
    """The value as Python writes it; of a long one, the part around `start`."""
    text = repr(value)
    first = max(0, start - WIDTH // 3) if len(text) > WIDTH else 0
    cut = text[first : first + WIDTH]
    return "…" * (first > 0) + cut + "…" * (first + WIDTH < len(text))
