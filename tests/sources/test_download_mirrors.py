"""Fetching from mirrors."""

import gzip
import hashlib
import json
import lzma
from dataclasses import replace
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.sources.download import fetch, find_in_mirrors
from kasu.sources.registry import Source

BODY = bytes(range(256)) * 1000
SHA256 = hashlib.sha256(BODY).hexdigest()
NOWHERE = "http://127.0.0.1:9/file.bin"
SOURCE = Source("n", "a/file.bin", NOWHERE, len(BODY), SHA256)


class Try:
    """The path of a fetched source."""

    def __init__(self, folder: Path) -> None:
        self.destination = folder / "downloads" / "file.bin"
        self.lock = folder / "downloads" / "file.bin.lock"

    def fetch(self, mirrors=(), **changes: object) -> None:
        fetch(replace(SOURCE, **changes), self.destination, mirrors, self.lock, wait=0)

    def landed(self) -> set[str]:
        return {path.name for path in self.destination.parent.iterdir()}


@pytest.fixture
def trial(tmp_path) -> Try:
    return Try(tmp_path)


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "mirror" / "a").mkdir(parents=True)
    return tmp_path / "mirror"


@pytest.mark.parametrize(
    ("ending", "pack"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)]
)
def test_prefers_a_mirror_to_the_net(trial, folder, ending, pack):
    (folder / f"a/file.bin{ending}").write_bytes(pack(BODY))
    trial.fetch(mirrors=[folder])
    assert trial.destination.read_bytes() == BODY
    assert trial.landed() == {"file.bin", "file.bin.lock"}
    lock = json.loads(trial.lock.read_text())
    assert (lock["origin"], lock["verified"]) == ("mirror", "registry")


def test_the_lock_does_not_depend_on_the_mirror(trial, folder, tmp_path):
    (folder / "a/file.bin").write_bytes(BODY)
    trial.fetch(mirrors=[folder])
    first = trial.lock.read_bytes()
    other = folder.rename(tmp_path / "elsewhere")
    trial.fetch(mirrors=[other])
    assert trial.lock.read_bytes() == first


def test_the_first_mirror_that_has_it_wins(folder, tmp_path):
    (folder / "a/file.bin").touch()
    source = Source("n", "a/file.bin")
    assert find_in_mirrors(source, [tmp_path / "none", folder]) == folder / "a/file.bin"
    assert find_in_mirrors(source, [tmp_path / "none"]) is None


def test_a_file_compressed_at_its_address_stays_compressed(trial, folder):
    (folder / "a/file.bin.xz").write_bytes(BODY)
    trial.fetch(mirrors=[folder], path="a/file.bin.xz")
    assert trial.destination.read_bytes() == BODY


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
@pytest.mark.parametrize("damage", [lambda packed: packed[:-20], lambda packed: b"not packed"])
def test_a_broken_mirror_file_is_an_error(trial, folder, ending, pack, damage):
    (folder / f"a/file.bin{ending}").write_bytes(damage(pack(BODY)))
    with pytest.raises(KasuError, match=rf"file\.bin{ending}: broken {ending} file"):
        trial.fetch(mirrors=[folder])
    assert trial.landed() == set()


def test_a_wrong_mirror_file_is_an_error_and_not_skipped(trial, folder):
    (folder / "a/file.bin").write_bytes(BODY[::-1])
    with pytest.raises(KasuError, match=rf"mirror/a/file\.bin: sha256 \w+; expected {SHA256}"):
        trial.fetch(mirrors=[folder])
    assert trial.landed() == set()


def test_unpacking_stops_at_the_registered_size(trial, folder):
    (folder / "a/file.bin.xz").write_bytes(lzma.compress(bytes(5_000_000)))
    with pytest.raises(KasuError, match=r"file\.bin\.xz: more than 256000 bytes"):
        trial.fetch(mirrors=[folder])
    assert trial.landed() == set()


def test_without_an_address_the_error_names_the_mirrors(trial, folder):
    with pytest.raises(KasuError, match=rf"n: available only in a mirror; looked in: {folder}"):
        trial.fetch(mirrors=[folder], url="")
    with pytest.raises(KasuError, match="looked in: no mirror given"):
        trial.fetch(url="")
