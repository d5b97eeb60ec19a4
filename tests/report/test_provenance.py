"""Sources with their checksums, and versions."""

import json

import pytest

from kasu.base.errors import KasuError
from kasu.report.provenance import describe_source, package_versions

NAMED = {"name": "demo", "licence": "CC0-1.0", "citation": "Kasu"}


def test_a_fetched_source_is_as_its_lock_says(tmp_path):
    lock = tmp_path / "x.lock"
    facts = {"bytes": 3, "sha256": "ab", "verified": "unverified"}
    lock.write_text(json.dumps({"name": "x", "origin": "mirror", **facts}))
    assert describe_source(NAMED | {"lock": str(lock)}) == NAMED | facts


def test_a_local_file_is_hashed(tmp_path):
    (tmp_path / "x.txt").write_text("abc")
    assert describe_source({"name": "mine", "path": str(tmp_path / "x.txt")}) == {
        "name": "mine",
        "licence": "",
        "citation": "",
        "bytes": 3,
        "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "verified": "local",
    }


def test_a_model_is_named_with_its_commit(tmp_path):
    lock = {"name": "owner/bert@main", "revision": "ab" * 20, "bytes": 1, "sha256": "0" * 64}
    (tmp_path / "x.lock").write_text(json.dumps(lock | {"verified": "publisher"}))
    described = describe_source(NAMED | {"lock": str(tmp_path / "x.lock")})
    assert described["name"] == "owner/bert@main, commit " + "ab" * 20


@pytest.mark.parametrize("text", ["", "[]", '{"bytes": 3}'])
def test_a_lock_that_no_download_wrote_is_refused(text, tmp_path):
    (tmp_path / "x.lock").write_text(text)
    with pytest.raises(KasuError, match=r"x\.lock: not a lock file"):
        describe_source(NAMED | {"lock": str(tmp_path / "x.lock")})


def test_a_missing_local_file_is_named(tmp_path):
    with pytest.raises(KasuError, match=r"gone\.txt: no such file; expected the source 'demo'"):
        describe_source(NAMED | {"path": str(tmp_path / "gone.txt")})


def test_versions_name_what_kasu_requires_and_no_more():
    versions = package_versions()
    assert next(iter(versions)) == "python"
    assert "kasu" in versions
    assert "pytest" not in versions
