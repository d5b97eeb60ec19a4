"""Downloads are the files that were fetched, whenever they are read."""

import json
import os
import time

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.texts.compressed import lines
from kasu.files import hashes
from kasu.files.hashes import file_hash
from kasu.files.reading import expect_file
from kasu.report.provenance import describe_source


@pytest.fixture
def download(tmp_path):
    """A file with the lock of its fetch."""
    path = tmp_path / "a.txt"
    path.write_text("bat\nbi\n")
    facts = {"name": "n", "bytes": 7, "sha256": file_hash(path), "verified": "registry"}
    (tmp_path / "a.txt.lock").write_text(json.dumps(facts))
    return path


def test_a_download_is_read_while_it_is_what_was_fetched(download):
    assert [line for _, line in lines(download)] == ["bat", "bi"]
    assert [line for _, line in lines(download)] == ["bat", "bi"]


@pytest.mark.parametrize("bit", [0, 20, 55])
def test_a_flipped_bit_is_noticed_where_the_file_is_used(download, bit):
    expect_file(download)
    before = file_hash(download)
    content = bytearray(download.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    download.write_bytes(content)
    with pytest.raises(KasuError) as error:
        list(lines(download))
    assert str(error.value) == (
        f"{download}: sha256 {file_hash(download)}; expected {before}, as fetched; "
        "delete the file and its lock to fetch it again"
    )


def test_the_report_certifies_no_changed_download(download):
    source = {"name": "n", "lock": f"{download}.lock"}
    assert describe_source(source, {})["sha256"] == file_hash(download)
    download.write_text("other")
    with pytest.raises(KasuError, match="as fetched; delete the file"):
        describe_source(source, {})


def test_a_copied_lock_alone_still_describes_its_source(download):
    download.unlink()
    assert describe_source({"name": "n", "lock": f"{download}.lock"}, {})["bytes"] == 7


def test_a_download_that_was_checked_is_not_hashed_by_the_next_process(download, digests):
    expect_file(download)
    hashes._known.clear()
    expect_file(download)
    assert len(digests) == 1


def test_a_byte_that_changes_under_the_same_date_and_size_is_noticed(download, digests):
    expect_file(download)
    times = download.stat().st_mtime_ns
    content = bytearray(download.read_bytes())
    content[0] ^= 1
    time.sleep(0.02)
    with download.open("r+b") as file:
        file.write(content)
    os.utime(download, ns=(times, times))
    with pytest.raises(KasuError, match="sha256"):
        expect_file(download)


@pytest.mark.parametrize("lock", ["", "{}", "[]", "not JSON"])
def test_a_file_next_to_another_kind_of_lock_is_read(tmp_path, lock):
    (tmp_path / "a").write_text("bat")
    (tmp_path / "a.lock").write_text(lock)
    expect_file(tmp_path / "a")
