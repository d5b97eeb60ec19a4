"""The table of warnings: what a log and the page say of it."""

import logging

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import write_text
from kasu.results.warnings.table import ResultWarning, read_warnings, write_warnings


def test_a_line_names_three_places_and_counts_the_others(tmp_path, caplog):
    same = "answers as copying does"
    found = [ResultWarning("uzh", same, f"low, {name}") for name in ("cy", "eu", "fi", "ka", "sv")]
    found.insert(1, ResultWarning("uzh", "repeats itself", "low, cy"))
    with caplog.at_level(logging.WARNING, "kasu"):
        write_warnings(tmp_path / "warnings.tsv", found)
    lines = [
        "uzh: answers as copying does (low, cy; low, eu; low, fi; and 2 more)",
        "uzh: repeats itself (low, cy)",
    ]
    assert read_warnings(tmp_path / "warnings.tsv") == lines
    assert [record.getMessage() for record in caplog.records] == lines


def test_a_study_without_warnings_has_a_table_without_rows(tmp_path):
    write_warnings(tmp_path / "warnings.tsv", [])
    assert (tmp_path / "warnings.tsv").read_text() == "system\twarning\twhere\n"
    assert read_warnings(tmp_path / "warnings.tsv") == []


def test_a_warning_without_a_place_has_no_brackets(tmp_path):
    write_warnings(tmp_path / "warnings.tsv", [ResultWarning("networks", "are small")])
    assert read_warnings(tmp_path / "warnings.tsv") == ["networks: are small"]


def test_a_form_with_a_tab_stays_one_cell(tmp_path):
    write_warnings(tmp_path / "warnings.tsv", [ResultWarning("a", "gives x\ty\n", "")])
    assert read_warnings(tmp_path / "warnings.tsv") == [r"a: gives x\ty\n"]


def test_another_table_is_one_line(tmp_path):
    write_text(tmp_path / "warnings.tsv", "step\tcount\n")
    with pytest.raises(KasuError, match=r"warnings\.tsv.*system"):
        read_warnings(tmp_path / "warnings.tsv")
