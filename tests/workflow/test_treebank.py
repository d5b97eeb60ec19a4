"""A cloze dataset from a treebank by one line of the config; annotators' sheets come back."""

import pytest
import yaml

from kasu.cloze.data.annotations import SHEET, read_cell
from kasu.cloze.data.datasets import read_dataset
from kasu.cloze.data.sentences import targets
from kasu.files.tables import read_tsv, write_tsv

pytestmark = pytest.mark.workflow

TREEBANK = "resources/demo/georgian/ka_demo-ud.conllu"
LINE = {
    "name": "made",
    "language": "ka",
    "treebank": dict.fromkeys(("train", "dev", "test"), TREEBANK),
    "paradigms": ["resources/demo/cloze/paradigms.tsv"],
}
GRID = [{"systems": ["copy"], "settings": ["track1-low"]}]


def test_a_line_makes_a_dataset_and_takes_annotations(copy_workflow):
    copy = copy_workflow()
    config = ("--configfile", "small.yaml", "own.yaml")

    def run(line: dict) -> None:
        section = {"cloze": {"languages": [line], "grid": GRID}}
        (copy.folder / "own.yaml").write_text(yaml.safe_dump(section))
        done = copy.run("cloze", config=config)
        assert done.returncode == 0, done.stderr

    run(LINE)
    study = copy.folder / "results/demo/cloze"
    made = study / "datasets/made"
    asked = targets(read_dataset(made / "test.parquet"))
    assert len(asked) > 250
    assert {len(word.plausible) for word in asked} == {1}
    assert (made / "sheet.html").read_text().startswith("<!DOCTYPE html>")
    rows = read_tsv(study / "tables/made.tsv")
    assert {(row["system"], row["condition"]) for row in rows} >= {("made", "dev")}

    # An annotator to whom all forms of the first word fit
    sheet = read_tsv(made / "sheet.tsv")
    first = sheet[0]["item"]
    rows = [row | {"fits": "x"} if row["item"] == first else row for row in sheet]
    write_tsv(copy.folder / "anna.tsv", rows, SHEET)
    # One that she fills in where it lies is not lost
    before = (made / "sheet.tsv").read_bytes()
    write_tsv(made / "sheet.tsv", rows, SHEET)
    filled = (made / "sheet.tsv").read_bytes()
    done = copy.run("cloze", "--forcerun", "convert_treebank", config=config)
    assert done.returncode == 1
    line = "error: results/demo/cloze/datasets/made/sheet.tsv: changed since it was written, and"
    assert line in done.stderr
    assert (made / "sheet.tsv").read_bytes() == filled
    (made / "sheet.tsv").write_bytes(before)

    run(LINE | {"annotations": ["anna.tsv"]})
    forms = [read_cell(row["form"]) for row in sheet if row["item"] == first]
    assert targets(read_dataset(made / "test.parquet"))[0].plausible == tuple(forms)
    assert copy.planned("cloze", config=config) == set()
