"""What a run says of its folders and of local files."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.base.paths import ROOT
from kasu.base.sources import Entry, mirror_folders
from kasu.base.workspace import OWN_LICENCE, describe, expect_folder


@pytest.mark.parametrize("folder", ["", f"{ROOT}/"])
def test_a_file_of_kasu_has_one_name_wherever_it_runs(folder):
    entry = Entry("a", Path(f"{folder}resources/demo/cloze/low.tsv"), None)
    assert describe(entry)["name"] == "resources/demo/cloze/low.tsv"


def test_another_file_is_named_by_its_path():
    assert describe(Entry("a", Path("/data/a.tsv"), None))["name"] == "/data/a.tsv"


def test_a_folder_in_a_file_is_one_line(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(KasuError) as error:
        expect_folder(f"{tmp_path}/file/a", "config results", "a folder")
    assert str(error.value) == f"config results: {tmp_path}/file is a file; expected a folder"


@pytest.mark.parametrize("mirror", ["~//a/", ["~/a"]])
def test_a_mirror_may_lie_at_home(monkeypatch, mirror):
    """Jobs read the config as it was written."""
    monkeypatch.setenv("HOME", "/home/me")
    assert mirror_folders({"mirror": mirror}) == [Path("/home/me/a")]


@pytest.mark.parametrize(
    ("path", "stated", "licence"),
    [
        ("resources/demo/cloze/low.tsv", "", "CC0-1.0"),
        ("resources/demo/pairs.jsonl", "", "CC0-1.0"),
        ("resources/demo/pairs.jsonl", "MIT", "MIT"),
        ("resources/demolition.tsv", "", "local file"),
        ("resources/seeds/fra.tsv", "", "CC0-1.0"),
        ("resources/queries/kat/nom_dat.req", "", "local file"),
        ("/data/resources/demo/low.tsv", "", "local file"),
    ],
)
def test_the_demo_has_a_licence(path, stated, licence):
    entry = Entry("a", ROOT / path, None, own_licence=stated)
    assert describe(entry)["licence"] == licence


def test_the_demo_of_another_folder_is_the_users_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert describe(Entry("a", Path("resources/demo/low.tsv"), None))["licence"] == "local file"
    monkeypatch.chdir(ROOT)
    assert describe(Entry("a", Path("resources/demo/low.tsv"), None))["licence"] == "CC0-1.0"


def test_the_licence_of_our_own_data_is_that_of_their_pages():
    page = (ROOT / "resources/demo/README.md").read_text(encoding="utf-8")
    assert page.partition("## Licence\n\n")[2].startswith(f"{OWN_LICENCE}: ")
    table = (ROOT / "LICENSES-DATA.md").read_text(encoding="utf-8")
    assert f"(`resources/demo`, `resources/seeds`) | {OWN_LICENCE} |" in table
