"""Read the items of one variant of a verb number dataset, for networks and baselines."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.agreement.data.labels import LABELS, SLOTS
from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet

ROWS_AT_ONCE = 8_192  # items converted to Python objects at a time


def read_items(path: str | Path, variant: str) -> pa.Table:
    """Read the rows of a variant: item_id, cluster, tokens, lemmas, target and the slots.

    Raises:
        KasuError: the variant has no rows, or a target lies outside its sentence.
    """
    columns = ["item_id", "cluster", "tokens", "lemmas", "target", *SLOTS]
    items = read_parquet(path, columns, filters=pc.field("variant") == variant)
    if not items.num_rows:
        raise KasuError(path, f"no sentence of variant {variant!r}", "one or more")
    targets, lengths = items["target"].to_numpy(), count_tokens(items)
    if (wrong := np.flatnonzero((targets < 0) | (targets >= lengths))).size:
        item = items["item_id"][int(wrong[0])]
        raise KasuError(path, f"target of {item} outside its sentence", "a position in it")
    return items


def count_tokens(items: pa.Table) -> np.ndarray:
    """Return the length of each sentence: (items,)."""
    return pc.list_value_length(items["tokens"]).to_numpy()


def sentences_of(items: pa.Table) -> Iterator[tuple[list[str], list[str], int]]:
    """Yield the tokens, the lemmas and the target of each item."""
    for batch in items.select(["tokens", "lemmas", "target"]).to_batches(ROWS_AT_ONCE):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def gold_numbers(items: pa.Table, path: str | Path) -> np.ndarray:
    """Return the labels of the items as positions in LABELS: (items, slots).

    Raises:
        KasuError: a label is unknown; the error names `path`.
    """
    columns = []
    for slot in SLOTS:
        numbers = pc.index_in(items[slot], pa.array(LABELS))
        if numbers.null_count:
            unknown = pc.filter(items[slot], pc.is_null(numbers))[0]
            raise KasuError(path, f"label {unknown.as_py()!r} of {slot}", " or ".join(LABELS))
        columns.append(numbers.to_numpy().astype(np.int64))
    return np.stack(columns, axis=1)
