"""Parquet and TSV: files are written whole or not at all, and damage is noticed when they are read.

A TSV is plain: a tab between two cells, a line for each row, and quotation marks are text. So no
cell holds a tab or the end of a line. Of others' files `is_quoted` tells those that are quoted.

The bytes of a parquet file depend only on its rows. All of the library reads parquet here, since
pyarrow does not verify checksums unless it is told to.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from kasu.base.errors import KasuError
from kasu.base.limits import hint, reraise_limit
from kasu.files.hashes import file_hash as file_hash
from kasu.files.parts import landing as landing
from kasu.files.parts import write_text as write_text
from kasu.files.reading import read_text

if TYPE_CHECKING:
    from pyarrow.compute import Expression

ROW_GROUP = 16_384
SEPARATOR = re.compile("[\t\r\n]")


class ParquetWriter:
    """Write arrow tables of one schema as they come, holding about one row group in memory.

    Row groups have one size whatever the size of the tables, so the bytes do not depend on how
    the work was divided. Use it inside `landing`.

    Args:
        path: the file.
        schema: names and types of the columns.
        row_group: rows in a row group. Each group keeps some 2 KB a column in memory until the
            file is closed, so a table of very many narrow rows has large ones.
    """

    def __init__(self, path: str | Path, schema: pa.Schema, row_group: int = ROW_GROUP) -> None:
        self.schema = schema
        self.rows = 0
        self._row_group = row_group
        self._pending: list[pa.Table] = []
        self._pending_rows = 0
        self._writer = pq.ParquetWriter(path, schema, compression="zstd", write_page_checksum=True)

    def write(self, rows: pa.Table | Sequence[Mapping[str, object]]) -> None:
        """Append rows: an arrow table, or mappings from column name to value."""
        table = rows if isinstance(rows, pa.Table) else pa.Table.from_pylist(rows, self.schema)
        self._pending.append(table.cast(self.schema))
        self._pending_rows += table.num_rows
        self.rows += table.num_rows
        if self._pending_rows >= self._row_group:
            self._flush(self._pending_rows - self._pending_rows % self._row_group)

    def _flush(self, rows: int) -> None:
        # Combine first: the page layout would depend on the bounds of the chunks
        table = pa.concat_tables(self._pending).combine_chunks()
        self._writer.write_table(table.slice(0, rows), row_group_size=self._row_group)
        self._pending = [table.slice(rows)]
        self._pending_rows = table.num_rows - rows

    def __enter__(self) -> "ParquetWriter":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None and self._pending_rows:
            self._flush(self._pending_rows)
        self._writer.close()


def write_parquet(
    path: str | Path, rows: pa.Table | Iterable[Mapping[str, object]], schema: pa.Schema
) -> None:
    """Write a whole parquet file in the given row order, whole or not at all."""
    with landing(path) as part, ParquetWriter(part, schema) as writer:
        writer.write(rows if isinstance(rows, pa.Table) else list(rows))


def read_parquet(
    path: str | Path, columns: list[str] | None = None, filters: "Expression | None" = None
) -> pa.Table:
    """Read a whole parquet file, or those of its rows that pass the filters.

    Raises:
        KasuError: the file is missing, a folder, damaged or not parquet, or a column is missing.
    """
    if Path(path).is_dir():  # pyarrow reads all files in it as one table
        raise KasuError(path, "a folder", "a parquet file")
    if filters is None:  # a filter needs pyarrow's datasets, which import pandas
        return ParquetReader(path).table(columns)
    with _one_line(path):
        return pq.read_table(
            path,
            columns=columns,
            filters=filters,
            page_checksum_verification=True,
            pre_buffer=False,
        )


class ParquetReader:
    """Stream a parquet file. Pages without a checksum, as other programs write them, also read.

    Attributes:
        schema: names and types of the columns.
        rows: their number.

    Raises:
        KasuError: the file is missing or not parquet.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = path
        with _one_line(path), pq.ParquetFile(path) as file:
            self.schema: pa.Schema = file.schema_arrow
            self.rows: int = file.metadata.num_rows

    def batches(
        self, size: int = ROW_GROUP, columns: Sequence[str] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Yield the rows in order, `size` at a time; all columns unless some are named.

        Raises:
            KasuError: a column is missing, two have its name, or a page is damaged.
        """
        with self._open(columns) as file:
            rows = 0
            # No threads: a caller may fork worker processes between two batches
            for batch in file.iter_batches(size, columns=columns, use_threads=False):
                rows += batch.num_rows
                yield batch
            # The checksum of a page does not cover its header, without which it may be skipped
            if rows != self.rows:
                raise OSError(f"only {rows} of {self.rows} rows")

    def table(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Read all rows at once; raises as `batches`."""
        with self._open(columns) as file:
            table = file.read(columns)
            return table if columns is None else table.select(columns)

    @contextmanager
    def _open(self, columns: Sequence[str] | None) -> Iterator[pq.ParquetFile]:
        if missing := [name for name in columns or () if name not in self.schema.names]:
            found = f"no column {missing[0]!r} among {', '.join(self.schema.names)}"
            raise KasuError(self.path, found, ", ".join(columns or ()))
        expect_distinct(
            self.path, (n for n in self.schema.names if columns is None or n in columns)
        )
        with (
            _one_line(self.path),
            # By default pyarrow keeps every page that it has read until the file is closed
            pq.ParquetFile(self.path, page_checksum_verification=True, pre_buffer=False) as file,
        ):
            yield file


@contextmanager
def _one_line(path: str | Path) -> Iterator[None]:
    """Turn what pyarrow raises for an unreadable file into a KasuError that names the file."""
    try:
        with hint(path):
            yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reraise_limit(error)
        reason = (str(error) or repr(error)).splitlines()[0]
        raise KasuError(path, f"unreadable parquet ({reason})") from error


class PlainTsv(csv.Dialect):
    """Tab-separated cells without quoting or escapes."""

    delimiter = "\t"
    lineterminator = "\n"
    quoting = csv.QUOTE_NONE
    quotechar = None


def write_tsv(
    path: str | Path, rows: Iterable[Mapping[str, object]], columns: Sequence[str]
) -> None:
    """Write a tab-separated table with a header; None is an empty cell.

    Raises:
        KasuError: a cell holds a tab, the end of a line or no text in UTF-8, or a row is one empty
            cell.
    """
    with landing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, dialect=PlainTsv)
        writer.writeheader()
        for row in rows:
            for column, cell in row.items():
                if SEPARATOR.search(text := str(cell)):
                    raise KasuError(f"{path}, {column}", f"a cell {text!r}", "one line, no tab")
            try:
                writer.writerow(row)
            except UnicodeEncodeError as error:
                raise KasuError(path, f"a cell {error.object!r}", "text in UTF-8") from error
            except csv.Error as error:  # the reader would take the line for a blank one
                raise KasuError(path, "a row of one empty cell", "a text") from error


def read_tsv(
    path: str | Path, columns: Sequence[str] = (), read_name: Callable[[str], str] = str
) -> list[dict[str, str]]:
    """Read a tab-separated table with a header; every cell is text, with the quotes it has.

    Blanks around the name of a column are stripped, and blank lines skipped.

    Args:
        columns: those that must be there.
        read_name: reads the name of a column, where programs may have quoted it.

    Raises:
        KasuError: the file is missing or no regular file; one of `columns` is missing, two columns
            have one name, a line has the wrong number of cells, the text is not UTF-8, or as
            `split_row`.
    """
    lines = tsv_rows(read_text(path).split("\n"), path)
    first, names = next(lines, (1, []))
    header = expect_distinct(f"{path}:{first}", map(read_name, names))
    if missing := [column for column in columns if column not in header]:
        raise KasuError(f"{path}:{first}", f"no column {missing[0]!r}", f"{', '.join(columns)}")
    rows = []
    for number, cells in lines:
        if len(cells) != len(header):
            raise KasuError(f"{path}:{number}", "wrong number of cells", f"{len(header)}")
        rows.append(dict(zip(header, cells, strict=True)))
    return rows


def read_csv(path: str | Path, separator: str = ",") -> list[dict[str, str]]:
    """Read a table with commas between cells and a header; every cell is text.

    Blanks around the name of a column are stripped, and blank lines skipped.

    Raises:
        KasuError: as `read_text` and `csv_rows`; two columns have one name, or a line has the wrong
            number of cells.
    """
    lines = csv_rows(io.StringIO(read_text(path), newline=""), path, separator)
    first, names = next(lines, (1, []))
    header = expect_distinct(f"{path}:{first}", names)
    rows = []
    for number, cells in lines:
        if len(cells) != len(header):
            raise KasuError(f"{path}:{number}", f"{len(cells)} cells", f"{len(header)}")
        rows.append(dict(zip(header, cells, strict=True)))
    return rows


def csv_rows(
    lines: Iterable[str], where: object, separator: str = ","
) -> Iterator[tuple[int, list[str]]]:
    """Yield the last line and the cells of each row that is not blank; `where` names the file.

    Raises:
        KasuError: a quotation mark does not close, or is not doubled within a quoted cell.
    """
    reader = csv.reader(lines, delimiter=separator, strict=True)
    try:
        for cells in filter(None, reader):
            yield reader.line_num, cells
    except csv.Error as error:
        found = f"no CSV ({error})"
        raise KasuError(f"{where}:{reader.line_num}", found, "closed quotes") from error


def is_quoted(text: str) -> bool:
    """Return whether a TSV has a CSV's quoting, as MultiBLiMP's files have and pandas writes it.

    It has if a writer of CSV, given the cells without their quoting, writes the same text: each
    cell with a quotation mark is quoted, and no cell that need not be. A plain TSV, in which a mark
    is text, does not come out the same.
    """
    if '"' not in text:
        return False
    again = io.StringIO(newline="")
    try:
        rows = csv.reader(io.StringIO(text, newline=""), "excel-tab", strict=True)
        csv.writer(again, "excel-tab", lineterminator="\n").writerows(rows)
    except csv.Error:
        return False
    written, given = (each.replace("\r\n", "\n") for each in (again.getvalue(), text))
    return written == given or written == f"{given}\n"


def tsv_rows(lines: Iterable[str], where: object) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line that is not blank; `where` names the file.

    Raises:
        KasuError: as `split_row`.
    """
    for number, line in enumerate(lines, 1):
        if line := line.removesuffix("\n").removesuffix("\r"):
            yield number, split_row(line, f"{where}:{number}")


def split_row(line: str, where: str) -> list[str]:
    """Return the cells of a line of a table, without its end; `where` names it in errors.

    Raises:
        KasuError: a carriage return is inside, which ends a row for some programs.
    """
    if "\r" in line:
        raise KasuError(where, "a carriage return inside the line", "lines that end in LF or CR LF")
    return line.split("\t")


def expect_distinct(where: object, names: Iterable[str]) -> list[str]:
    """Return the names of columns, without blanks around them; `where` names them in errors.

    Raises:
        KasuError: two of them are equal.
    """
    names = [name.strip() for name in names]
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise KasuError(where, f"{twice[0]!r} names two columns", "a name for each")
    return names


DROPS = ("reason", "count")


def write_drops(path: str | Path, drops: Mapping[str, int]) -> None:
    """Write the numbers of dropped items by reason, in order of the reasons."""
    write_tsv(path, ({"reason": key, "count": drops[key]} for key in sorted(drops)), DROPS)


def list_drops(drops: Counter[str]) -> str:
    """Return the numbers of dropped items by reason in a line for the log, the commonest first."""
    return ", ".join(f"{reason}: {count:,}" for reason, count in (+drops).most_common())


COUNTS = ("step", "count")


def write_counts(path: str | Path, counts: Mapping[str, int]) -> None:
    """Write the numbers of items at each step, in the order given."""
    write_tsv(path, ({"step": key, "count": counts[key]} for key in counts), COUNTS)


def read_counts(path: str | Path) -> dict[str, int]:
    """Read the numbers of items by step.

    Raises:
        KasuError: the file is not a table of COUNTS (see `read_tsv`).
    """
    return {row["step"]: int(row["count"]) for row in read_tsv(path, COUNTS)}
