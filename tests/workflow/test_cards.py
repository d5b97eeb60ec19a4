"""Every card of the demo holds to what the hub specifies, and to the files beside it.

https://github.com/huggingface/hub-docs/blob/main/datasetcard.md has the fields; tasks are those of
huggingface.js, packages/tasks/src/pipelines.ts. `bench/cards.py` loads all datasets.
"""

import ast
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from kasu.inflection.data.codes import CODES
from kasu.sources.cards import HUB_LICENCES, HUB_SIZES

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).resolve().parents[2]
FIELDS = {
    "pretty_name", "language", "task_categories", "size_categories", "license", "license_name",
    "configs", "dataset_info",
}  # fmt: skip
TASKS = {
    "text-classification", "token-classification", "text-generation", "fill-mask",
    "multiple-choice",
}  # fmt: skip
SPLIT = re.compile(r"\w+(\.\w+)*")  # of the library `datasets`
LICENCE_NAME = re.compile(r"[a-z0-9.-]+")


def read(path: Path) -> tuple[dict, str]:
    _, head, text = path.read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), text


@pytest.fixture(scope="module")
def cards(demo):
    return {path: read(path) for path in (demo.folder / "results/demo").rglob("README.md")}


def test_every_study_with_datasets_has_cards(cards, demo):
    folders = {str(path.parent.relative_to(demo.folder / "results/demo")) for path in cards}
    assert folders >= {
        "agreement/datasets/demo",
        "blm/datasets/type_I",
        "cloze/datasets/georgian-demo",
        "inflection/datasets/harmonic",
        "inflection/datasets/prefixal",
        "minimal_sets/datasets/demo-nom-dat-subj",
    }


def test_fields_hold_what_the_hub_allows(cards):
    for path, (head, _) in cards.items():
        assert head.keys() <= FIELDS, path
        assert isinstance(head["pretty_name"], str), path
        assert set(head["language"]) <= {*CODES.values(), "mis"}, path
        assert set(head["task_categories"]) <= TASKS, path
        assert set(head["size_categories"]) <= {*HUB_SIZES}, path
        assert head["license"] in {*HUB_LICENCES, "other", "unknown"}, path
        assert ("license_name" in head) == (head["license"] == "other"), path
        assert LICENCE_NAME.fullmatch(head.get("license_name", "a")), path


def test_splits_and_sizes_are_those_of_the_files(cards):
    for path, (head, text) in cards.items():
        (config,) = head["configs"]
        files = {each["split"]: path.parent / each["path"] for each in config["data_files"]}
        info = head["dataset_info"]
        splits = {each["name"]: each for each in info["splits"]}
        assert list(files) == list(splits), path
        for split, file in files.items():
            assert SPLIT.fullmatch(split), path
            rows = pq.read_metadata(file).num_rows
            assert 0 < rows == splits[split]["num_examples"], file
            assert f"| {split} | {rows} |" in text.splitlines(), file
            assert splits[split]["num_bytes"] > 0, file
        assert info["dataset_size"] == sum(each["num_bytes"] for each in splits.values()), path
        assert info["download_size"] == sum(f.stat().st_size for f in files.values()), path


def test_columns_are_those_of_every_split(cards):
    for path, (head, text) in cards.items():
        explained = re.findall(r"^\| `(\w+)` \| .+ \|$", text, re.MULTILINE)
        files = [path.parent / each["path"] for each in head["configs"][0]["data_files"]]
        schemas = [pq.read_schema(file) for file in files]
        assert all(schema == schemas[0] for schema in schemas), path
        assert schemas[0].names == explained, path


def test_tables_have_as_many_cells_in_every_row(cards):
    for path, (_, text) in cards.items():
        for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
            cells = {len(re.split(r"(?<!\\)\|", row)) for row in table.splitlines()}
            assert len(cells) == 1, path


def test_the_row_that_the_page_shows(demo):
    page = (ROOT / "docs/results.md").read_text(encoding="utf-8")
    (folder,) = re.findall(r'load_dataset\("([^"]*)"\)', page)
    ((split, row),) = re.findall(r'^print\(\w+\["(\w+)"\]\[0\]\)  # (.*)$', page, re.MULTILINE)
    table = pq.read_table(demo.folder / folder / f"{split}.parquet")
    assert table.slice(0, 1).to_pylist() == [ast.literal_eval(row)]
