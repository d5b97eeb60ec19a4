"""Paths in their plain spelling, and files of Kasu found from any folder."""

from pathlib import Path

import pytest

from kasu.base.paths import ROOT, locate, own, plain_path


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
