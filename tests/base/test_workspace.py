"""What a run says of its folders and of local files."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.base.paths import ROOT
from kasu.base.sources import Entry, mirror_folders
from kasu.base.workspace import describe, expect_folder


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
