"""The annotation of a treebank's words, in a dataset of `kasu.agreement.data.treebank`."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kasu.files.tables import read_parquet

LABELS = ("upos", "case", "number", "deprel")
NO_VALUE = "none"  # of a feature that a word does not have


def labelled_words(treebank: str | Path, variant: str) -> pa.Table:
    """Read the units that are words of the treebank: item_id, position, split and LABELS."""
    columns = ["item_id", "split", *LABELS]
    items = read_parquet(treebank, columns, [("variant", "==", variant)]).combine_chunks()
    lengths = pc.list_value_length(items["upos"]).to_numpy()
    item = np.repeat(np.arange(len(items)), lengths)
    starts = np.cumsum(lengths) - lengths
    cells = {
        "item_id": items["item_id"].take(item),
        "position": (np.arange(len(item)) - starts[item]).astype(np.int32),
        "split": items["split"].take(item),
        **{name: pc.list_flatten(items[name]) for name in LABELS},
    }
    return pa.table(cells).filter(pc.is_valid(cells["upos"]))
