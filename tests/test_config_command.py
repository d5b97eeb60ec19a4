"""`kasu config`: a stack of files is checked as a run would read it."""

from pathlib import Path

import pytest
from snakemake.utils import update_config

from kasu import cli
from kasu.config_command import stack

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def here(monkeypatch):
    monkeypatch.chdir(ROOT)


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_stack_without_mistakes(capsys, tmp_path):
    mine = write(tmp_path / "mine.yaml", "seeds: [7]\nagreement: {training: {hidden: 10}}\n")
    assert cli.main(["config", "check", "config/real.yaml", mine]) == 0
    assert capsys.readouterr().out == (
        f"no mistake in the keys and values of config/real.yaml, {mine}; whether a run finds what "
        "they name, and may write its results, says snakemake -n\n"
    )


def test_an_empty_section_of_a_study_is_named(capsys, tmp_path):
    mine = write(tmp_path / "mine.yaml", "results: r\nblm:\ncloze: {}\n")
    assert cli.main(["config", "check", mine]) == 0
    line = "config blm: empty, so this study does not run; blm: {} runs it with the defaults\n"
    assert capsys.readouterr().err == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("devise: cpu\n", "error: config: unknown key 'devise'; expected 'device'"),
        ("[a, b]\n", "error: {file}: found list; expected a map of keys"),
        ("a: [\n", "error: {file}: while parsing a flow node did not find expected node "),
    ],
)
def test_a_mistake_is_one_line(capsys, tmp_path, text, line):
    file = write(tmp_path / "mine.yaml", text)
    assert cli.main(["config", "check", file]) == 2
    error = capsys.readouterr().err
    assert error.startswith(line.format(file=file))
    assert len(error.splitlines()) == 1


def test_files_stack_as_in_snakemake(tmp_path):
    texts = ("a: {b: {c: 1, d: [1, 2]}, e: 2}\nf: 1\n", "a: {b: {d: [3]}, e: {x: 1}}\nf: {y: 1}\n")
    files = [tmp_path / "one.yaml", tmp_path / "two.yaml"]
    for file, text in zip(files, texts, strict=True):
        write(file, text)
    expected: dict = {}
    for file in files:
        update_config(expected, stack([file]))
    assert stack(files) == expected
    assert expected["a"] == {"b": {"c": 1, "d": [3]}, "e": {"x": 1}}


@pytest.mark.parametrize(
    ("action", "first"), [("schema", "{\n"), ("reference", "# Config reference")]
)
def test_what_a_config_may_say_is_printed(capsys, action, first):
    assert cli.main(["config", action]) == 0
    assert capsys.readouterr().out.startswith(first)
