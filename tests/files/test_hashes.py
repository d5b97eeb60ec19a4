"""A file is hashed again if anything that the system says of it differs, and only then."""

import json
import os
import time

import pytest

from kasu.files import hashes
from kasu.files.hashes import file_facts, file_hash, is_settled, read_hashes, write_hashes


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("bat")
    return path


def replace_under_the_same_date(path, content):
    """Let another file of the same size and date take the place of one, as `mv` does."""
    times = path.stat().st_mtime_ns
    other = path.with_name("other")
    other.write_text(content)
    os.utime(other, ns=(times, times))
    other.replace(path)


def rewrite_under_the_same_date(path, content):
    times = path.stat().st_mtime_ns
    path.write_text(content)
    os.utime(path, ns=(times, times))


def link_elsewhere(path, content):
    times = path.stat().st_mtime_ns
    other = path.with_name("other")
    other.write_text(content)
    os.utime(other, ns=(times, times))
    path.unlink()
    path.symlink_to(other)


def make_older(path, content):
    path.write_text(content)
    os.utime(path, (1, 1))


CHANGES = [
    replace_under_the_same_date,
    rewrite_under_the_same_date,
    link_elsewhere,
    make_older,
]


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_noticed(text, digests, change):
    before = file_hash(text)
    assert file_hash(text) == before
    assert len(digests) == 1
    time.sleep(0.02)
    change(text, "bai")
    assert file_hash(text) != before


def test_a_file_that_has_just_changed_is_hashed_each_time(text):
    """As another change may leave the same date."""
    assert not is_settled(file_facts(text))
    before = file_hash(text)
    replace_under_the_same_date(text, "bai")
    assert file_hash(text) != before
    assert str(text) not in hashes._known


def test_a_date_to_come_settles_nothing(text):
    os.utime(text, (2**33, 2**33))
    assert not is_settled(file_facts(text))


@pytest.fixture
def large(tmp_path, monkeypatch):
    monkeypatch.setattr(hashes, "LARGE", 3)
    path = tmp_path / "large.txt"
    path.write_text("bat")
    (tmp_path / "small.txt").write_text("b")
    return path


def test_the_next_process_hashes_what_has_changed(large, digests):
    cache = large.with_name("cache")
    before = file_hash(large)
    file_hash(large.with_name("small.txt"))
    write_hashes(cache)
    assert [*json.loads(cache.read_text())] == [str(large)]
    hashes._known.clear()
    read_hashes(cache)
    assert file_hash(large) == before
    assert digests.count(str(large)) == 1
    time.sleep(0.02)
    replace_under_the_same_date(large, "bai")
    assert file_hash(large) != before
    # Nothing is kept of what has changed or is gone
    large.unlink()
    write_hashes(cache)
    assert cache.read_text() == "{}"


def test_the_cache_can_be_written_from_another_folder(large, digests, monkeypatch):
    """As Snakemake has left that of the run by the end of the process."""
    monkeypatch.chdir(large.parent)
    file_hash(large.name)
    monkeypatch.chdir("/")
    write_hashes(large.with_name("cache"))
    hashes._known.clear()
    monkeypatch.chdir(large.parent)
    read_hashes("cache")
    file_hash(large.name)
    assert digests == [large.name]


@pytest.mark.parametrize(
    "cache",
    ["", "[]", "{", "\udcff", '{"FILE": 1}', '{"FILE": [FACTS, "no hash"]}', '{"FILE": [1, "X"]}'],
)
def test_a_damaged_cache_is_of_no_use_and_no_harm(text, digests, cache):
    facts = json.dumps(file_facts(text))
    damaged = cache.replace("FILE", str(text)).replace("FACTS", facts).replace("X", "0" * 64)
    text.with_name("cache").write_bytes(damaged.encode(errors="surrogateescape"))
    read_hashes(text.with_name("cache"))
    file_hash(text)
    assert digests == [str(text)]
    write_hashes(text.with_name("cache"))


def test_without_a_cache_and_without_a_place_for_one(large, digests):
    read_hashes(large.with_name("nowhere"))
    file_hash(large)
    (large.with_name("file")).touch()
    write_hashes(large.with_name("file") / "cache")
