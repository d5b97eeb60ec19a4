"""The folder for the hub and its Croissant: card, tasks and parquet say the same."""

import hashlib
import json

import pyarrow as pa
import pytest
import yaml
from huggingface_hub import DatasetCard

from kasu.files.tables import read_parquet, write_parquet

ROW = {"item_id": "1", "context": ["a"], "candidates": ["b", "c"], "answer": 1,
       "licence": "CC BY-SA 4.0"}  # fmt: skip
SPLITS = {
    "train": [ROW, {**ROW, "item_id": "2", "licence": "CC BY-NC-SA 3.0"}],
    "test": [ROW],
}
FILES = ["LICENSE.md", "README.md", "test.parquet", "train.parquet"]


def test_card_tasks_and_parquet_agree(build, export):
    folder = build(SPLITS)
    hub, _, said = export(folder, "hub")
    assert said == ["CC BY-NC-SA 3.0: train 2, test 1"]
    assert sorted(path.name for path in hub.iterdir()) == FILES
    card = DatasetCard.load(hub / "README.md").data.to_dict()
    assert (card["license"], card["language"]) == ("cc-by-nc-sa-3.0", ["en"])
    rows = {each["name"]: each["num_examples"] for each in card["dataset_info"]["splits"]}
    files = {each["split"]: each["path"] for each in card["configs"][0]["data_files"]}
    tables = {split: read_parquet(hub / path) for split, path in files.items()}
    assert rows == {split: table.num_rows for split, table in tables.items()}
    assert tables["train"]["licence"].to_pylist() == ["CC BY-SA 4.0", "CC BY-NC-SA 3.0"]
    harness, _, _ = export(folder, "lm-eval")
    task = yaml.safe_load((harness / "kasu_subjects.yaml").read_text())
    assert task["metadata"] == {"version": 1.0, "licence": "CC BY-NC-SA 3.0", "rows": rows}
    for split, path in task["dataset_kwargs"]["data_files"].items():
        found = [json.loads(line) for line in (harness / path).read_text().splitlines()]
        for name in ("licence", "attribution"):
            assert [line[name] for line in found] == tables[split][name].to_pylist()


def test_croissant_describes_the_parquet(build, export):
    out, _, _ = export(build(SPLITS), "croissant")
    assert sorted(path.name for path in out.iterdir()) == sorted([*FILES, "croissant.json"])
    found = json.loads((out / "croissant.json").read_text())
    assert found["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert (found["name"], found["license"]) == ("subjects", "CC BY-NC-SA 3.0")
    assert found["description"] == "Sets, subjects. Two | forms."
    for file in found["distribution"]:
        data = (out / file["contentUrl"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(data).hexdigest()
        assert file["contentSize"] == f"{len(data)} B"
    records = {each["@id"]: each for each in found["recordSet"]}
    assert list(records) == ["train", "test"]
    types = {
        field["name"]: (field["dataType"], field.get("repeated", False))
        for field in records["test"]["field"]
    }
    assert types == {
        "item_id": ("sc:Text", False), "context": ("sc:Text", True),
        "candidates": ("sc:Text", True), "answer": ("sc:Integer", False),
        "licence": ("sc:Text", False), "attribution": ("sc:Text", False),
    }  # fmt: skip
    assert records["test"]["field"][3]["source"] == {
        "fileObject": {"@id": "test.parquet"}, "extract": {"column": "answer"},
    }  # fmt: skip


@pytest.mark.parametrize("lists", [pa.large_list(pa.large_string()), pa.list_(pa.string(), 2)])
def test_lists_of_any_kind_are_lists(tmp_path, export, lists):
    schema = pa.schema([("context", lists), ("candidates", lists), ("answer", pa.int64())])
    path = tmp_path / "mine.parquet"
    row = {"context": ["a", "b"], "candidates": ["c", "d"], "answer": 1}
    write_parquet(path, [row], schema)
    out, status, _ = export(path, "croissant", "--licence", "MIT")
    assert status == 0
    assert read_parquet(out / "test.parquet").schema.field("context").type == lists
    (records,) = json.loads((out / "croissant.json").read_text())["recordSet"]
    fields = {field["name"]: field for field in records["field"]}
    kept = {key: fields["context"].get(key) for key in ("dataType", "repeated")}
    assert kept == {"dataType": "sc:Text", "repeated": True}
    out, _, _ = export(path, "lm-eval", "--licence", "MIT")
    assert json.loads((out / "data/kasu_mine.test.jsonl").read_text())["choices"] == ["d", "c"]


def test_the_same_dataset_gives_the_same_bytes(build, export):
    folder = build(SPLITS)
    out, _, _ = export(folder, "croissant")
    first = {path.name: path.read_bytes() for path in out.iterdir()}
    for path in out.iterdir():
        path.unlink()
    again, status, _ = export(folder, "croissant")
    assert status == 0  # into the folder that is empty now
    assert {path.name: path.read_bytes() for path in again.iterdir()} == first
