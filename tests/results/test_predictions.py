"""Files of predictions as one frame, and whether each run has each item once."""

import pandas as pd
import pyarrow as pa
import pytest

from kasu.files.tables import write_parquet
from kasu.results.predictions import is_grid, read_frames


def test_rows_know_their_file(tmp_path):
    schema = pa.schema([("x", pa.string()), ("y", pa.int64())])
    for name in "ab":
        rows = [{"x": f"{name}1", "y": 1}, {"x": f"{name}2", "y": 2}]
        write_parquet(tmp_path / name, rows, schema)
    frame = read_frames([tmp_path / "b", tmp_path / "a"], ["x"])
    assert frame.to_dict("list") == {"x": ["b1", "b2", "a1", "a2"], "file": [0, 0, 1, 1]}
    assert frame["file"].dtype == "int16"
    assert frame.index.tolist() == [0, 1, 2, 3]
    assert read_frames([]).empty


@pytest.mark.parametrize(
    ("pairs", "complete"),
    [
        ("1a 1b 2a 2b", True),
        ("1a", True),
        ("1a 1b 2a", False),
        ("1a 1a 2a 2a", False),
        ("1a 1b 2a 2c", False),
        ("1a 1a 2b 2b", False),
        ("1a 1b 2b 2b", False),
    ],
)
def test_every_run_has_every_item_once(pairs, complete):
    rows = pd.DataFrame([{"run": int(run), "item": item} for run, item in pairs.split()])
    assert is_grid(rows, "run", "item") is complete


def test_runs_without_a_seed_are_one():
    rows = pd.DataFrame({"run": [None, None], "item": ["a", "b"]})
    assert is_grid(rows, "run", "item")
    assert not is_grid(pd.concat([rows, rows]).sort_values("item"), "run", "item")
