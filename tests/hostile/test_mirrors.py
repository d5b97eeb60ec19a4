"""Mirrors that are bad or hostile: each ends in one line, and nothing lands."""

import gzip
import lzma
import os

import pytest

from kasu.sources.download import fetch
from kasu.sources.registry import Source

BODY = b"kaixo mundua\n" * 100
SHA256 = "926dd0df4653c6552a8088ef9e10c952e93dd04b1722106177fbc92bdd53d156"
CUT = "Compressed file ended before the end-of-stream marker was reached"
NONE = "n: available only in a mirror; looked in: DIR/m"


def files(**contents):
    """Write files of a mirror; their names end as the keywords."""

    def make(mirror):
        for ending, content in contents.items():
            (mirror / "a" / f"f.{ending.replace('_', '.')}").write_bytes(content)

    return make


def at_path(make):
    """Make something else than a file at the path of the source."""
    return lambda mirror: make(mirror / "a" / "f.txt")


# What the mirror holds, what the registry says, the line
CASES = {
    "an HTML page": (
        files(txt=b"<!doctype html><p>login"),
        {},
        "DIR/m/a/f.txt: an HTML page; expected the file",
    ),
    "more bytes than registered": (
        files(txt=BODY),
        {"bytes": 5},
        "DIR/m/a/f.txt: more than 5 bytes; expected 5",
    ),
    "fewer bytes than registered": (
        files(txt=BODY),
        {"bytes": 5000},
        "DIR/m/a/f.txt: 1300 bytes; expected 5000",
    ),
    "another sha256": (
        files(txt=BODY),
        {"sha256": "0" * 64},
        f"DIR/m/a/f.txt: sha256 {SHA256}; expected {'0' * 64} (registry)",
    ),
    "gz cut off": (
        files(txt_gz=gzip.compress(BODY)[:-9]),
        {},
        f"DIR/m/a/f.txt.gz: broken .gz file ({CUT})",
    ),
    "gz that is none": (
        files(txt_gz=BODY),
        {},
        "DIR/m/a/f.txt.gz: broken .gz file (Not a gzipped file (b'ka'))",
    ),
    "gz with garbage behind": (
        files(txt_gz=gzip.compress(BODY) + b"garbage"),
        {},
        "DIR/m/a/f.txt.gz: broken .gz file (Not a gzipped file (b'ga'))",
    ),
    "an empty gz": (files(txt_gz=b""), {}, "DIR/m/a/f.txt.gz: an empty file; expected a file"),
    "gz of nothing": (
        files(txt_gz=gzip.compress(b"")),
        {},
        "DIR/m/a/f.txt.gz: an empty file; expected a file",
    ),
    "a bomb": (
        files(txt_gz=gzip.compress(bytes(20_000_000))),
        {"bytes": 1000},
        "DIR/m/a/f.txt.gz: more than 1000 bytes; expected 1000",
    ),
    "xz cut off": (
        files(txt_xz=lzma.compress(BODY)[:-9]),
        {},
        f"DIR/m/a/f.txt.xz: broken .xz file ({CUT})",
    ),
    "xz that is none": (
        files(txt_xz=BODY),
        {},
        "DIR/m/a/f.txt.xz: broken .xz file (Input format not supported by decoder)",
    ),
    "nothing": (files(), {}, NONE),
    "a folder": (at_path(lambda path: path.mkdir()), {}, NONE),
    "a pipe": (at_path(os.mkfifo), {}, NONE),
    "a circle of links": (at_path(lambda path: path.symlink_to("f.txt")), {}, NONE),
    "a link to nothing": (at_path(lambda path: path.symlink_to("nothing")), {}, NONE),
    "a link to a device": (at_path(lambda path: path.symlink_to("/dev/zero")), {}, NONE),
}


@pytest.mark.parametrize("case", CASES)
def test_a_bad_mirror_is_one_line(tmp_path, line, case):
    make, registered, expected = CASES[case]
    (tmp_path / "m" / "a").mkdir(parents=True)
    make(tmp_path / "m")
    source = Source("n", "a/f.txt", **registered)
    destination = tmp_path / "d" / "f"
    found = line(fetch, source, destination, [tmp_path / "m"], tmp_path / "d" / "lock", wait=0)
    assert found == expected
    assert not destination.exists()
    assert not (tmp_path / "d" / "lock").exists()
