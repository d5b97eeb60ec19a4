"""Mirrors that are away, no folder, or the wrong folder."""

import os

import pytest

from kasu.base.errors import KasuError
from kasu.sources.download import fetch, find_idle
from kasu.sources.mirrors import check_mirrors, find_fault
from kasu.sources.registry import Source

PATHS = ["wikipedia/a.txt", "wikipedia/b.txt", "unimorph/eus/eus"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mirror" / "wikipedia").mkdir(parents=True)
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to("circle")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mirorr", "no such folder; expected a folder, such as DIR/mirror"),
        ("mirorr/data", "no such folder; expected a folder, such as DIR/mirror"),
        ("$DATA", "no such folder; expected a folder; DIR has no '$DATA'"),
        ("circle", "no such folder; expected a folder; DIR has no 'circle'"),
        ("file", "no folder; expected a folder"),
        ("pipe", "no folder; expected a folder"),
    ],
)
def test_what_is_no_folder_is_one_line(folder, name, expected):
    with pytest.raises(KasuError) as error:
        check_mirrors([folder / "mirror", folder / name])
    found = str(error.value).replace(str(folder), "DIR")
    assert found == f"config mirror: DIR/{name}: {expected}"
    told = find_fault(folder / name, PATHS).replace(str(folder), "DIR")
    assert told == f"{found}; what no other mirror holds cannot be fetched"


@pytest.mark.parametrize(
    ("name", "better"),
    [(".", "; DIR/mirror has"), ("mirror/wikipedia", "; DIR/mirror has"), ("empty", "")],
)
def test_a_folder_of_another_level_is_named_with_the_right_one(folder, name, better):
    found = find_fault(folder / name, PATHS).replace(str(folder), "DIR")
    where = f"DIR/{name}".removesuffix("/.")
    assert found == f"config mirror: {where} has none of 2 folders (unimorph, wikipedia){better}"


def test_a_right_mirror_has_no_fault(folder):
    assert find_fault(folder / "mirror", PATHS) == ""


def test_no_network_is_asked_while_a_mirror_is_away(folder):
    source = Source("n", "wikipedia/a.txt", "https://kasu.invalid/a.txt")
    with pytest.raises(KasuError, match=r"config mirror: .*: no such folder"):
        fetch(source, folder / "d", [folder / "mirror", folder / "away"], folder / "lock", wait=0)


def test_a_file_in_one_mirror_needs_no_other(folder):
    (folder / "mirror" / "wikipedia" / "a.txt").write_text("a")
    source = Source("n", "wikipedia/a.txt", "https://kasu.invalid/a.txt")
    fetch(source, folder / "d", [folder / "away", folder / "mirror"], folder / "lock", wait=0)
    assert (folder / "d").read_text() == "a"


def test_a_mirror_that_holds_nothing_of_what_is_asked_is_named(folder):
    (folder / "mirror" / "wikipedia" / "a.txt.gz").touch()
    held, other = (Source(n, f"wikipedia/{n}.txt", "https://kasu.invalid/") for n in "ab")
    mirrors = [folder / "mirror", folder / "empty"]
    assert find_idle([held], mirrors) == []
    assert find_idle([], mirrors) == []
    assert find_idle([held, other], mirrors) == [
        f"config mirror: {folder}/empty has none of 2 files to fetch (wikipedia/a.txt, ...)"
    ]
    assert find_idle([other], mirrors[:1]) == [
        f"config mirror: {folder}/mirror has none of 1 files to fetch (wikipedia/b.txt)"
    ]
