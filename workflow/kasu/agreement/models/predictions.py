"""The predictions of both tasks: written by networks and baselines, read by the evaluation."""

import numpy as np
import pyarrow as pa

from kasu.agreement.data.items import slots_of
from kasu.agreement.data.suffixes import UNSCORED
from kasu.agreement.data.tasks import LABELS, SUFFIXES

# One row per variant, seed, item and slot, in this order; items as in the test set, slots as in
# ALL_SLOTS. Seed and log probabilities (natural logarithm) are null for systems without them
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

# Suffix prediction: one row per variant, seed and scored word, in the order of the test set.
# `item_id` is the sentence, `position` the word in it, from 0
SUFFIX_PREDICTIONS = pa.schema(
    [
        ("item_id", pa.string()),
        ("cluster", pa.string()),
        ("position", pa.int32()),
        ("gold", pa.string()),
        ("prediction", pa.string()),
        ("variant", pa.string()),
        ("seed", pa.int64()),
    ]
)

# Diagnostic classifiers: one row per variant, seed, task, probe, source and word. `table` is the
# paper's, `source` what the probe reads; `right` is whether the network predicts the suffix of the
# word, null if it has none to predict. `score` is, where there are two labels, the rank of the
# probability of the first by name (`Probed`); null where nothing is trained
PROBED = pa.schema(
    [
        ("item_id", pa.string()),
        ("cluster", pa.string()),
        ("position", pa.int32()),
        ("table", pa.string()),
        ("task", pa.string()),
        ("probe", pa.string()),
        ("source", pa.string()),
        ("gold", pa.string()),
        ("prediction", pa.string()),
        ("score", pa.float32()),
        ("right", pa.bool_()),
        ("variant", pa.string()),
        ("seed", pa.int64()),
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
    """Build rows of PREDICTIONS, one per item and slot.

    Args:
        items: the columns item_id, cluster and the slots.
        gold, predicted: (items, slots) positions in LABELS.
        logp: (items, slots, labels).
    """
    labels, slots, rows = np.array(LABELS), slots_of(items), gold.size
    item = np.repeat(np.arange(len(gold)), len(slots))
    columns = {
        "item_id": items["item_id"].take(item),
        "cluster": items["cluster"].take(item),
        "slot": np.tile(slots, len(gold)),
        "gold": labels[gold.ravel()],
        "prediction": labels[predicted.ravel()],
        "variant": [variant] * rows,
        "seed": [seed] * rows,
    }
    for number, label in enumerate(LABELS):
        each = [None] * rows if logp is None else logp[:, :, number].ravel()
        columns[f"logp_{label}"] = each
    return pa.table(columns, PREDICTIONS)


def suffix_table(
    items: pa.Table,
    starts: np.ndarray,
    gold: np.ndarray,
    predicted: np.ndarray,
    variant: str,
    seed: int | None = None,
) -> pa.Table:
    """Build rows of SUFFIX_PREDICTIONS, one per scored word.

    Args:
        items: the columns item_id and cluster.
        starts: (items + 1,) where each sentence begins among the words.
        gold: (words of all items,) positions in SUFFIXES, or UNSCORED.
        predicted: (words of all items,) positions in SUFFIXES.
    """
    names = np.array(SUFFIXES)
    words = np.flatnonzero(gold != UNSCORED)
    item = np.searchsorted(starts, words, side="right") - 1
    columns = {
        "item_id": items["item_id"].take(item),
        "cluster": items["cluster"].take(item),
        "position": words - starts[item],
        "gold": names[gold[words]],
        "prediction": names[predicted[words]],
        "variant": [variant] * len(words),
        "seed": [seed] * len(words),
    }
    return pa.table(columns, SUFFIX_PREDICTIONS)
