"""The items of one variant of a verb number dataset, as networks and baselines read them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.agreement.data.labels import LABELS, SLOTS
from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet

ROWS_AT_ONCE = 8_192  # items that are Python objects at one time


def read_items(path: str | Path, variant: str) -> pa.Table:
    """The rows of that variant: item_id, cluster, tokens, lemmas, target and the slots.

    Raises:
        KasuError: there is none, or a target lies outside its sentence.
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
    """The length of each sentence."""
    return pc.list_value_length(items["tokens"]).to_numpy()


def sentences_of(items: pa.Table) -> Iterator[tuple[list[str], list[str], int]]:
    """Yield the tokens, the lemmas and the target of each item."""
    for batch in items.select(["tokens", "lemmas", "target"]).to_batches(ROWS_AT_ONCE):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def gold_numbers(items: pa.Table, path: str | Path) -> np.ndarray:
    """The labels of the items as numbers of LABELS: (items, slots).

    Raises:
        KasuError: an unknown label, with `path` as its place.
    """
    columns = []
    for slot in SLOTS:
        numbers = pc.index_in(items[slot], pa.array(LABELS))
        if numbers.null_count:
            found = pc.filter(items[slot], pc.is_null(numbers))[0]
            raise KasuError(path, f"label {found.as_py()!r} of {slot}", " or ".join(LABELS))
        columns.append(numbers.to_numpy().astype(np.int64))
    return np.stack(columns, axis=1)
