"""Training sets of so many words, for the curve of accuracy over the amount of text."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.agreement.data.sizes import keep_rows
from kasu.corpora.texts.sentences import mask
from kasu.files.tables import ParquetReader, read_parquet, write_counts, write_drops
from kasu.job.run import log, seed_of

NEAR_COPY = "near copy of a sentence in validation or test"
BEYOND = "beyond the words of the training set"


def draw_training_set(
    train: str | Path,
    held_out: Sequence[str | Path],
    training_set: str | Path,
    counts: str | Path,
    drops: str | Path,
    *,
    words: int | None,
    seed: int,
) -> None:
    """Write the part of a training split that networks of one training set read.

    Near copies of held-out sentences (equal but for names and digits) are dropped. A hash of the
    sentence decides the order in which the others are taken, so a larger set contains a smaller
    one. Rows stay in order; `counts` has the sentences and the words of the set.

    Args:
        train: the training split of a dataset.
        held_out: validation and test, of this dataset or another one.
        words: the most units with a letter or a digit, counted once a sentence; None takes all.
    """
    seen = {masked for path in held_out for *_, masked in _read(path)}
    sizes: dict[str, int] = {}
    copies: set[str] = set()
    for name, size, masked in _read(train):
        if masked in seen:
            copies.add(name)
        else:
            sizes[name] = size
    order = sorted(sizes, key=lambda name: seed_of(seed, name))
    totals = np.cumsum([0, *(sizes[name] for name in order)])
    count = len(order)
    if words is not None:
        # The most sentences, in this order, that have no more words than asked for
        count = int(np.searchsorted(totals, words, side="right")) - 1
        if count == len(order):
            asked = f"no more than asked for ({words:,}); all are kept"
            log.warning("%s: %s words, %s", train, f"{totals[-1]:,}", asked)
    names = read_parquet(train, ["sentence_id"])["sentence_id"]
    kept = pc.is_in(names, pa.array(order[:count], pa.string())).to_numpy()
    keep_rows(train, training_set, kept)
    write_counts(counts, {"sentences": count, "words": int(totals[count])})
    write_drops(drops, {NEAR_COPY: len(copies), BEYOND: len(order) - count})


def _read(path: str | Path) -> Iterator[tuple[str, int, str]]:
    """Yield the id of each row's sentence, its number of words, and its text as `mask` shows it."""
    for batch in ParquetReader(path).batches(columns=["sentence_id", "tokens"]):
        for name, tokens in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            size = sum(any(map(str.isalnum, token)) for token in tokens)
            yield name, size, mask(" ".join(tokens))
