"""Compare two tables by value, with rows paired by position, by key or by content."""

import hashlib
import math
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.compare.cells import SHOWN, Cells, as_number, short
from kasu.files.tables import ParquetReader, expect_distinct, tsv_rows

PIECE = 16_384  # rows of a TSV read at a time


class Table:
    """A parquet or TSV file.

    Attributes:
        columns: the type of each column by name; `text` in a TSV.
        count: the number of rows.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.suffix == ".tsv":
            with _tsv(path) as cells:
                header = expect_distinct(path, next(cells, (0, []))[1])
            self.columns = dict.fromkeys(header, "text")
            self.count = sum(piece.num_rows for piece in self._pieces(()))
        else:
            reader = ParquetReader(path)
            self.columns = {field.name: str(field.type) for field in reader.schema}
            self.count = reader.rows

    def pieces(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield the rows as tables of bounded size."""
        for piece in self._pieces(columns):
            yield piece.select(list(columns))

    def _pieces(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield the rows as tables of bounded size, with at least `columns`."""
        if self.path.suffix == ".parquet":
            for batch in ParquetReader(self.path).batches(PIECE, columns):
                yield pa.Table.from_batches([batch])
            return
        with _tsv(self.path) as reader:
            header = expect_distinct(self.path, next(reader, (0, []))[1])
            while numbered := list(islice(reader, PIECE)):
                for number, row in numbered:
                    if len(row) != len(header):
                        where = f"{self.path}:{number}"
                        raise KasuError(where, f"{len(row)} cells", f"{len(header)}")
                rows = [row for _, row in numbered]
                yield pa.table(dict(zip(header, zip(*rows, strict=True), strict=True)))


@contextmanager
def _tsv(path: Path) -> Iterator[Iterator[tuple[int, list[str]]]]:
    """Yield the numbered rows of a TSV, its header first; a failure to read is one line."""
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            yield tsv_rows(file, path)
    except UnicodeDecodeError as error:
        raise KasuError(path, f"unreadable TSV ({error})") from error


def compare_tables(
    old: Table, new: Table, *, key: Sequence[str], sort: bool, tolerance: float
) -> list[str]:
    """Return the differences between the columns, rows and cells of two tables.

    Args:
        key: columns that identify a row, if both tables have them all.
        sort: whether rows may stand in another order.
        tolerance: the largest absolute difference between numbers that count as equal.
    """
    details = _compare_columns(old.columns, new.columns)
    common = [name for name in old.columns if name in new.columns]
    cells = Cells(tolerance)
    keyed = bool(key) and set(key) <= set(common)
    if old.count == new.count and not keyed and not sort:
        at = 0
        for old_piece, new_piece in _aligned(old.pieces(common), new.pieces(common)):
            numbers = range(at, at + old_piece.num_rows)
            cells.compare(old_piece, new_piece, numbers)
            at += old_piece.num_rows
        return details + cells.details()
    old_table, new_table = _whole(old, common), _whole(new, common)
    pairs, removed, added = _pair(old_table, new_table, key if keyed else ())
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
    """Yield pieces of two sequences with as many rows in all, cut at the same rows."""
    before, after = next(old, None), next(new, None)
    while before is not None and after is not None:
        rows = min(before.num_rows, after.num_rows)
        yield before.slice(0, rows), after.slice(0, rows)
        before = before.slice(rows) if rows < before.num_rows else next(old, None)
        after = after.slice(rows) if rows < after.num_rows else next(new, None)


def _whole(table: Table, columns: Sequence[str]) -> pa.Table:
    pieces = list(table.pieces(columns)) or [pa.table({name: [] for name in columns})]
    return pa.concat_tables(pieces)


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
        # Rows with the same key are paired in order of their numbers
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
    """Return a digest of each row's cells; all the same if there are no columns."""
    if not columns:
        return [b""] * table.num_rows
    digests = []
    for batch in table.select(list(columns)).to_batches(max_chunksize=PIECE):
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            digests.append(hashlib.blake2b(repr(row).encode(), digest_size=16).digest())
    return digests


def _float_columns(table: pa.Table) -> set[str]:
    """Return the columns of floats, also in lists, or of text that is all numbers."""
    return {
        name
        for name, column in zip(table.column_names, table.columns, strict=True)
        if "float" in str(column.type)
        or "double" in str(column.type)
        or (pa.types.is_string(column.type) and _are_decimals(column))
    }


def _are_decimals(column: pa.ChunkedArray) -> bool:
    """Return whether a column of text holds numbers, empty cells apart, and not integers alone."""
    texts = {text for text in column.to_pylist() if text}
    return any(not text.isdigit() for text in texts) and None not in map(as_number, texts)


def _by_value(table: pa.Table, rows: Sequence[int], columns: Sequence[str]) -> list[int]:
    """Return the given rows, in order of their cells in `columns`."""
    if not columns:
        return list(rows)
    cells = table.select(list(columns)).take(rows).to_pylist()
    order = sorted(range(len(rows)), key=lambda at: [_rank(cell) for cell in cells[at].values()])
    return [rows[at] for at in order]


def _rank(cell: object) -> tuple[bool, float, str]:
    """Return a sort key: numbers first, by value."""
    number = as_number(cell)
    if number is None or math.isnan(number):
        return (True, 0, repr(cell))
    return (False, number, "")


def _unpaired(side: str, table: pa.Table, rows: Sequence[int]) -> list[str]:
    """Say how many rows one side alone has, and the first of them."""
    if not rows:
        return []
    details = [f"rows {side}: {len(rows)}"]
    for row in rows[:SHOWN]:
        cells = table.slice(row, 1).to_pylist()[0]
        text = ", ".join(f"{name}={short(cell)}" for name, cell in cells.items())
        details.append(f"  row {row + 1}, {text}")
    return details
