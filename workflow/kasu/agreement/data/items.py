"""Read the items of one variant of a verb number dataset, for networks and baselines."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.agreement.data.tasks import LABELS
from kasu.agreement.data.transforms import Condition, Sentence
from kasu.base.errors import KasuError
from kasu.corpora.morphology.tagset import ALL_SLOTS
from kasu.files.tables import ParquetReader, read_parquet
from kasu.job.run import log

ROWS_AT_ONCE = 8_192  # items converted to Python objects at a time


def read_items(path: str | Path, variant: str, condition: Condition) -> pa.Table:
    """Read the rows of a variant that belong to a condition.

    Returns:
        item_id, cluster, the columns of Sentence, and the slots.

    Raises:
        KasuError: there are no such rows, or a target lies outside its sentence.
    """
    columns = ["item_id", "cluster", *Sentence._fields, *slots_of(ParquetReader(path).schema)]
    items = read_parquet(path, columns, filters=pc.field("variant") == variant)
    if not items.num_rows:
        raise KasuError(path, f"no sentence of variant {variant!r}", "one or more")
    targets, lengths = items["target"].to_numpy(), count_tokens(items)
    if (wrong := np.flatnonzero((targets < 0) | (targets >= lengths))).size:
        item = items["item_id"][int(wrong[0])]
        raise KasuError(path, f"target of {item} outside its sentence", "a position in it")
    return _filter(items, path, condition) if condition.filters else items


def _filter(items: pa.Table, path: str | Path, condition: Condition) -> pa.Table:
    kept = items.filter(pa.array([condition.keeps(each) for each in sentences_of(items)]))
    names = " and ".join(each.__name__ for each in condition.filters)
    log.info("%s: %d of %d sentences are %s", path, len(kept), len(items), names)
    if not len(kept):
        raise KasuError(path, f"no sentence that is {names}", "one or more")
    return kept


def count_tokens(items: pa.Table) -> np.ndarray:
    """Return the length of each sentence: (items,)."""
    return pc.list_value_length(items["tokens"]).to_numpy()


def sentences_of(items: pa.Table) -> Iterator[Sentence]:
    """Yield the sentence of each item."""
    for batch in items.select(Sentence._fields).to_batches(ROWS_AT_ONCE):
        columns = (column.to_pylist() for column in batch.columns)
        yield from map(Sentence._make, zip(*columns, strict=True))


def slots_of(items: pa.Table | pa.Schema) -> list[str]:
    """Return the slots of a dataset, in the order of ALL_SLOTS."""
    return [
        slot
        for slot in ALL_SLOTS
        if slot in (items.schema if isinstance(items, pa.Table) else items).names
    ]


def gold_numbers(items: pa.Table, path: str | Path) -> np.ndarray:
    """Return the labels of the items as positions in LABELS: (items, slots).

    Raises:
        KasuError: a label is unknown; the error names `path`.
    """
    columns = []
    for slot in slots_of(items):
        numbers = pc.index_in(items[slot], pa.array(LABELS))
        if numbers.null_count:
            unknown = pc.filter(items[slot], pc.is_null(numbers))[0]
            raise KasuError(path, f"label {unknown.as_py()!r} of {slot}", " or ".join(LABELS))
        columns.append(numbers.to_numpy().astype(np.int64))
    return np.stack(columns, axis=1)
