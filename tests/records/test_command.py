"""`kasu record`: a table of tables, each figure of a narrower question, and unknown names."""

import json
import os
import subprocess
import sys
from contextlib import suppress

import pytest

from kasu.base.errors import KasuError
from kasu.cli import main
from kasu.records import command
from kasu.records.command import ENTRY, block, entry_line, fit, select
from kasu.records.reading import read_record


@pytest.fixture
def show(store, published, measure, monkeypatch, capsys):
    """The lines that the command prints of a small record."""
    measure(value="0.981000", low="0.9702", high="0.9904", verdict="agrees", commit="c2")
    measure(value="0.500000", verdict="differs", system="LSTM")
    monkeypatch.setattr(command, "read_record", lambda: read_record(store, published))

    def run(*options, status=0):
        assert main(["record", *options]) == status
        printed = capsys.readouterr()
        run.note = printed.err.splitlines()
        return printed.out.splitlines()

    return run


def test_each_table_is_a_line(show):
    lines = show("--paper", "agreement")
    assert lines == [
        "study\ttable\tprinted\ton_record\tshare\twords\tconfig\tcommit",
        "agreement\tTable 4\t2\t2\t100%\tagrees 1, differs 1\treal\tc2 +1",
        "agreement\tTable 10\t1\t0\t0%\t\t\t",
        "agreement\tsection 5\t1\t0\t0%\t\t\t",
    ]
    assert show.note == ["2 of 4 printed figures have one of ours on record"]


def test_a_table_is_shown_figure_by_figure(show):
    assert show("--table", "Table 4") == [
        "study\ttable\tsystem\tvariant\tcondition\tmetric\tprinted\tours\tinterval\tword\treason"
        "\tconfig\tcommit",
        "agreement\tTable 4\tBiLSTM\tpaper\tBase | dative\taccuracy\t98.2\t98.1\t97.0–99.0\tagrees"
        "\t\treal\tc2",
        "agreement\tTable 4\tLSTM\tpaper\tBase | dative\taccuracy\t97.0\t50.0\t\tdiffers\t"
        "\treal\tc1",
    ]


@pytest.mark.parametrize(
    "options",
    [
        ("--system", "LSTM"),
        ("--system", "lstm", "--table", "table_4"),
        ("--system", "LSTM", "--paper", "basque2018"),
    ],
)
def test_a_system_is_shown_figure_by_figure(show, options):
    assert [line.split("\t")[2] for line in show(*options)] == ["system", "LSTM"]


def test_json_has_an_object_per_line_with_shares_as_fractions(show):
    (line,) = show("--json", "--system", "BiLSTM", "--table", "Table 4")
    found = json.loads(line)
    assert (found["ours"], found["low"], found["published"]) == (0.981, 0.9702, 0.982)
    assert found["study"] == "agreement"
    tables = [json.loads(line) for line in show("--json", "--paper", "agreement")]
    assert tables[0] == {
        "study": "agreement", "table": "Table 4", "printed": 2, "recorded": 2,
        "words": {"agrees": 1, "differs": 1}, "configs": {"real": 2}, "commits": ["c2", "c1"],
    }  # fmt: skip


def test_what_would_steer_a_terminal_is_shown_as_an_escape(measure, show):
    measure(table="claims", metric="verdict", verdict="\x1b[2Jholds", condition="It \u202elearns")
    (_, line) = show("--table", "claims")
    assert "It \\u202elearns" in line and "\\x1b[2Jholds" in line and "\x1b" not in line


@pytest.mark.parametrize("name", ["bilsmt", "BILSMT", "biLSMT"])
def test_the_nearest_name_is_so_whatever_its_capital_letters(capsys, name):
    """As a name is known by its letters, small or capital."""
    assert main(["record", "--system", name]) == 2
    assert f"no {name!r}; expected one of BiLSTM, " in capsys.readouterr().err


def test_nothing_on_record_is_status_1(show):
    assert len(show("--table", "Table 10", status=1)) == 1
    assert show.note == ["0 of 1 printed figures have one of ours on record"]


def test_a_name_is_looked_for_among_what_the_others_leave(store, published):
    record = read_record(store, published)
    assert {each.study for each in select(record, paper="sigmorphon2018")} == {
        "inflection", "cloze",
    }  # fmt: skip
    assert {each.study for each in select(record, paper="cloze")} == {"cloze"}
    with pytest.raises(KasuError) as error:
        select(record, paper="cloze", system="uzh-01")
    assert str(error.value) == "--system: no 'uzh-01'; expected one of uzh"
    with pytest.raises(KasuError) as error:
        select(record, table="Tabel 4")
    assert str(error.value) == (
        "--table: no 'Tabel 4'; expected one of Table 10, Table 4, section 5, Table 15, by language"
    )


def test_in_columns_what_all_rows_share_stands_above_them(store, published, show):
    lines = [entry_line(each) for each in read_record(store, published) if each.recorded]
    assert list(block("agreement", ENTRY, lines, 100)) == [
        "agreement, table Table 4, variant paper, condition Base | dative, metric accuracy, "
        "config real",
        "system  printed  ours  interval   word     commit",
        "BiLSTM  98.2     98.1  97.0–99.0  agrees   c2",
        "LSTM    97.0     50.0             differs  c1",
        "again: snakemake agreement --cores 2 --configfile config/real.yaml",
    ]


def test_a_single_row_has_all_its_columns(store, published, show):
    record = select(read_record(store, published), system="LSTM", table="Table 4")
    lines = [entry_line(each) for each in record if each.recorded]
    _, header, row, _ = block("agreement", ENTRY, lines, 200)
    assert header.split()[:3] == ["table", "system", "variant"]
    assert row.split()[:3] == ["Table", "4", "LSTM"]


@pytest.mark.parametrize("width", [80, 120])
def test_a_terminal_gets_columns_that_fit(width):
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "kasu", "record", "--paper", "agreement"]
    environment = os.environ | {"COLUMNS": f"{width}", "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, env=environment):
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # a terminal ends so
            while part := os.read(ours, 4096):
                shown += part
    os.close(ours)
    lines = shown.decode().splitlines()
    assert lines[0] == "agreement"
    assert lines[1].split() == [
        "table", "printed", "on", "record", "share", "words", "config", "commit",
    ]  # fmt: skip
    assert max(map(len, (line for line in lines if not line.startswith("again")))) <= width


def test_a_table_that_is_too_wide_wraps_its_widest_cells_between_words():
    rows = [("a", "some words here"), ("b", "unbreakable-word")]
    assert fit(rows, 40) == ["a  some words here", "b  unbreakable-word"]
    assert fit(rows, 12) == ["a  some words here", "b  unbreakable-word"]
    assert fit([("ab cd", "one two three")], 12) == ["ab cd  one", "       two", "       three"]


def test_all_of_kasus_own_record_can_be_shown(capsys):
    assert main(["record"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len({line.count("\t") for line in lines}) == 1
    assert {line.split("\t")[0] for line in lines[1:]} == {
        "agreement", "inflection", "cloze", "blm", "pretraining", "minimal_sets",
    }  # fmt: skip
