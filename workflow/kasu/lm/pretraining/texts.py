"""Read the sentences of a corpus one by one: all, or only those for training or for validation."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.corpora.texts.compressed import lines
from kasu.corpora.texts.sentences import split_of
from kasu.files.tables import ParquetReader

BATCH = 8192  # sentences in memory at a time


class CorpusPart(NamedTuple):
    """A part of a corpus, divided by `split_key` so that near copies stay together.

    Attributes:
        name: `train` or `validation`.
        held_out: the share of the text that is `validation`.
    """

    name: str
    held_out: float
    seed: int


def read_texts(corpus: str | Path, part: CorpusPart | None = None) -> Iterator[str]:
    """Yield the sentences of a corpus in order, in constant memory.

    Args:
        corpus: parquet with `text` (and `split_key` if `part` is given); or plain text, perhaps
            compressed, with one sentence per line.

    Raises:
        KasuError: the corpus is unreadable or not UTF-8, lacks a column or a text, or has no
            sentence; or a part of a plain text is asked for.
    """
    empty = True
    for text in _all(corpus, part):
        empty = False
        yield text
    if empty:
        what = f"no sentence for {part.name}" if part else "no sentence"
        raise KasuError(corpus, what, "a longer text")


def _all(corpus: str | Path, part: CorpusPart | None) -> Iterator[str]:
    if Path(corpus).suffix == ".parquet":
        yield from _of_parquet(corpus, part)
        return
    if part:
        raise KasuError(corpus, "a text without split keys", "a parquet corpus, or held-out text")
    for number, line in lines(corpus):
        if "\0" in line:
            raise KasuError(f"{corpus}:{number}", "a binary file", "a text")
        if line.strip():
            yield line


def _of_parquet(corpus: str | Path, part: CorpusPart | None) -> Iterator[str]:
    columns = ["text", "split_key"] if part else ["text"]
    shares = {"train": 1 - part.held_out, "validation": part.held_out} if part else {}
    for number, values in enumerate(_rows_of_parquet(corpus, columns), 1):
        for name, value in zip(columns, values, strict=True):
            if not isinstance(value, str):
                raise KasuError(f"{corpus}, row {number}, {name}", repr(value), "a text")
        if part is None or split_of(values[1], shares, part.seed) == part.name:
            yield values[0]


def _rows_of_parquet(corpus: str | Path, columns: list[str]) -> Iterator[tuple]:
    try:
        for batch in ParquetReader(corpus).batches(BATCH, columns):
            yield from zip(*(batch[name].to_pylist() for name in columns), strict=True)
    except UnicodeDecodeError as error:  # a table of the user's own
        raise KasuError(corpus, f"invalid UTF-8 ({error})") from error
