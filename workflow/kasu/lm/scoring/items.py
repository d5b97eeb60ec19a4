"""Read items to score, minimal pairs or sets, from parquet, JSON lines or TSV."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, read_tsv
from kasu.corpora.json_lines import objects

MASK = "[MASK]"  # in items, whatever the mask of a tokenizer is
MASKED_COLUMNS = ("masked", "masked_text")
FORM = "form_"  # how the columns of forms begin
_SURROGATE = re.compile("[\ud800-\udfff]")  # JSON may escape one; no tokenizer takes it
NO_SENTENCES = {"sentence_id"}  # begin like columns of sentences, but are none
PAIRS = {"sentence_good": "sentence_bad", "sen": "wrong_sen"}
"""The columns of a minimal pair, right and wrong: those of BLiMP, and those of MultiBLiMP."""


class Item(NamedTuple):
    """A text of an item: one sentence of a pair, or one form of a set.

    column: the column of the sentence or form.
    masked: the sentence with MASK in place of the form; None if items are whole sentences.
    form: what replaces the mask; None likewise.
    """

    item_id: str
    column: str
    sentence: str
    masked: str | None = None
    form: str | None = None


def read_items(path: str | Path, columns: Sequence[str] = ()) -> list[Item]:
    """The texts of a file, item by item, and column by column within an item.

    A file has a column `masked` (or `masked_text`) and one column `form_...` per form; or one
    column `sentence_...` per sentence, or the two of PAIRS. The column `item_id` names the items;
    without it they are numbered from 1.

    Args:
        path: `.parquet`, `.jsonl` (one object per line) or `.tsv` (with a header).
        columns: the columns of forms or sentences; by default all with names as above.

    Raises:
        KasuError: the file is of another format, lacks a column or an item's text; two items have
            one name; an item has no mask or several.
    """
    rows = read_rows(path)
    masked = next((name for name in MASKED_COLUMNS if name in rows[0]), None)
    columns = columns or _text_columns(rows[0], masked)
    if not columns:
        raise KasuError(path, "no columns to score", "sentence_..., or masked and form_...")
    return list(_texts(Path(path), rows, masked, columns))


def read_rows(path: str | Path) -> Sequence[Mapping[str, object]]:
    """The rows of a file of items, with all their columns; raises as `read_items`."""
    path = Path(path)
    readers: dict[str, Callable[[Path], Sequence[Mapping[str, object]]]] = {
        ".parquet": _read_parquet,
        ".jsonl": lambda found: [row for _, row in objects(found)],
        ".tsv": read_tsv,
    }
    if path.suffix not in readers:
        raise KasuError(path, f"a file of items ending in {path.suffix!r}", ", ".join(readers))
    if not path.is_file():
        raise KasuError(path, "no such file", "a file of items")
    rows = readers[path.suffix](path)
    if not rows:
        raise KasuError(path, "no items", "at least one")
    return rows


def has_masks(path: str | Path) -> bool:
    """Whether a file has masked sentences and forms; raises as `read_items`."""
    return any(name in read_rows(path)[0] for name in MASKED_COLUMNS)


def _text_columns(row: Mapping[str, object], masked: str | None) -> list[str]:
    prefix = FORM if masked else "sentence_"
    named = [name for name in row if name.startswith(prefix) and name not in NO_SENTENCES]
    pairs = ([right, wrong] for right, wrong in PAIRS.items() if right in row and wrong in row)
    return named or next(pairs, [])


def item_name(row: Mapping[str, object], number: int) -> str:
    """The name of an item: its `item_id`, or its number from 1."""
    return str(row.get("item_id", number))


def _texts(
    path: Path, rows: Sequence[Mapping[str, object]], masked: str | None, columns: Sequence[str]
) -> Iterator[Item]:
    seen = set()
    for number, row in enumerate(rows, 1):
        item_id = item_name(row, number)
        where = f"{path}: item {item_id}"
        if item_id in seen:
            raise KasuError(where, "another item has this item_id", "one item each")
        seen.add(item_id)
        frame = _text(where, row, masked) if masked else None
        if frame is not None and frame.count(MASK) != 1:
            raise KasuError(where, f"{frame.count(MASK) or 'no'} {MASK}", "exactly one")
        for column in columns:
            text = _text(where, row, column)
            if frame is None:
                yield Item(item_id, column, text)
            else:
                yield Item(item_id, column, frame.replace(MASK, text), frame, text)


def _text(where: str, row: Mapping[str, object], column: str) -> str:
    if column not in row:
        raise KasuError(where, f"no column {column!r}", ", ".join(row))
    text = row[column]
    if not isinstance(text, str) or not text.strip() or _SURROGATE.search(text):
        raise KasuError(f"{where}, {column}", f"{text!r}", "a text")
    return text


def _read_parquet(path: Path) -> list[dict[str, object]]:
    try:
        return read_parquet(path).to_pylist()
    except UnicodeDecodeError as error:  # parquet does not check that its text is UTF-8
        raise KasuError(path, f"text that is not UTF-8 ({error.reason})") from error
