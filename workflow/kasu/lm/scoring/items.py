"""Read items to score, minimal pairs or sets, from parquet, JSON lines, TSV or CSV."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError, nearest
from kasu.corpora.texts.json_lines import objects
from kasu.files.reading import read_text
from kasu.files.seals import expect_sealed
from kasu.files.tables import expect_distinct, is_quoted, read_csv, read_parquet, read_tsv
from kasu.job.run import log

MASK = "[MASK]"  # in items, whatever the mask of a tokenizer is
MASKED_COLUMNS = ("masked", "masked_text")
FORM, SENTENCE = "form_", "sentence_"  # how the columns of forms and of sentences begin
GRAMMATICAL = "grammatical"  # of a minimal set, which of its forms is right
_SURROGATE = re.compile("[\ud800-\udfff]")  # JSON may escape one; no tokenizer takes it
NO_SENTENCES = {"sentence_id"}  # begin like columns of sentences, but are none
PAIRS = {"sentence_good": "sentence_bad", "sen": "wrong_sen"}
"""The columns of a minimal pair, right and wrong: those of BLiMP, and those of MultiBLiMP."""
_OF_PAIRS = (*PAIRS, *PAIRS.values())

Row = Mapping[str, object]


class ItemText(NamedTuple):
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


def read_items(path: str | Path, columns: Sequence[str] = ()) -> list[ItemText]:
    """Return the texts of a file, item by item, and column by column within an item.

    A file has a column `masked` (or `masked_text`) and one column `form_...` per form; or the two
    columns of PAIRS, and those of further pairs, `sentence_good_...` and `sentence_bad_...`; or
    one column `sentence_...` per sentence. Columns of numbers alone are left out, and beside a
    pair all other columns. The column `item_id` names the items; without it they are numbered from
    1. The log says what is scored and what is not.

    Args:
        path: `.parquet`, `.jsonl` (one object per line), `.tsv` or `.csv` (with a header).
        columns: the columns of forms or sentences; by default all with names as above.

    Raises:
        KasuError: the file is of another format, lacks a column or an item's text; two columns or
            items have one name; a column that is needed is misspelt; an item has no mask or
            several.
    """
    rows = read_rows(path)
    masked = masked_column(names_of(rows))
    if twice := [name for name in columns if columns.count(name) > 1]:
        raise KasuError("columns", f"{twice[0]!r} twice", "each once")
    columns = columns or _text_columns(path, rows, masked)
    if not columns:
        raise KasuError(path, "no columns to score", "sentence_..., or masked and form_...")
    texts = list(_texts(Path(path), rows, masked, columns))
    _log_choice(path, rows, texts, masked, columns)
    return texts


def read_rows(path: str | Path) -> Sequence[Row]:
    """Return the rows of a file of items, with all their columns; raises as `read_items`.

    A TSV is read as a CSV is where it has that quoting (`is_quoted`), else as it is. A file that
    has changed since a job wrote it is an error, too.
    """
    path = Path(path)
    if path.suffix not in _READERS:
        raise KasuError(path, f"a file of items ending in {path.suffix!r}", ENDINGS)
    if not path.is_file():
        raise KasuError(path, "no such file", "a file of items")
    expect_sealed(path)
    rows = _READERS[path.suffix](path)
    if not rows:
        raise KasuError(path, "no items", "at least one")
    return rows


def has_masks(path: str | Path) -> bool:
    """Return whether a file has masked sentences and forms; raises as `read_items`."""
    return masked_column(names_of(read_rows(path))) is not None


def names_of(rows: Iterable[Row]) -> list[str]:
    """Return the columns of all rows: in JSON lines, a later row may have more than the first."""
    return list(dict.fromkeys(chain.from_iterable(rows)))


def choose_column(
    path: str | Path, names: Sequence[str], named: str | None, usual: Sequence[str], option: str
) -> str | None:
    """Return a column of a file; None if it has none of those that may be meant.

    Args:
        names: the columns of the file.
        named: the column that is asked for; none if it is empty, by default the first of `usual`.
        option: what asks for it.

    Raises:
        KasuError: there is no such column.
    """
    if named is None:
        return next((name for name in usual if name in names), None)
    if named and named not in names:
        raise KasuError(path, f"no column {named!r} ({option})", nearest(named, names))
    return named or None


def cell_text(row: Row, column: str) -> str:
    """Return a cell as text; empty without one."""
    value = row.get(column)
    return "" if value is None else str(value)


def masked_column(names: Sequence[str]) -> str | None:
    """Return the column of masked sentences, if one of the columns is."""
    return next((name for name in MASKED_COLUMNS if name in names), None)


def _alike(names: Iterable[str], masked: str | None) -> list[str]:
    """Return the columns named as forms if there is a masked sentence, else as sentences."""
    if masked:
        return [name for name in names if name.startswith(FORM)]
    return [
        name
        for name in names
        if name in _OF_PAIRS or (name.startswith(SENTENCE) and name not in NO_SENTENCES)
    ]


def _text_columns(path: str | Path, rows: Sequence[Row], masked: str | None) -> list[str]:
    names = names_of(rows)
    texts = [
        name
        for name in names
        if name in _OF_PAIRS or not all(_is_number(row.get(name)) for row in rows)
    ]
    if masked is None:
        for pair in PAIRS.items():
            if {*pair} <= {*names}:
                return [
                    name
                    for name in texts
                    if any(_is_half(name, half, pair, texts) for half in pair)
                ]
    columns = _alike(texts, masked)
    _expect_spelling(path, texts, columns, masked)
    return columns


def _is_half(name: str, half: str, pair: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether a column is half of a pair, or of a second one (`sentence_good_reorder`)."""
    tail = name.removeprefix(half)
    return name.startswith(half) and all(f"{each}{tail}" in names for each in pair)


def _expect_spelling(
    path: str | Path, names: Sequence[str], columns: Sequence[str], masked: str | None
) -> None:
    """Check that no name of a column that is needed differs from it in case or marks alone.

    Where one column is to be scored, or half of a pair, any other that begins alike is needed. Else
    only a name with the mark `_` is taken for one of the kind: `FORM_dat`, not `Form type`.

    Args:
        names: the columns that have text.
        columns: those of them to score.

    Raises:
        KasuError: one does; a part of the file would be left out.
    """
    few = len(columns) < 2 or not {*columns}.isdisjoint(_OF_PAIRS)
    known, prefix = ((GRAMMATICAL,), FORM) if masked else ((*_OF_PAIRS, *MASKED_COLUMNS), SENTENCE)
    meant = {_letters(name): name for name in known if masked or few}
    begins = re.compile(prefix.replace("_", r"[\W_]") if few else prefix, re.IGNORECASE)
    for name in names:
        right = meant.get(_letters(name))
        if right and right not in names:
            raise KasuError(path, f"a column {name!r}", right)
        alike = begins.match(name) and not name.startswith(prefix)
        if alike and not right and _letters(name) not in _LETTERS:
            raise KasuError(path, f"a column {name!r}", f"{prefix}...")


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


_LETTERS = set(map(_letters, (*_OF_PAIRS, *MASKED_COLUMNS, *NO_SENTENCES)))
_LIKE_TEXTS = re.compile(rf"({_letters(FORM)}|{_letters(SENTENCE)})[\W_]", re.IGNORECASE)


def _is_number(value: object) -> bool:
    """Return whether a cell is a number, as the length of a sentence is; text may spell one."""
    if isinstance(value, str) and value.isalpha():  # `nan` is a word, too
        return False
    try:
        float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True


def _log_choice(
    path: str | Path,
    rows: Sequence[Row],
    texts: Sequence[ItemText],
    masked: str | None,
    columns: Sequence[str],
) -> None:
    """Say what is scored and what is not."""
    scored = {masked, *columns, *NO_SENTENCES}
    others = [
        name
        for name in names_of(rows)
        if name not in scored and (_letters(name) in _LETTERS or _LIKE_TEXTS.match(name))
    ]
    without = f"; not {', '.join(others)}" if others else ""
    log.info("%s: scoring %s%s", path, ", ".join(columns), without)
    warn_of_marks(path, (item.form or item.sentence for item in texts))


def warn_of_marks(path: str | Path, texts: Iterable[str]) -> None:
    """Say how many texts of a plain TSV stand in quotation marks, which may be quoting."""
    marked = sum(len(text) > 1 and text[0] == text[-1] == '"' for text in texts)
    if marked and Path(path).suffix == ".tsv" and not is_quoted(read_text(path)):
        log.warning("%s: texts that stand in quotation marks and keep them: %d", path, marked)


def item_name(row: Row, number: int) -> str:
    """Return the name of an item: its `item_id`, or its number from 1."""
    return str(row.get("item_id", number))


def named_items(path: Path, rows: Sequence[Row]) -> Iterator[tuple[str, str, Row]]:
    """Yield the name of each item, where it is for an error, and its row.

    Raises:
        KasuError: two items have one name.
    """
    seen: set[str] = set()
    for number, row in enumerate(rows, 1):
        name = item_name(row, number)
        where = f"{path}: item {name}"
        if name in seen:
            raise KasuError(where, "another item has this item_id", "one item each")
        seen.add(name)
        yield name, where, row


def _texts(
    path: Path, rows: Sequence[Row], masked: str | None, columns: Sequence[str]
) -> Iterator[ItemText]:
    for item_id, where, row in named_items(path, rows):
        frame = _text(where, row, masked) if masked else None
        if frame is not None and frame.count(MASK) != 1:
            raise KasuError(where, f"{frame.count(MASK) or 'no'} {MASK}", "exactly one")
        for column in columns:
            text = _text(where, row, column)
            if frame is None:
                yield ItemText(item_id, column, text)
            else:
                yield ItemText(item_id, column, frame.replace(MASK, text), frame, text)


def _text(where: str, row: Row, column: str) -> str:
    if column not in row:
        raise KasuError(where, f"no column {column!r}", ", ".join(row))
    text = row[column]
    if not isinstance(text, str) or not text.strip() or _SURROGATE.search(text):
        raise KasuError(f"{where}, {column}", f"{text!r}", "a text")
    return text


def _read_parquet(path: Path) -> list[dict[str, object]]:
    try:
        table = read_parquet(path)
        return table.rename_columns(expect_distinct(path, table.column_names)).to_pylist()
    except UnicodeDecodeError as error:  # parquet does not check that its text is UTF-8
        raise KasuError(path, f"text that is not UTF-8 ({error.reason})") from error


def _read_tsv(path: Path) -> list[dict[str, str]]:
    return read_csv(path, "\t") if is_quoted(read_text(path)) else read_tsv(path)


_READERS: Mapping[str, Callable[[Path], Sequence[Row]]] = {
    ".parquet": _read_parquet,
    ".jsonl": lambda path: [row for _, row in objects(path)],
    ".tsv": _read_tsv,
    ".csv": read_csv,
}
ENDINGS = ", ".join(_READERS)
"""Of files of items."""
