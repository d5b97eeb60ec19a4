"""What a terminal is shown of hostile names and data: escapes, in one line; files get the bytes."""

import os
import pty
import subprocess
import sys

import pytest

from kasu.base.errors import KasuError
from kasu.cli import main
from kasu.files.tables import write_tsv
from kasu.job.run import job

NAMES = [
    ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
    ("a\nerror: b\r", r"a\nerror: b\r"),
    ("exe\u202etxt", r"exe\u202etxt"),
    ("\x9b2J\u2028", r"\x9b2J\u2028"),
    ("\udcff", r"\udcff"),
]
SENTENCE = "# text = a\x1b[2J\n1\ta\u202eb\ta\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
REQUEST = "pattern { N [upos=NOUN] }"


@pytest.mark.parametrize(("name", "shown"), NAMES)
def test_messages_and_logs_show_escapes(tmp_path, capsys, name, shown):
    with pytest.raises(SystemExit), job(tmp_path / "a.log") as log:
        log.warning("%s: read", name)
        raise KasuError(name, name, name)
    lines = [f"note: {shown}: read", f"error: {shown}: {shown}; expected {shown}"]
    assert capsys.readouterr().err.split("\n") == [f"[a] {lines[0]}", lines[1], ""]
    kept = (tmp_path / "a.log").read_text(encoding="utf-8").split("\n")
    assert [line.partition(" ")[2] for line in kept] == [*lines, ""]


@pytest.mark.parametrize(("name", "shown"), NAMES[:-1])
def test_commands_show_escapes(capsys, name, shown):
    assert main(["query", REQUEST, name]) == 2
    assert capsys.readouterr().err.startswith(f"error: {shown}: no such treebank;")
    with pytest.raises(SystemExit):
        main(["compare", "a", "b", name])
    assert capsys.readouterr().err.endswith(f"unrecognized arguments: {shown}\n")


@pytest.mark.parametrize(("name", "shown"), NAMES[:-1])
def test_a_comparison_shows_escapes(tmp_path, capsys, name, shown):
    for folder in ("old", "new"):
        write_tsv(tmp_path / folder / f"{name}.tsv", [{"a": folder}], ["a"])
    assert main(["compare", str(tmp_path / "old"), str(tmp_path / "new")]) == 1
    assert capsys.readouterr().out.startswith(f"{shown}.tsv: different\n")


def test_a_comparison_shows_escapes_in_the_names_of_columns(tmp_path, capsys):
    for folder in ("old", "new"):
        write_tsv(tmp_path / folder / "a.tsv", [{"a\x1b[1m": folder}], ["a\x1b[1m"])
    assert main(["compare", str(tmp_path / "old"), str(tmp_path / "new")]) == 1
    out = capsys.readouterr().out
    assert r"row 1, a\x1b[1m: 'old' -> 'new'" in out
    assert "\x1b" not in out


@pytest.fixture
def query(tmp_path):
    (tmp_path / "t.conllu").write_text(SENTENCE, encoding="utf-8")
    return [sys.executable, "-m", "kasu", "query", REQUEST, str(tmp_path / "t.conllu")]


def test_a_pipe_gets_the_bytes(query):
    found = subprocess.run(query, stdout=subprocess.PIPE, check=True).stdout.decode()
    assert "1:a\u202eb\ta\x1b[2J\n" in found


def test_a_terminal_gets_escapes(query):
    ours, theirs = pty.openpty()
    with subprocess.Popen(query, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        found = b""
        while True:
            try:
                found += os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
    os.close(ours)
    assert process.returncode == 0
    assert r"1:a\u202eb" in found.decode() and r"a\x1b[2J" in found.decode()
    assert "\x1b" not in found.decode()


def test_a_cell_that_is_no_text_is_one_line(tmp_path, line):
    found = line(write_tsv, tmp_path / "a.tsv", [{"a": "x\ud800"}], ["a"])
    assert found.startswith("DIR/a.tsv: a cell ") and found.endswith("; expected text in UTF-8")
    assert not (tmp_path / "a.tsv").exists()
