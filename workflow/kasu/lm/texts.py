"""The sentences of a corpus, read piece by piece, whole or the part for training or held out."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from kasu.base.errors import KasuError
from kasu.corpora.compressed import lines
from kasu.corpora.text import split_of

BATCH = 8192  # sentences in memory at a time


class Part(NamedTuple):
    """A part of a corpus by `split_key`: near copies stay on one side.

    Attributes:
        name: `train` or `validation`.
        held_out: share of the text that is `validation`.
    """

    name: str
    held_out: float
    seed: int


def read_texts(corpus: str | Path, part: Part | None = None) -> Iterator[str]:
    """The sentences of a corpus in order; memory does not grow with it.

    Args:
        corpus: parquet with `text` (and `split_key` where a part is asked for); or a text, plain
            or compressed, of a sentence a line.

    Raises:
        KasuError: unreadable, no UTF-8, no such column, a part of a plain text, no sentence.
    """
    found = 0
    for text in _all(corpus, part):
        found += 1
        yield text
    if not found:
        what = f"no sentence for {part.name}" if part else "no sentence"
        raise KasuError(corpus, what, "a longer text")


def _all(corpus: str | Path, part: Part | None) -> Iterator[str]:
    if Path(corpus).suffix == ".parquet":
        yield from _of_parquet(corpus, part)
        return
    if part:
        raise KasuError(corpus, "a text without split keys", "a parquet corpus, or text held out")
    for number, line in lines(corpus):
        if "\0" in line:
            raise KasuError(f"{corpus}:{number}", "a binary file", "a text")
        if line.strip():
            yield line


def _of_parquet(corpus: str | Path, part: Part | None) -> Iterator[str]:
    try:
        file = pq.ParquetFile(corpus)
    except (pa.ArrowInvalid, OSError) as error:
        raise KasuError(corpus, f"unreadable parquet ({str(error).splitlines()[0]})") from error
    with file:
        columns = ["text", "split_key"] if part else ["text"]
        if missing := [name for name in columns if name not in file.schema_arrow.names]:
            raise KasuError(corpus, f"no column {missing[0]!r}", ", ".join(columns))
        for batch in file.iter_batches(BATCH, columns=columns):
            texts = batch.column("text").to_pylist()
            if part is None:
                yield from texts
                continue
            shares = {"train": 1 - part.held_out, "validation": part.held_out}
            for text, key in zip(texts, batch.column("split_key").to_pylist(), strict=True):
                if split_of(key, shares, part.seed) == part.name:
                    yield text
