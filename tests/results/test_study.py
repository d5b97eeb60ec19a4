"""What a study tells the report: its files, and whether its data are the paper's."""

from dataclasses import replace
from pathlib import Path

import pytest

from kasu.base.paths import ROOT
from kasu.results.study import Data, StudyReport
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
BERT = source("models/bert/main")
MODEL = Entry("bert", Path("resources/downloads/models/bert/main"), BERT, is_model=True)
OWN_MODEL = Entry("gpt", Path("my/gpt"), None, is_model=True)
BESIDE_MODELS = Entry("euwiki", Path("/home/me/models/downloads/eu.xml"), source("eu.xml"))
OWN = Entry("own.xml", Path("own.xml"), None)
OF_ADDRESS = Entry("own.txt", Path("resources/downloads/url/a/own.txt"), source("url/a/own.txt"))
DEMO = Entry("euwiki", ROOT / "resources/demo/euwiki-demo-pages-articles.xml", None)
REQUEST = Entry("nom_dat", ROOT / "resources/queries/kat/nom_dat.req", None)


def test_the_report_reads_tables_captions_figures_and_counts():
    assert REPORT.files("r") == [
        "r/agreement/tables/table_4.tsv",
        "workflow/report/agreement_table_4.rst",
        "r/agreement/figures/table_4.svg",
        "r/counts.tsv",
        "r/agreement/figures/table_4.pdf",
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
    ("sources", "foreign", "data"),
    [
        ([DUMP], False, Data.PAPER),
        ([OWN, DUMP], False, Data.PAPER),
        ([DUMP], True, Data.YOURS),
        ([OWN], False, Data.YOURS),
        ([OF_ADDRESS], False, Data.YOURS),
        ([DEMO, OF_ADDRESS], False, Data.YOURS),
        ([OWN, DEMO], False, Data.YOURS),
        ([OWN, MODEL], False, Data.YOURS),
        ([DEMO], False, Data.DEMO),
        ([DEMO, OWN_MODEL], False, Data.DEMO),
        ([BESIDE_MODELS], False, Data.PAPER),
        ([DEMO, REQUEST, MODEL], True, Data.DEMO),
        ([], False, Data.DEMO),
    ],
)
def test_whose_data_they_are_follows_from_the_sources(sources, foreign, data):
    assert replace(REPORT, data=None, sources=sources, foreign=foreign).data is data


def test_a_file_of_the_demo_is_none_of_the_users_in_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = Entry("euwiki", Path("resources/demo/euwiki.xml"), None)
    assert replace(REPORT, data=None, sources=[own]).data is Data.YOURS


def test_a_report_is_made_again_from_its_dump():
    dumped = REPORT.dump()
    assert {type(value) for value in dumped.values()} == {str, dict, list}
    assert dumped["captions"] == {"table_4": "workflow/report/agreement_table_4.rst"}
    assert StudyReport(**dumped) == replace(REPORT, nulls=["majority"], sources=[], readers=[])
