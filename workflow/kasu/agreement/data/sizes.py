"""The sizes of a dataset's splits, limited by `max_sentences` (BASQUE-1)."""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa

from kasu.files.tables import ParquetReader, ParquetWriter, landing, read_parquet
from kasu.job.run import seed_of


def limit_of(split: str) -> str:
    """Return the step of counts.tsv that states the limit of a split."""
    return f"max_sentences: {split}"


def keep_at_most(path: Path, most: int, seed: int) -> Counter[str]:
    """Keep `most` random items of each variant in a dataset file; return how many it dropped.

    A hash of the sentence decides: variants keep the same sentences as far as they can, and a
    smaller `most` keeps a part of what a larger one keeps. Of equal hashes the first are kept.
    Rows stay in order.
    """
    table = read_parquet(path, ["sentence_id", "variant"])
    draws = np.array([seed_of(seed, name) for name in table["sentence_id"].to_pylist()], np.uint64)
    variants = table["variant"].to_numpy()
    keep = np.zeros(len(draws), bool)
    dropped: Counter[str] = Counter()
    for variant in sorted(set(variants)):
        rows = np.flatnonzero(variants == variant)
        # Stable, as the order of equal draws would otherwise depend on the processor
        rows = rows[np.argsort(draws[rows], kind="stable")]
        keep[rows[:most]] = True
        dropped[variant] = len(rows[most:])
    keep_rows(path, path, keep)
    return dropped


def keep_rows(path: str | Path, out: str | Path, keep: np.ndarray) -> None:
    """Write the rows of a dataset file that `keep` marks, shape (rows,); `out` may be `path`."""
    reader = ParquetReader(path)
    with landing(out) as part, ParquetWriter(part, reader.schema) as writer:
        start = 0
        for batch in reader.batches():
            kept = keep[start : start + batch.num_rows]
            writer.write(pa.Table.from_batches([batch]).filter(pa.array(kept)))
            start += batch.num_rows
