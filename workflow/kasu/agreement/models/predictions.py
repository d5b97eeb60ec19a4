"""The file of predictions that networks and baselines write and evaluation reads."""

import numpy as np
import pyarrow as pa

from kasu.agreement.data.labels import LABELS, SLOTS

# Sorted by variant, seed, item in the order of the test set, slot in the order of SLOTS. Seed and
# log probabilities (natural logarithm) are null where a system has none.
PREDICTIONS = pa.schema(
    [
        ("item_id", pa.string()),
        ("cluster", pa.string()),
        ("slot", pa.string()),
        ("gold", pa.string()),
        ("prediction", pa.string()),
        ("variant", pa.string()),
        ("seed", pa.int64()),
        *((f"logp_{label}", pa.float32()) for label in LABELS),
    ]
)


def prediction_table(
    items: pa.Table,
    gold: np.ndarray,
    predicted: np.ndarray,
    variant: str,
    seed: int | None = None,
    logp: np.ndarray | None = None,
) -> pa.Table:
    """Rows of PREDICTIONS, an item and slot each.

    Args:
        items: the columns item_id and cluster.
        gold, predicted: (items, slots) numbers of LABELS.
        logp: (items, slots, labels).
    """
    labels, rows = np.array(LABELS), gold.size
    item = np.repeat(np.arange(len(gold)), len(SLOTS))
    columns = {
        "item_id": items["item_id"].take(item),
        "cluster": items["cluster"].take(item),
        "slot": np.tile(SLOTS, len(gold)),
        "gold": labels[gold.ravel()],
        "prediction": labels[predicted.ravel()],
        "variant": [variant] * rows,
        "seed": [seed] * rows,
    }
    for number, label in enumerate(LABELS):
        each = [None] * rows if logp is None else logp[:, :, number].ravel()
        columns[f"logp_{label}"] = each
    return pa.table(columns, PREDICTIONS)
