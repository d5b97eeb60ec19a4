"""`kasu page`: a page of any folder of results, without a run."""

import json

import pytest

from kasu.cli import main
from kasu.files.seals import expect_unedited, seal
from kasu.files.tables import write_text, write_tsv
from kasu.report.described import Described, write_described
from kasu.results.comparison import TABLE
from kasu.results.study import Data, StudyReport

ROW = dict.fromkeys(TABLE) | {
    "paper": "basque2018", "table": "Table 4", "system": "BiLSTM", "condition": "Base",
    "metric": "accuracy", "unit": "percent", "ours": 0.5,
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of results with a study whose run has not ended."""
    monkeypatch.chdir(tmp_path)
    write_tsv("r/agreement/tables/table_4.tsv", [ROW], TABLE)
    report = StudyReport(
        name="agreement",
        title="Agreement",
        citation="Ravfogel & al.",
        paper="basque2018",
        printed={"table_4": "Table 4"},
        captions={},
        details={"Pairs": "r/agreement/tables/pairs.tsv"},
        data=Data.YOURS,
    )
    sources = [{"name": "my text", "licence": "", "citation": "", "path": "gone.txt"}]
    config = {"summary": "A trial.", "results": "r", "seeds": [7]}
    config["analysers"] = [{"name": "xyz", "dictionary": "xyz.bin"}]
    config["corpora"] = [{"name": "mine", "analyser": "xyz"}]
    write_described(Described(report, sources, config, {"kasu": "0.9, commit abc1234"}), "r")
    return tmp_path


def test_a_half_finished_run_has_a_page_of_what_is_there(folder, capsys):
    run_s = folder / "r/report/index.html"
    run_s.write_text("the page of a run")
    seal(run_s)
    assert main(["page", "r"]) == 0
    # The next run may build its own page
    expect_unedited(run_s)
    said = capsys.readouterr()
    assert said.out == "r/report/index.html\n"
    missing = "Missing, as the run has not ended: 1 file (agreement/tables/pairs.tsv)"
    assert said.err == f"{missing}\n"
    page = (folder / "r/report/index.html").read_text()
    for shown in (missing, "A trial.", "your data", "made by Kasu 0.9, commit abc1234", "50.0"):
        assert shown in page
    assert "<td>my text</td><td>not at hand</td>" in page
    assert "<td>sha256 of xyz.bin</td>" in page


def test_a_run_that_has_not_looked_for_warnings_has_a_page(folder, capsys):
    path = folder / "r/report/agreement.json"
    stated = json.loads(path.read_text())
    stated["report"]["warnings"] = "<results>/agreement/warnings.tsv"
    path.write_text(json.dumps(stated))
    assert main(["page", "r"]) == 0
    assert "2 files (agreement/tables/pairs.tsv, agreement/warnings.tsv)" in capsys.readouterr().err


def test_a_missing_file_may_be_named_by_another_way_into_the_folder(folder, capsys):
    path = folder / "r/report/agreement.json"
    stated = json.loads(path.read_text())
    stated["report"]["details"] = {"Pairs": str(folder / "r/agreement/tables/pairs.tsv")}
    path.write_text(json.dumps(stated))
    assert main(["page", "r"]) == 0
    assert "1 file (agreement/tables/pairs.tsv)" in capsys.readouterr().err


def test_a_table_that_has_changed_since_it_was_written_is_left_out(folder, capsys):
    write_tsv("r/agreement/tables/pairs.tsv", [{"system": "BiLSTM"}], ("system",))
    seal("r/agreement/tables/table_4.tsv")
    write_tsv("r/agreement/tables/table_4.tsv", [ROW | {"ours": 0.77}], TABLE)
    assert main(["page", "r"]) == 0
    line = "left out: r/agreement/tables/table_4.tsv: changed since it was written"
    assert line in capsys.readouterr().err
    assert "77.0" not in (folder / "r/report/index.html").read_text()
    (folder / "r/agreement/tables/.table_4.tsv.sha256").unlink()  # it is used as it is
    assert main(["page", "r"]) == 0
    assert "77.0" in (folder / "r/report/index.html").read_text()


def test_a_config_of_other_types_has_a_page(folder):
    path = folder / "r/report/agreement.json"
    stated = json.loads(path.read_text())
    stated["config"]["analysers"] = 3
    path.write_text(json.dumps(stated))
    assert main(["page", "r"]) == 0


def test_a_page_goes_where_it_is_asked_to(folder, capsys):
    assert main(["page", "r", "--out", "mine.html"]) == 0
    assert (folder / "mine.html").exists() and not (folder / "r/report/index.html").exists()
    assert 'href="r/agreement/tables/table_4.tsv"' in (folder / "mine.html").read_text()
    assert capsys.readouterr().out == "mine.html\n"


def test_a_folder_of_an_older_kasu_has_its_tables(folder, capsys):
    (folder / "r/report/agreement.json").unlink()
    write_tsv("r/agreement/tables/old.tsv", [{"system": "BiLSTM"}], ("system",))
    assert main(["page", "r/"]) == 0
    page = (folder / "r/report/index.html").read_text()
    assert "the folder does not say whose data these are" in page
    assert "Old</h3>" in page and "50.0" in page
    assert "Config as used" not in page and capsys.readouterr().err == ""


def test_two_configs_in_one_folder_are_both_shown(folder):
    write_tsv("r/blm/tables/table_1.tsv", [ROW], TABLE)
    blm = StudyReport("blm", "BLM", "An & al.", "blm", {"table_1": "Table 1"}, {})
    write_described(Described(blm, [], {"summary": "Another.", "seeds": [8]}, {}), "r")
    assert main(["page", "r"]) == 0
    page = (folder / "r/report/index.html").read_text()
    assert "agreement:\n  summary: A trial." in page and "blm:\n  summary: Another." in page


def test_studies_of_two_versions_are_told_apart(folder):
    write_tsv("r/blm/tables/table_1.tsv", [ROW], TABLE)
    blm = StudyReport("blm", "BLM", "An & al.", "blm", {"table_1": "Table 1"}, {})
    write_described(Described(blm, [], {}, {"kasu": "0.8", "python": "3.12"}), "r")
    assert main(["page", "r"]) == 0
    page = (folder / "r/report/index.html").read_text()
    assert "<td>kasu, blm</td><td>0.8</td>" in page and "made by Kasu" not in page
    assert "<td>kasu, agreement</td><td>0.9, commit abc1234</td>" in page


@pytest.mark.parametrize(
    ("results", "found"),
    [
        ("empty", "no table of a study"),
        ("none", "no such folder"),
        ("r/agreement", "no table of a study"),
        ("foreign", "no table of a study"),
        ("begun", "no table of a study yet, as the run has not ended"),
    ],
)
def test_no_results_are_one_line(folder, capsys, results, found):
    (folder / "empty").mkdir()
    write_text("foreign/paper/tables/x.tsv", "a\n1\n")
    blm = StudyReport("blm", "BLM", "An & al.", "blm", {"table_1": "Table 1"}, {})
    write_described(Described(blm), "begun")
    assert main(["page", results]) == 1
    said = capsys.readouterr()
    line = f"error: {results}: {found}; expected a folder of results"
    assert (said.out, said.err) == ("", f"{line}\n")


def test_a_study_of_which_nothing_is_there_is_missing(folder, capsys):
    blm = StudyReport("blm", "BLM", "An & al.", "blm", {"table_1": "Table 1"}, {})
    write_described(Described(blm), "r")
    assert main(["page", "r"]) == 0
    assert "2 files (agreement/tables/pairs.tsv, blm/tables/table_1.tsv)" in capsys.readouterr().err
    assert "BLM" not in (folder / "r/report/index.html").read_text()


def test_the_page_is_not_written_over_a_result(folder, capsys):
    before = (folder / "r/agreement/tables/table_4.tsv").read_bytes()
    assert main(["page", "r", "--out", "r/agreement/tables/table_4.tsv"]) == 2
    assert "an input of this command" in capsys.readouterr().err
    assert (folder / "r/agreement/tables/table_4.tsv").read_bytes() == before


def test_a_damaged_description_is_one_line_and_the_tables_speak(folder, capsys):
    write_text("r/report/agreement.json", "{")
    assert main(["page", "r"]) == 0
    assert capsys.readouterr().err.startswith("left out: r/report/agreement.json: unreadable")
