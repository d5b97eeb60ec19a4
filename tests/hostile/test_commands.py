"""Command lines that are bad or hostile: commands.tsv has the status and the last line of each."""

import json
import os
import shlex
from pathlib import Path

import pytest

from kasu.cli import main

WORDS = ("1\ta\ta\tNOUN\t_\t_\t0\troot\t_\t_\n", "2\tb\tb\tNOUN\t_\t_\t1\tdep\t_\t_\n")
FILES = {
    "t.conllu": "".join(WORDS) + "\n",
    "p.tsv": "a\tb\tN;SG\n",
    "i.jsonl": '{"sentence_a":"x"}\n',
    "pairs.jsonl": '{"sen":"a","wrong_sen":"b"}\n',
    "empty": "",
    "bin": b"\xff\xfe\0",
    "junk/model.json": "[]",
    "lost/config.json": "{}",
    "listed/config.json": "[1]",
    "invalid/config.json": b"\xff",
    "evil/config.json": json.dumps({"model_type": "evil", "auto_map": {"AutoConfig": "m.C"}}),
    "evil/m.py": 'raise SystemExit("code of a model ran")',
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of files, a folder and a pipe, to run commands in."""
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "dir").mkdir()
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)


TABLE = Path(__file__).resolve().parent / "commands.tsv"
CASES = [row.split("\t") for row in TABLE.read_text().splitlines()[1:]]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("command", "status", "last"), CASES)
def test_it_ends_as_stated(capsys, command, status, last):
    try:
        found = main(shlex.split(command))
    except SystemExit as end:  # argparse, whose usage stands above its line
        found = end.code
    lines = capsys.readouterr().err.splitlines()
    assert found == int(status)
    assert (lines[-1] if lines else "").startswith(last)
    assert len(lines) <= 1 or last.startswith("kasu") or command.startswith("inflect train")
