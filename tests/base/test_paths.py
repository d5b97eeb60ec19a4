"""Paths in their plain spelling, and files of Kasu found from any folder."""

import os
import subprocess
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.base.paths import ROOT, expect_no_input, lies_in, locate, own, plain_path


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("results/x/", "results/x"),
        ("results//x", "results/x"),
        ("//data//x", "/data/x"),
        ("./x", "x"),
        ("a/./b/", "a/b"),
        ("missing/../x", "x"),
        ("../x/", "../x"),
        ("~/x/", "/home/me/x"),
        ("~", "/home/me"),
        ("a~/b", "a~/b"),
        ("./~/x", "~/x"),
        ("/", "/"),
        ("", ""),
        ("euwiki-20261101", "euwiki-20261101"),
        ("https://a.example//b/./c/", "https://a.example//b/./c/"),
        ("with blank/ჩ#", "with blank/ჩ#"),
    ],
)
def test_one_spelling_of_a_path(monkeypatch, text, plain):
    monkeypatch.setenv("HOME", "/home/me")
    assert plain_path(text) == plain


def test_a_parent_behind_a_link_stays(tmp_path):
    (tmp_path / "far" / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "far" / "inner")
    assert plain_path(f"{tmp_path}/link/../x/") == f"{tmp_path}/link/../x"


def test_the_home_of_nobody_is_an_error():
    with pytest.raises(ValueError):
        plain_path("~no-such-user/x")


def test_a_file_of_kasu_is_found_from_elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert locate("config/sources.tsv") == ROOT / "config/sources.tsv"


def test_the_working_directory_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "sources.tsv").touch()
    assert locate("config/sources.tsv") == Path("config/sources.tsv")


def test_a_file_that_nobody_has_stays_as_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert locate("mine/text.txt") == Path("mine/text.txt")


@pytest.mark.parametrize(("folder", "found"), [(".", ROOT), (ROOT, Path())])
def test_kasu_s_own_files_are_not_those_of_the_working_directory(
    tmp_path, monkeypatch, folder, found
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "resources" / "published").mkdir(parents=True)
    monkeypatch.chdir(folder)
    assert own("resources/published") == found / "resources/published"


@pytest.fixture
def read(tmp_path, monkeypatch):
    """A file, and a folder of a model with a file below it, to be read by a command."""
    (tmp_path / "model" / "parts").mkdir(parents=True)
    (tmp_path / "model" / "parts" / "weights").touch()
    (tmp_path / "items").touch()
    (tmp_path / "link").symlink_to("model/parts")
    (tmp_path / "same").hardlink_to(tmp_path / "model" / "parts" / "weights")
    monkeypatch.chdir(tmp_path)
    return "items", "model"


@pytest.mark.parametrize(
    ("output", "found"),
    [
        ("items", "an input of this command (items)"),
        ("model/../items", "an input of this command (items)"),
        ("same", "an input of this command (model/parts/weights)"),
        ("model/new", "in a folder that this command reads (model)"),
        ("model", "in a folder that this command reads (model)"),
        ("link/deep/new", "in a folder that this command reads (model)"),
        ("link/../new", "in a folder that this command reads (model)"),
    ],
)
def test_an_output_neither_is_an_input_nor_lies_in_one(read, output, found):
    with pytest.raises(KasuError) as error:
        expect_no_input(output, *read)
    assert str(error.value).startswith(f"{output}: {found}; expected another")


def test_an_output_may_be_new_or_hold_an_input(read):
    for output in ("new", "deep/new", "items.scores", "modelled/new", "."):
        expect_no_input(output, *read)


@pytest.mark.parametrize("folder", [".", "../", "up"])
def test_an_output_that_is_emptied_holds_no_input(read, tmp_path, folder):
    (tmp_path / "up").symlink_to("..")
    with pytest.raises(KasuError) as error:
        expect_no_input(folder, *read, emptied=True)
    found = "would be emptied, and items is an input; expected another output"
    assert str(error.value) == f"{Path(folder)}: {found}"


def test_what_lies_in_a_folder(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "loop").symlink_to("loop")
    assert lies_in(tmp_path / "link" / "b" / "none", tmp_path / "a")
    assert lies_in(tmp_path / "none" / "c", tmp_path / "none")
    assert not lies_in(tmp_path / "ab", tmp_path / "a")
    assert not lies_in(tmp_path / "a", tmp_path / "a" / "b")
    assert not lies_in(tmp_path / "loop" / "x", tmp_path / "a")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a folder twice")
def test_a_folder_that_is_mounted_twice_is_the_same(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "again").mkdir()
    mount = ["mount", "--bind", tmp_path / "a", tmp_path / "again"]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no folder can be mounted here")
    try:
        assert lies_in(tmp_path / "again" / "new", tmp_path / "a")
    finally:
        subprocess.run(["umount", tmp_path / "again"], check=True)
