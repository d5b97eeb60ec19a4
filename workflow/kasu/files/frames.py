"""Frames of pandas in the place of files."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import quote

import pyarrow as pa

from kasu.base.errors import KasuError, as_printed
from kasu.files.tables import SEPARATOR, expect_distinct, write_parquet, write_text

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger("kasu")


@contextmanager
def as_file(
    given: "str | Path | pd.DataFrame", name: str, columns: Sequence[str] = ()
) -> Iterator[Path]:
    """Yield the path that is given, or that of a temporary file with the rows of a frame.

    Args:
        name: what errors and the log call the frame.
        columns: write these as tab-separated lines without a header, those that end in `?` if they
            are there; by default all as parquet.

    Raises:
        KasuError: the frame lacks a column, two of its columns or levels of its index have one
            name, a column has values of several types, or a cell of a line has a tab or the end of
            a line.
    """
    if isinstance(given, str | Path):
        yield Path(given)
        return
    given = _with_index(given, name)
    with TemporaryDirectory() as folder:
        # Not every name, as a key of the user's, can be that of a file
        path = Path(folder, f"{quote(name, '')[:99]}.{'tsv' if columns else 'parquet'}")
        if columns:
            write_text(path, "".join(f"{line}\n" for line in _lines(given, name, columns)))
        else:
            table = _table(given, name)
            write_parquet(path, table, table.schema)

        def rename(record: logging.LogRecord) -> bool:
            record.msg, record.args = record.getMessage().replace(str(path), name), ()
            return True

        log.addFilter(rename)
        try:
            yield path
        except KasuError as error:
            raise as_printed(str(error).replace(str(path), name)) from error.__cause__
        finally:
            log.removeFilter(rename)


def _with_index(frame: "pd.DataFrame", name: str) -> "pd.DataFrame":
    """Return a frame in which the named levels of the index, as `item_id`, are columns."""
    levels = [level for level in frame.index.names if level is not None]
    expect_distinct(name, map(str, (*levels, *frame.columns)))
    return frame.reset_index(levels) if levels else frame


def _lines(frame: "pd.DataFrame", name: str, columns: Sequence[str]) -> Iterator[str]:
    named = [column.removesuffix("?") for column in columns]
    if missing := [each for each in columns if each not in frame and not each.endswith("?")]:
        raise KasuError(name, f"no column {missing[0]!r}", ", ".join(named))
    kept = frame[[column for column in named if column in frame]]
    for number, row in enumerate(kept.astype(object).where(kept.notna(), "").to_numpy(), 1):
        cells = list(map(str, row))
        for column, cell in zip(kept.columns, cells, strict=True):
            if SEPARATOR.search(cell):
                where = f"{name}:{number}, {column}"
                raise KasuError(where, f"a cell {cell!r}", "one line, no tab")
        yield "\t".join(cells)


def _table(frame: "pd.DataFrame", name: str) -> pa.Table:
    columns = {}
    for column in frame.columns:
        try:
            columns[str(column)] = pa.array(frame[column], from_pandas=True)
        except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
            reason = str(error).splitlines()[0]
            raise KasuError(f"{name}, {column}", reason, "values of one type") from error
    return pa.table(columns)
