"""The record of fingerprints, and what wrong programs earn, recomputed."""

import re
import shutil

import confusion
import fingerprints
import pytest
from fingerprints import CONFIGS, RECORD, STORE, STUDIES, judged, record

from kasu.files.tables import read_tsv, write_tsv
from kasu.results.published import PUBLISHED_FOLDER, read_published
from kasu.results.reproduction import State


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("study", STUDIES)
def test_the_record_is_what_its_rows_say_by_the_rules_of_today(study, config):
    rows = [
        {name: cell for name, cell in row.items() if name != "commit"}
        for row in read_tsv(STORE / "fingerprints.tsv", RECORD)
        if (row["study"], row["config"]) == (study, config)
    ]
    assert rows == judged(study, config)


def test_what_changes_is_told_and_the_rest_keeps_its_commit(tmp_path, monkeypatch):
    # The quick ones
    monkeypatch.setattr(fingerprints, "CONFIGS", {"real": ["real"]})
    for name in ("inflection.tsv", "cloze.tsv"):
        shutil.copy(STORE / name, tmp_path / name)
    shutil.copytree(STORE / "figures", tmp_path / "figures")
    old = [row for row in read_tsv(STORE / "fingerprints.tsv", RECORD) if row["config"] == "real"]
    commits = [row["commit"] for row in old]
    old[1]["verdict"] = "differs"
    write_tsv(tmp_path / "fingerprints.tsv", [*old[:3], *old[4:]], RECORD)
    assert [line.rpartition(": ")[0] for line in record(tmp_path, "new")] == [
        "inflection real baseline published medium baseline: differs -> agrees",
        "inflection real ua-01 low ua-01: none -> agrees",
    ]
    after = read_tsv(tmp_path / "fingerprints.tsv", RECORD)
    assert [row["commit"] for row in after] == [
        commits[0], "new", commits[2], "new", *commits[4:]
    ]  # fmt: skip
    assert record(tmp_path, "newer") == []


def test_the_baseline_on_dev_has_every_digit_that_waseda_printed():
    found = fingerprints.dev_accuracies("inflection", "real")
    printed = [
        figure
        for figure in read_published(PUBLISHED_FOLDER)
        if (figure.table, figure.system) == ("dev", "waseda-01 baseline")
    ]
    cells = {
        (setting, language): row[None]["value"]
        for setting in ("low", "medium", "high")
        for language, row in found["baseline", "published", setting].items()
    }
    shown = [
        figure.shows(cells[setting, language])
        for figure in printed
        for setting, _, language in [figure.condition.partition("|")]
        if (setting, language) in cells
    ]
    assert (len(printed), len(shown), sum(shown)) == (291, 264, 264)


# What wrong programs earn


@pytest.mark.parametrize("setting", ["low", "medium"])
@pytest.mark.parametrize("panel", ["p12", "p24"])
def test_no_program_of_another_team_agrees(setting, panel):
    """But for two that are one method with another's rules: ua-01 and the baseline, at low."""
    found = [*confusion.others(setting, panel)]
    assert len(found) > 300
    wrong = {(system, own) for system, own, state in found if state in confusion.PASSED}
    pair = {("baseline", "ua-01"), ("ua-01", "baseline")} if setting == "low" else set()
    assert wrong == pair


def test_the_page_says_what_wrong_programs_earn():
    (found,) = re.findall(confusion.PLACE, confusion.PAGE.read_text("utf-8"))
    assert found[1] == confusion.table()


def test_a_half_wrong_program_earns_less_than_a_right_one():
    """And nearly never where the panel is all languages; a mean loss of 3 points never agrees."""
    for setting in ("low", "medium"):
        right, wrong = (
            confusion.losing(setting, "p24", 0.0, wrong)[State.AGREES] for wrong in (0.0, 0.3)
        )
        assert wrong < 0.2 * right
        assert confusion.losing(setting, "p24", 0.03)[State.AGREES] == 0


def test_the_page_is_written_in_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr(confusion, "table", lambda: "| a |\n")
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- tools/confusion.py -->\nold\n<!-- end -->\nafter\n")
    confusion.write_page(page)
    expected = "before\n<!-- tools/confusion.py -->\n| a |\n<!-- end -->\nafter\n"
    assert page.read_text() == expected
