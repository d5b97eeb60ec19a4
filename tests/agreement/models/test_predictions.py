import numpy as np
import pyarrow as pa

from kasu.agreement.data.tasks import SLOTS
from kasu.agreement.models.predictions import PREDICTIONS, prediction_table


def test_one_row_per_item_and_slot():
    items = pa.table(
        {"item_id": ["a", "b"], "cluster": ["x", "y"], **dict.fromkeys(SLOTS, ["none"] * 2)}
    )
    gold = np.array([[0, 1, 2], [1, 1, 0]])
    logp = np.log(np.full((2, 3, 3), 0.25, np.float32))
    table = prediction_table(items, gold, gold[:, ::-1], "paper", 7, logp)
    assert table.schema.equals(PREDICTIONS)
    assert table["item_id"].to_pylist() == ["a", "a", "a", "b", "b", "b"]
    assert table["gold"].to_pylist()[:3] == ["none", "singular", "plural"]
    assert table["prediction"].to_pylist()[:3] == ["plural", "singular", "none"]
    assert table["seed"].to_pylist() == [7] * 6
    assert table["logp_plural"][0].as_py() == np.log(np.float32(0.25))
