"""The command `kasu`: an error of the system is one line that says something."""

import argparse
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import kasu
from kasu import cli

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (FileNotFoundError(2, "No such file or directory", "a.req"),
         "error: a.req: No such file or directory"),
        (FileNotFoundError(2, "No such file or directory", "\x1b[1m"),
         r"error: \x1b[1m: No such file or directory"),
        (OSError("the model is no model"), "error: the model is no model"),
        (OSError(), "error: OSError()"),
    ],
)  # fmt: skip
def test_an_error_of_the_system_is_one_line(monkeypatch, capsys, error, line):
    def fail(arguments: object) -> int:
        raise error

    monkeypatch.setattr("kasu.queries.command.run", fail)
    assert cli.main(["query", "a.req", "b.conllu"]) == 2
    assert capsys.readouterr().err.splitlines() == [line]


def test_an_interrupted_command_is_one_line(monkeypatch, capsys):
    def interrupt(arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("kasu.queries.command.run", interrupt)
    assert cli.main(["query", "a.req", "b.conllu"]) == 130
    assert capsys.readouterr().err.splitlines() == ["interrupted"]


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """A parser and those of its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from parsers(each)


def test_every_command_and_each_of_its_arguments_is_described():
    for parser in parsers(cli._parser([*cli.SUBCOMMANDS])):
        assert parser.description, parser.prog
        for action in parser._actions:
            named = isinstance(action, argparse._SubParsersAction)
            assert named or action.help, (parser.prog, action.dest)


@pytest.mark.parametrize(
    "command", [*sorted(cli.SUBCOMMANDS.keys() - {"inflect"}), "inflect train", "inflect predict"]
)
def test_every_command_shows_an_example_and_says_its_exit_status(command):
    found = {parser.prog: parser for parser in parsers(cli._parser(command.split()))}
    shown = found[f"kasu {command}"].format_help()
    assert f"  kasu {command} " in shown or f"| kasu {command} " in shown
    assert "\nexit status: 0 " in shown


@pytest.mark.parametrize("command", ["audit", "export", "score"])
def test_every_command_that_reads_items_names_the_endings_of_their_files(command):
    [found] = [each for each in parsers(cli._parser([command])) if each.prog == f"kasu {command}"]
    assert "(.parquet, .jsonl, .tsv, .csv)" in " ".join(found.format_help().split())


def test_the_version_is_the_projects(capsys):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert kasu.__version__ == project["version"]
    with pytest.raises(SystemExit, match=r"^0$"):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"kasu {project['version']}\n"


WORDS = [("1", "ძაღლი"), ("2", "ყეფს")]
NO_UTF8 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}  # ASCII, as Latin-1 fails


def run(folder, environment, *arguments):
    """Run the command as a process of its own: exit status and bytes on stdout and stderr."""
    command = [sys.executable, "-m", "kasu", *arguments]
    ended = subprocess.run(command, cwd=folder, env=os.environ | environment, capture_output=True)
    return ended.returncode, ended.stdout, ended.stderr


@pytest.fixture
def treebank(tmp_path):
    lines = [f"{number}\t{form}\t_\t_\t_\t_\t0\t_\t_\t_" for number, form in WORDS]
    text = "\n".join(["# sent_id = s1", "# text = ძაღლი ყეფს", *lines, "", ""])
    (tmp_path / "წინადადება.conllu").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "environment",
    [
        NO_UTF8,
        NO_UTF8 | {"PYTHONIOENCODING": "latin-1:replace"},
        {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "latin-1"},
    ],
)
def test_arguments_files_and_streams_are_utf8_whatever_the_locale(treebank, environment):
    request = 'pattern { N [form="ძაღლი"] }'
    status, printed, said = run(treebank, environment, "query", request, "წინადადება.conllu")
    assert (status, said) == (0, b"")
    assert printed.decode() == "sentence_id\tmatch\tN\ttext\ns1\t1\t1:ძაღლი\tძაღლი ყეფს\n"


CHARMAP, LOCALE = Path("/usr/share/i18n/charmaps/EUC-JP.gz"), Path("/usr/share/i18n/locales/ja_JP")


@pytest.mark.skipif(not (CHARMAP.exists() and LOCALE.exists()), reason="no sources of locales")
def test_arguments_are_not_lost_in_a_locale_that_does_not_give_them_back(treebank):
    command = ["localedef", "--no-archive", "-c", "-f", "EUC-JP", "-i", "ja_JP"]
    subprocess.run([*command, treebank / "ja_JP.EUC-JP"], capture_output=True)
    environment = {"LOCPATH": str(treebank), "LC_ALL": "ja_JP.EUC-JP"}
    assert "euc" in locale_of(environment)
    request = 'pattern { N [form="ძაღლი"] }'
    status, printed, said = run(treebank, environment, "query", request, "წინადადება.conllu")
    assert (status, said) == (0, b"")
    assert "1:ძაღლი" in printed.decode()


def locale_of(environment):
    """The encoding of the names of files."""
    code = "import sys; print(sys.getfilesystemencoding())"
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, env=os.environ | environment, capture_output=True
    ).stdout.decode()


def test_a_closed_standard_output_is_one_line(treebank):
    command = f"{sys.executable} -m kasu query --count 'pattern {{ N [form] }}' წინადადება.conllu"
    for closed, status, said in (
        (">&-", 2, b"error: standard output: closed; expected an open one\n"), ("<&-", 0, b""),
    ):  # fmt: skip
        ended = subprocess.run(
            ["sh", "-c", f"exec {command} {closed}"], cwd=treebank, capture_output=True
        )
        assert (ended.returncode, ended.stderr) == (status, said)


@pytest.mark.parametrize("environment", [NO_UTF8, {"LC_ALL": "C.UTF-8"}])
def test_what_is_not_utf8_is_not_printed(treebank, environment):
    odd = os.fsencode(treebank) + b"/caf\xe9.conllu"
    (treebank / "წინადადება.conllu").rename(os.fsdecode(odd))
    request = "pattern { N [form=ყეფს] }"
    status, _, said = run(treebank, environment, "query", "--count", request, odd)
    assert status == 2
    assert said.decode() == f"error: {treebank}/caf\\udce9.conllu\\t1\\t1: no text in UTF-8\n"


def test_an_error_names_what_is_not_utf8(treebank):
    status, _, said = run(treebank, NO_UTF8, "query", "pattern { N [form] }", b"caf\xe9.conllu")
    assert status == 2
    assert said.startswith(rb"error: caf\udce9.conllu: no such treebank; expected")
