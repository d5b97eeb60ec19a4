"""Items to score: minimal pairs and sets, from parquet, JSON lines or TSV."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, read_tsv

MASK = "[MASK]"  # in items, whatever a tokenizer writes
MASKED_COLUMNS = ("masked", "masked_text")
NO_SENTENCES = {"sentence_id"}


class Item(NamedTuple):
    """A text of an item: one sentence of a pair, or one form of a set.

    column: the column that holds the sentence or the form.
    masked: the sentence with MASK at the place of the form; None where items are whole sentences.
    form: what stands at the mask; None likewise.
    """

    item_id: str
    column: str
    sentence: str
    masked: str | None = None
    form: str | None = None


def read_items(path: str | Path, columns: Sequence[str] = ()) -> list[Item]:
    """The texts of a file, item after item in its order, columns in theirs.

    A file has a column `masked` (or `masked_text`) and one column a form, `form_...`; or one
    column a sentence, `sentence_...`. Its column `item_id` names the items; without one their
    numbers do, from 1.

    Args:
        path: `.parquet`, `.jsonl` (an object a line) or `.tsv` (with a header).
        columns: the columns of forms or sentences; by default all that are named as above.

    Raises:
        KasuError: another kind of file; no such column; an item without text or with a name that
            another has; none or several masks.
    """
    path = Path(path)
    readers = {".parquet": _read_parquet, ".jsonl": _read_jsonl, ".tsv": read_tsv}
    if path.suffix not in readers:
        raise KasuError(path, f"a file of items ending in {path.suffix!r}", ", ".join(readers))
    if not path.is_file():
        raise KasuError(path, "no such file", "a file of items")
    rows = readers[path.suffix](path)
    if not rows:
        raise KasuError(path, "no items", "at least one")
    masked = next((name for name in MASKED_COLUMNS if name in rows[0]), None)
    columns = columns or _text_columns(rows[0], masked)
    if not columns:
        raise KasuError(path, "no columns to score", "sentence_..., or masked and form_...")
    return list(_texts(path, rows, masked, columns))


def _text_columns(row: Mapping[str, object], masked: str | None) -> list[str]:
    prefix = "form_" if masked else "sentence_"
    return [name for name in row if name.startswith(prefix) and name not in NO_SENTENCES]


def _texts(
    path: Path, rows: Sequence[Mapping[str, object]], masked: str | None, columns: Sequence[str]
) -> Iterator[Item]:
    seen = set()
    for number, row in enumerate(rows, 1):
        item_id = str(row.get("item_id", number))
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
    if not isinstance(text, str) or not text.strip():
        raise KasuError(f"{where}, {column}", f"{text!r}", "a text")
    return text


def _read_parquet(path: Path) -> list[dict[str, object]]:
    return read_parquet(path).to_pylist()


def _read_jsonl(path: Path) -> list[dict[str, object]]:
    rows = []
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
            except ValueError as error:
                raise KasuError(f"{path}:{number}", f"no JSON ({error})") from error
            if not isinstance(row, dict):
                raise KasuError(f"{path}:{number}", type(row).__name__, "an object")
            rows.append(row)
    return rows
