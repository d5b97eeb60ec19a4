"""What a folder of results says of its studies, and what the page can show of it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kasu.files.seals import seal
from kasu.files.tables import write_counts, write_drops, write_text, write_tsv
from kasu.report.described import Described, derive, present, read_described, write_described
from kasu.results.comparison import TABLE
from kasu.results.study import Data, StudyReport
from kasu.results.warnings.table import write_warnings

ROW = dict.fromkeys(TABLE) | {
    "paper": "basque2018", "table": "Table 4", "system": "BiLSTM", "condition": "Base",
    "metric": "accuracy", "unit": "percent", "ours": 0.5,
}  # fmt: skip


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A folder of results with a study, as a path from the working directory."""
    monkeypatch.chdir(tmp_path)
    write_tsv("r/agreement/tables/table_4.tsv", [ROW], TABLE)
    write_tsv("r/agreement/tables/pairs.tsv", [{"a": 1}], ("a",))
    write_counts("r/agreement/datasets/mine/counts.tsv", {"sentences": 3})
    write_drops("r/agreement/datasets/mine/drops.tsv", {})
    write_text("r/agreement/figures/table_4.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    return "r"


@pytest.fixture
def study():
    """The study as its plan describes it."""
    return Described(
        StudyReport(
            name="agreement",
            title="Agreement",
            citation="Ravfogel & al.",
            paper="basque2018",
            printed={"table_4": "Table 4", "table_5": "Table 5"},
            captions={"table_4": "workflow/report/agreement_table_4.rst"},
            figures={"table_4": "r/agreement/figures/table_4.svg"},
            counts={"dataset": "r/agreement/datasets/mine/counts.tsv"},
            details={"Pairs": "r/agreement/tables/pairs.tsv"},
            examples="r/agreement/examples.tsv",
            warnings="r/agreement/warnings.tsv",
            nulls=["majority"],
            defaults={"": ["paper"]},
            readers=["r/agreement/datasets/mine/drops.tsv"],
            sources=[],
            data=Data.YOURS,
        ),
        [{"name": "mine", "licence": "", "citation": "", "path": "mine.xml"}],
        {"summary": "A trial.", "results": "r", "seeds": [1]},
        {"kasu": "0.9"},
    )


def test_a_study_is_read_as_it_was_written(results, study):
    write_described(study, results)
    assert read_described(results) == ([study], [])


def test_a_run_that_has_begun_describes_no_older_figures(results, study):
    path = Path(results, "report", "agreement.json")
    other = replace(study, config={"seeds": [2]})
    write_described(study, results, ended=False)
    assert path.exists()  # there are no figures yet
    write_text(Path(results, "agreement", "scores.parquet"), "")
    write_described(study, results, ended=False)
    assert path.exists()  # the same config
    write_described(other, results, ended=False)
    assert not path.exists()  # the figures may be of either
    write_described(other, results)
    assert read_described(results) == ([other], [])


@pytest.fixture
def described(results, study):
    """The file that describes the study, whose run has ended."""
    write_text(Path(results, "agreement", "scores.parquet"), "")
    seal("r/agreement/tables/table_4.tsv")
    write_described(study, results)
    return Path(results, "report", "agreement.json")


def make_table_anew():
    write_tsv("r/agreement/tables/table_4.tsv", [ROW | {"ours": 0.6}], TABLE)
    seal("r/agreement/tables/table_4.tsv")


def test_figures_keep_their_description_in_a_failed_run_of_another_config(
    results, study, described
):
    before = described.read_bytes()
    other = replace(study, config={"seeds": [2]})
    write_described(other, results, ended=False)
    assert described.read_bytes() == before
    [read], faults = read_described(results)
    assert (read.config, faults) == (study.config, [])
    make_table_anew()
    line = "left out: r/report/agreement.json: agreement/tables/table_4.tsv was made anew since"
    for config in (other, study):  # the next run may be of either, and end as soon
        write_described(config, results, ended=False)
        [read], faults = read_described(results)
        assert read.report.data is Data.UNKNOWN
        assert faults == [f"{line}; expected a run that has ended"]
    write_described(other, results)
    [read], faults = read_described(results)
    assert (read.config, faults) == (other.config, [])


def test_figures_that_the_same_config_makes_anew_keep_their_description(results, study, described):
    write_described(study, results, ended=False)
    make_table_anew()
    [read], faults = read_described(results)
    assert (read.config, faults) == (study.config, [])


def test_paths_follow_a_folder_that_is_moved(results, study, tmp_path):
    write_described(study, results)
    (tmp_path / "r").rename("moved")
    [moved], _ = read_described("moved")
    assert moved.report.figures == {"table_4": "moved/agreement/figures/table_4.svg"}
    assert moved.report.captions == study.report.captions
    assert present(moved.report, "moved")[0].tables("moved") == {
        "table_4": "moved/agreement/tables/table_4.tsv"
    }


def test_what_is_missing_is_left_out_and_named(results, study):
    shown, missing, faults = present(study.report, results)
    assert [*shown.printed] == ["table_4"]
    assert (shown.examples, shown.warnings, shown.details) == ("", "", study.report.details)
    assert missing == [
        "r/agreement/tables/table_5.tsv", "r/agreement/examples.tsv", "r/agreement/warnings.tsv",
    ]  # fmt: skip
    assert faults == []


def test_missing_warnings_are_left_out_and_named(results, study):
    report = replace(study.report, warnings="r/agreement/warnings.tsv")
    shown, missing, _ = present(report, results)
    assert shown.warnings == "" and missing[-1] == "r/agreement/warnings.tsv"
    write_warnings(report.warnings, [])
    assert present(report, results)[0].warnings == report.warnings


def test_a_damaged_file_is_left_out_with_its_fault(results, study, tmp_path):
    (tmp_path / "r/agreement/tables/table_4.tsv").write_text("a\n1\n")
    (tmp_path / "r/agreement/figures/table_4.svg").write_text("<html>")
    shown, _, faults = present(study.report, results)
    assert not shown.printed and not shown.figures
    assert [fault.partition(":")[0] for fault in faults] == ["left out", "left out"]
    assert "table_4.tsv" in faults[0] and "no <svg> element" in faults[1]


def test_a_folder_without_descriptions_has_what_its_tables_say(results):
    write_text("r/agreement/warnings.tsv", "system\twarning\twhere\n")
    [study], faults = read_described(results)
    report = study.report
    assert faults == []
    assert (report.name, report.title, report.data) == ("agreement", "Agreement", Data.UNKNOWN)
    assert report.printed == {"table_4": "table_4"}
    assert report.details == {"Pairs": "r/agreement/tables/pairs.tsv"}
    assert report.figures == {"table_4": "r/agreement/figures/table_4.svg"}
    assert report.warnings == "r/agreement/warnings.tsv"
    assert report.counts == {"datasets/mine": "r/agreement/datasets/mine/counts.tsv"}
    assert report.drops == {"datasets/mine": "r/agreement/datasets/mine/drops.tsv"}
    assert [path.rpartition("/")[2] for path in report.captions.values()] == [
        "agreement_table_4.rst"
    ]


def test_a_folder_without_descriptions_shows_its_warnings(results):
    write_warnings("r/agreement/warnings.tsv", [])
    assert derive(results, "agreement").report.warnings == "r/agreement/warnings.tsv"


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ("tables/passwords.tsv", "details"),
        ("datasets/mine/other_counts.tsv", "counts"),
        ("examples.tsv", "examples"),
        ("figures/table_4.svg", "figures"),
    ],
)
def test_a_folder_without_descriptions_shows_no_link_out_of_it(results, tmp_path, link, named):
    before = getattr(derive(results, "agreement").report, named)
    (tmp_path / "secret").write_text("what\tcount\na\t1\n")
    path = tmp_path / "r/agreement" / link
    path.unlink(missing_ok=True)
    path.symlink_to(tmp_path / "secret")
    shown = getattr(derive(results, "agreement").report, named)
    assert shown == ({} if named == "figures" else before)


def test_claims_of_another_schema_are_left_out_of_a_folder_without_descriptions(results):
    write_tsv("r/agreement/tables/claims.tsv", [{"claim": "a"}], ("claim",))
    assert "Claims" not in derive(results, "agreement").report.details


def test_an_empty_folder_has_no_study(tmp_path):
    assert read_described(str(tmp_path)) == ([], [])
    assert read_described(str(tmp_path / "none")) == ([], [])


@pytest.mark.parametrize(
    "change",
    [
        {"details": {"Mine": "/etc/passwd"}},
        {"details": {"Mine": "<results>/../secret.tsv"}},
        {"captions": {"table_4": "../secret.rst"}},
        {"printed": {"../../../secret": "Table"}},
        {"readers": ["secret.tsv"]},
        {"name": "other"},
        {"printed": 7},
        {"data": "nobody's"},
    ],
)
def test_a_description_with_other_paths_or_fields_is_left_out(results, study, change, tmp_path):
    (tmp_path / "secret.tsv").write_text("a\n1\n")
    write_described(study, results)
    path = tmp_path / "r/report/agreement.json"
    stated = json.loads(path.read_text())
    stated["report"] |= change
    path.write_text(json.dumps(stated))
    [read], [fault] = read_described(results)
    assert read.report.data is Data.UNKNOWN  # what the tables say stands in its place
    assert fault.startswith("left out: r/report/agreement.json: ")
    assert fault.endswith("; expected a file that a run of Kasu left")


def test_a_description_that_is_no_json_is_left_out(results, tmp_path):
    write_text("r/report/blm.json", "{")
    [read], [fault] = read_described(results)
    assert read.report.name == "agreement"
    assert "r/report/blm.json: unreadable" in fault


def test_a_description_may_have_fields_that_this_kasu_does_not_know(results, study, tmp_path):
    write_described(study, results)
    path = tmp_path / "r/report/agreement.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"later": 1}))
    assert read_described(results) == ([study], [])


def test_a_link_out_of_the_folder_is_not_followed(results, study, tmp_path):
    (tmp_path / "secret.tsv").write_text("a\n1\n")
    (tmp_path / "r/agreement/linked.tsv").symlink_to(tmp_path / "secret.tsv")
    linked = replace(study.report, details={"Mine": "r/agreement/linked.tsv"})
    write_described(replace(study, report=linked), results)
    _, [fault] = read_described(results)
    assert "r/agreement/linked.tsv lies elsewhere" in fault
