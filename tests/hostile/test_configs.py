"""Configs that are bad or hostile: each ends in one line."""

import os
import time
from pathlib import Path

import pytest

from kasu.config.reading import read_settings
from kasu.config_command import stack
from kasu.files.maps import read_map
from kasu.settings import Settings
from kasu.sources.workspace import Workspace, expect_folder

DEMO = Path(__file__).resolve().parents[2] / "config" / "config.yaml"
EXPECTED = "a folder for all outputs, without braces and $"


@pytest.mark.parametrize(
    "results",
    [
        "",
        "/",
        ".",
        "..",
        "//",
        "a\nb",
        "a\n",
        "a\0b",
        "{a}",
        "results/{date}",
        "a/..",
        "$HOME/a",
        "~no-such-user/a",
        "https://a.example/b",
        "s3://a/b",
    ],
)
def test_results_that_can_be_no_folder_are_one_line(line, results):
    config = stack([DEMO]) | {"results": results}
    found = line(read_settings, config, Settings)
    assert found.startswith("config results: ")
    assert found.endswith(f"expected {EXPECTED}")


@pytest.mark.parametrize(
    "results", ["results/mine", "/scratch/me/results", "../out", "ჩემი", "a b"]
)
def test_results_may_be_any_other_folder(results):
    assert read_settings(stack([DEMO]) | {"results": results}, Settings).results == results


def test_results_below_a_file_are_one_line(tmp_path, line):
    (tmp_path / "file").touch()
    expected = "config results: DIR/file is a file; expected a folder"
    assert line(Workspace, str(tmp_path / "file"), {}, tmp_path) == expected
    assert line(Workspace, str(tmp_path / "file" / "a" / "b"), {}, tmp_path) == expected


@pytest.fixture
def read_only(monkeypatch) -> None:
    """No folder can be written: who runs the tests may be root, who writes everywhere."""
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode == os.F_OK and access(path, mode))


def test_read_only_results_are_one_line(tmp_path, line, read_only):
    found = line(expect_folder, str(tmp_path / "a"), "config results", "a folder to write to")
    assert found == "config results: DIR is read-only; expected a folder to write to"


def test_read_only_results_can_be_planned(tmp_path, read_only):
    assert Workspace(str(tmp_path / "a"), {}, tmp_path).results == str(tmp_path / "a")


MAPS = {
    "a key twice": ("seeds: [1]\na: 1\nseeds: [2]\n", ": 'seeds' again in line 3; expected YAML"),
    "a key twice below": ("a:\n  b: 1\n  b: 2\n", ": 'b' again in line 3; expected YAML"),
    "a list": ("- a\n", ": found list; expected a map of keys"),
    "empty": ("", ": found NoneType; expected a map of keys"),
    "UTF-16": ("a: 1\n".encode("utf-16"), ":1: invalid UTF-8 at byte 1 of the line"),
    "invalid UTF-8": (b"a: \xff\n", ":1: invalid UTF-8 at byte 4 of the line"),
    "a control character": (
        "a: \x1b[31m\n",
        ": unacceptable character #x001b: control characters are not allowed in "
        '"DIR/mine.yaml", position 3; expected YAML',
    ),
    "nested deeply": ("a: " + "[" * 5000, ": nested too deeply; expected YAML"),
    "no number": ("a: 1\nb: !!int ''\n", ": '' in line 2 is no int; expected YAML"),
    "no fraction": ("a: !!float ''\n", ": '' in line 1 is no float; expected YAML"),
    "no boolean": ("a: !!bool maybe\n", ": 'maybe' in line 1 is no bool; expected YAML"),
    "no date": ("a: !!timestamp x\n", ": 'x' in line 1 is no timestamp; expected YAML"),
    "a tag of Python": (
        "a: !!python/object/apply:os.system ['true']\n",
        ": could not determine a constructor for the tag "
        "'tag:yaml.org,2002:python/object/apply:os.system' "
        'in "DIR/mine.yaml", line 1, column 4; '
        "expected YAML",
    ),
}


@pytest.mark.parametrize("case", MAPS)
def test_a_config_that_is_no_map_of_keys_is_one_line(tmp_path, line, case):
    content, expected = MAPS[case]
    path = tmp_path / "mine.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert line(read_map, path) == f"DIR/mine.yaml{expected}"


@pytest.mark.parametrize(
    ("written", "read"),
    [("010", 8), ("-017", -15), ("1:30", 90), ("-1:40", -100), ("1:30.5", 90.5), ("0_7", 7)],
)
def test_a_number_in_another_notation_is_one_line(tmp_path, line, written, read):
    (tmp_path / "c.yaml").write_text(f"# first\na: [1, {{b: {written}}}]\n")
    expected = "a number in plain digits, or a text in quotes"
    found = f"DIR/c.yaml:2: {written}, which YAML reads as {read}; expected {expected}"
    assert line(read_map, tmp_path / "c.yaml") == found


@pytest.mark.parametrize(
    ("written", "read"),
    [("8_000", 8000), ("0", 0), ("-5", -5), ("0x10", 16), ("0.001", 0.001), ("1_0.5", 10.5),
     ("'010'", "010"), ("08", "08"), ("1e-3", "1e-3"), (".inf", float("inf"))],
)  # fmt: skip
def test_other_numbers_and_texts_are_read_as_written(tmp_path, written, read):
    (tmp_path / "c.yaml").write_text(f"a: {written}\n")
    assert read_map(tmp_path / "c.yaml") == {"a": read}


def test_an_anchor_may_be_merged_and_overridden(tmp_path):
    (tmp_path / "a.yaml").write_text("a: &a {x: 1, y: 2}\nb: {<<: *a, x: 3}\n")
    assert read_map(tmp_path / "a.yaml")["b"] == {"x": 3, "y": 2}


@pytest.mark.parametrize("name", ["a\n", "a/b", "../a", "A", "", "a b", "é", "-a", ".a"])
def test_names_of_outputs_are_slugs_to_their_end(line, name):
    corpora = [{"name": name, "language": "eu", "texts": ["a.txt"]}]
    found = line(read_settings, stack([DEMO]) | {"corpora": corpora}, Settings)
    assert found.endswith("expected a name of a-z, 0-9, _, ., - (at most 100)")


@pytest.mark.parametrize("text", ["a: {{x}}", "? [a, b]\n: 1"])
def test_a_key_that_is_a_list_or_a_map_is_one_line(line, tmp_path, text):
    """A template whose braces lack quotes is such a map."""
    (tmp_path / "c.yaml").write_text(text)
    assert "found unhashable key" in line(read_map, tmp_path / "c.yaml")


# References, each level nine times the one below; what a config of a few lines says
LIST_BOMB = "\n".join(
    ["a: &l0 [x]", *(f"b{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 10))]
)
MAP_BOMB = "\n".join(
    ["b0: &m0 {k0: 1}"]
    + [f"b{n}: &m{n} {{{', '.join(f'k{at}: *m{n - 1}' for at in range(9))}}}" for n in range(1, 10)]
)
EXTENTS = {
    "references to lists": (LIST_BOMB, "config b5: more than 100000 values; expected fewer"),
    "references to maps": (MAP_BOMB, "config b5.k7: more than 100000 values; expected fewer"),
    "seeds without end": (
        f"seeds: [{', '.join(map(str, range(100_000)))}]",
        "config seeds: 100000 entries; expected at most 250, or several configs",
    ),
    "languages without end": (
        f"inflection: {{languages: [{', '.join('{name: l, paradigms: p}' for _ in range(3000))}]}}",
        "config inflection.languages: 3000 entries; expected at most 250, or several configs",
    ),
    "corpora without end": (
        f"corpora: [{', '.join('{name: c, language: eu}' for _ in range(101))}]",
        "config corpora: 101 entries; expected at most 100, or several configs",
    ),
    "a list without end inside an entry": (
        f"corpora: [{{name: a, texts: [{', '.join(['t'] * 251)}]}}]",
        "config corpora[0].texts: 251 entries; expected at most 250, or several configs",
    ),
    "a map in itself": (
        "agreement: &a {training: *a}",
        "config agreement.training.training: a value that holds itself; expected one that ends",
    ),
    "a list in itself": (
        "seeds: &a [1, [2, *a]]",
        "config seeds: a value that holds itself; expected one that ends",
    ),
    "a set": ("licences: !!set {CC0, CC BY}", "config licences: a set; expected a list"),
    "a set below": (
        "corpora: [{name: a, texts: !!set {b}}]",
        "config corpora[0].texts: a set; expected a list",
    ),
    "a number of a million digits": (
        f"seeds: [0x{'f' * 1_000_000}]",
        "config seeds[0]: found a number of thousands of digits; "
        "expected a whole number below 2^63",
    ),
    "a long name": (
        f"corpora: [{{name: {'a' * 300}, language: eu}}]",
        f"config corpora[0].name: found '{'a' * 199}…; "
        "expected a name of a-z, 0-9, _, ., - (at most 100)",
    ),
}


@pytest.mark.parametrize("case", EXTENTS)
def test_a_config_that_would_never_end_is_one_line(tmp_path, line, case):
    text, expected = EXTENTS[case]
    (tmp_path / "c.yaml").write_text(text)
    started = time.process_time()
    assert line(read_settings, stack([DEMO, tmp_path / "c.yaml"]), Settings) == expected
    assert time.process_time() - started < 10


def test_maps_merged_without_end_are_one_line(tmp_path, line):
    merges = (
        f"b{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 9)}]}}" if n else "b0: &m0 {k: 1}"
        for n in range(10)
    )
    (tmp_path / "c.yaml").write_text("\n".join(merges))
    expected = "DIR/c.yaml: a map of more than 100000 keys in line 7; expected YAML"
    assert line(read_map, tmp_path / "c.yaml") == expected


def test_a_name_of_a_hundred_and_references_may_be_used(tmp_path):
    name = "a" * 100
    (tmp_path / "c.yaml").write_text(
        f"corpora: [&c {{name: {name}, language: eu}}, *c]\nseeds: {[*range(250)]}"
    )
    read = read_settings(stack([DEMO, tmp_path / "c.yaml"]), Settings)
    assert [corpus.name for corpus in read.corpora] == [name, name]
    assert len(read.seeds) == 250
