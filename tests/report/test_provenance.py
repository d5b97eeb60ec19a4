"""Sources with their checksums, and versions."""

import json
import os

import pytest

from kasu.base.errors import KasuError
from kasu.files.seals import folder_hash, seal
from kasu.report.provenance import (
    describe_source,
    named_dictionaries,
    package_versions,
    used_dictionaries,
    used_sources,
)

NAMED = {"name": "demo", "licence": "CC0-1.0", "citation": "Kasu"}


def test_a_fetched_source_is_as_its_lock_says(tmp_path):
    lock = tmp_path / "x.lock"
    facts = {"bytes": 3, "sha256": "ab", "verified": "unverified"}
    lock.write_text(json.dumps({"name": "x", "origin": "mirror", **facts}))
    assert describe_source(NAMED | {"lock": str(lock)}, {}) == NAMED | facts


def test_a_dictionary_that_no_corpus_names_is_not_shown():
    analysers = [
        {"name": "eus", "dictionary": "eus.bin"}, {"name": "xyz", "dictionary": "xyz.bin"},
    ]  # fmt: skip
    corpora = [{"name": "mine", "analyser": "xyz"}, {"name": "other", "analyser": None}]
    assert named_dictionaries({"analysers": analysers, "corpora": corpora}) == ["xyz.bin"]
    assert named_dictionaries({"analysers": analysers, "corpora": []}) == []
    assert named_dictionaries({}) == []


ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.fixture
def local(tmp_path, monkeypatch):
    """A local source, and the function that makes a table of a source with a hash."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.txt").write_text("abc")

    def read(name, **hashes):
        (tmp_path / name).write_text("a")
        seal(tmp_path / name, {path.replace("_", "."): each for path, each in hashes.items()})
        return str(tmp_path / name)

    return read


def test_a_local_file_has_the_hash_that_it_was_read_with(local):
    used = used_sources([local("a.tsv", x_txt=ABC), local("b.tsv"), "no such file"])
    assert describe_source({"name": "mine", "path": "x.txt"}, used) == {
        "name": "mine",
        "licence": "",
        "citation": "",
        "bytes": 3,
        "sha256": ABC,
        "verified": "local",
    }


def test_a_folder_has_the_hash_of_its_files(local, tmp_path):
    (tmp_path / "gpt").mkdir()
    (tmp_path / "gpt/config.json").write_text("{}")
    (tmp_path / "gpt/weights").write_text("abc")
    sha256 = folder_hash("gpt")
    facts = describe_source({"name": "mine", "path": "gpt"}, {"gpt": {sha256}})
    assert facts["bytes"] == 5
    assert (facts["sha256"], facts["verified"]) == (sha256, "local")


@pytest.mark.parametrize(
    ("read", "sha256", "verified"),
    [
        (["1" * 64], "1" * 64, "local, changed since it was read"),
        ([ABC, "1" * 64], f"{'1' * 64} {ABC}", "local, read in several versions"),
        ([], "", "local, no record of what was read"),
    ],
)
def test_a_new_file_lends_its_hash_to_no_old_figure(local, caplog, read, sha256, verified):
    used = used_sources([local(f"{each}.tsv", x_txt=each) for each in read])
    described = describe_source({"name": "mine", "path": "x.txt"}, used)
    assert (described["sha256"], described["verified"]) == (sha256, verified)
    assert described["bytes"] == ""
    why = verified.removeprefix("local, ")
    again = "run again without --rerun-triggers or, after --touch, with --forcerun"
    assert caplog.messages == [f"x.txt: {why}; {again}"]


def test_another_download_lends_its_hash_to_no_old_figure(local, tmp_path):
    facts = {"bytes": 3, "sha256": ABC, "verified": "publisher"}
    (tmp_path / "d.lock").write_text(json.dumps(facts))
    source = {"name": "d", "lock": "d.lock"}
    assert describe_source(source, used_sources([local("a.tsv", d=ABC)]))["sha256"] == ABC
    described = describe_source(source, used_sources([local("a.tsv", d="1" * 64)]))
    assert described["sha256"] == "1" * 64
    assert described["verified"] == "publisher, changed since it was read"


def test_another_model_of_a_hub_lends_its_hash_to_no_old_figure(local, tmp_path):
    """A folder that was replaced together with its lock."""
    (tmp_path / "v1.0").mkdir()
    facts = {"name": "owner/bert@v1.0", "bytes": 1, "sha256": "2" * 64, "verified": "publisher"}
    (tmp_path / "v1.0.lock").write_text(json.dumps(facts))
    seal(local("a.tsv"), {"v1.0": "1" * 64})
    described = describe_source({"name": "bert", "lock": "v1.0.lock"}, used_sources(["a.tsv"]))
    assert described["sha256"] == "1" * 64
    assert described["verified"] == "publisher, changed since it was read"


def test_a_model_is_named_with_its_commit(tmp_path):
    lock = {"name": "owner/bert@main", "revision": "ab" * 20, "bytes": 1, "sha256": "0" * 64}
    (tmp_path / "x.lock").write_text(json.dumps(lock | {"verified": "publisher"}))
    described = describe_source(NAMED | {"lock": str(tmp_path / "x.lock")}, {})
    assert described["name"] == "owner/bert@main, commit " + "ab" * 20


@pytest.mark.parametrize("text", ["", "[]", '{"bytes": 3}'])
def test_a_lock_that_no_download_wrote_is_refused(text, tmp_path):
    (tmp_path / "x.lock").write_text(text)
    with pytest.raises(KasuError, match=r"x\.lock: not a lock file"):
        describe_source(NAMED | {"lock": str(tmp_path / "x.lock")}, {})


def test_a_missing_local_file_is_named(tmp_path):
    with pytest.raises(KasuError, match=r"gone\.txt: no such file; expected the source 'demo'"):
        describe_source(NAMED | {"path": str(tmp_path / "gone.txt")}, {})


@pytest.mark.parametrize("key", ["path", "lock"])
def test_a_pipe_is_no_source_and_nobody_waits_for_it(tmp_path, key):
    os.mkfifo(tmp_path / "x.lock")
    described = describe_source({"name": "x", key: str(tmp_path / "x.lock")}, {}, partial=True)
    assert described["verified"] == "not at hand"


def test_a_dictionary_has_the_hash_that_it_was_read_with(local):
    used = used_sources([local("a.tsv", x_txt="1" * 64), local("b.tsv", x_txt=ABC)])
    assert used_dictionaries(["x.txt", "y.bin"], used) == {
        "sha256 of x.txt": f"{'1' * 64} {ABC}",
        "sha256 of y.bin": "no record of what was read",
    }


def test_versions_name_what_kasu_requires_and_no_more():
    versions = package_versions()
    assert next(iter(versions)) == "python"
    assert "kasu" in versions
    assert "pytest" not in versions
