"""What a study tells the report: its files, and whether its data are the paper's."""

from dataclasses import replace
from pathlib import Path

import pytest

from kasu.base.paths import ROOT
from kasu.results.study import StudyReport
from kasu.sources.registry import Entry, Source

REPORT = StudyReport(
    name="agreement",
    title="Agreement",
    citation="Ravfogel & al.",
    paper="basque2018",
    printed={"table_4": "Table 4"},
    captions={"table_4": "workflow/report/agreement_table_4.rst"},
    figures={"table_4": "r/agreement/figures/table_4.svg"},
    counts={"basque": "r/counts.tsv"},
    nulls=("majority",),
    defaults={"": ["paper"]},
)


def source(path: str) -> Source:
    return Source(name=path, path=path)


DUMP = Entry("euwiki", Path("resources/downloads/wiki/eu.xml"), source("wiki/eu.xml"))
MODEL = Entry("bert", Path("resources/downloads/models/bert/main"), source("models/bert/main"))
OWN = Entry("own.xml", Path("own.xml"), None)


def test_the_report_reads_tables_captions_figures_and_counts():
    assert REPORT.files("r") == [
        "r/agreement/tables/table_4.tsv",
        "workflow/report/agreement_table_4.rst",
        "r/agreement/figures/table_4.svg",
        "r/counts.tsv",
    ]


def test_the_report_reads_the_examples_of_a_study_that_has_any():
    with_examples = replace(REPORT, examples="r/agreement/examples.tsv")
    assert set(with_examples.files("r")) - set(REPORT.files("r")) == {"r/agreement/examples.tsv"}


def test_the_report_reads_the_warnings_of_a_study_that_has_any():
    with_warnings = replace(REPORT, warnings="r/agreement/warnings.tsv")
    assert set(with_warnings.files("r")) - set(REPORT.files("r")) == {"r/agreement/warnings.tsv"}


def test_captions_are_found_from_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    caption = "workflow/report/agreement_table_4.rst"
    assert replace(REPORT).captions == {"table_4": str(ROOT / caption)}


@pytest.mark.parametrize(
    ("sources", "local"),
    [([OWN], True), ([OWN, MODEL], True), ([OWN, DUMP], False), ([], True)],
)
def test_data_are_local_unless_a_source_of_data_was_fetched(sources, local):
    assert StudyReport(**REPORT.dump() | {"sources": sources}).local is local


def test_a_report_is_made_again_from_its_dump():
    dumped = REPORT.dump()
    assert {type(value) for value in dumped.values()} == {str, dict, list}
    assert StudyReport(**dumped).dump() == dumped


DEMO = Entry("demo", Path("resources/demo/pairs.jsonl"), None)
QUERY = Entry("query", ROOT / "resources/queries/kat/nom_dat.req", None)
BESIDE = Entry("pairs", Path("resources/demonstration.jsonl"), None)


@pytest.mark.parametrize(
    ("sources", "of_demo"),
    [
        ([DEMO, QUERY], True),
        ([DEMO, MODEL], True),
        ([DEMO, OWN], False),
        ([DEMO, BESIDE], False),
        ([DEMO, DUMP], False),
    ],
)
def test_data_that_come_with_kasu_are_of_the_demo(sources, of_demo):
    assert StudyReport(**REPORT.dump() | {"sources": sources}).of_demo is of_demo
