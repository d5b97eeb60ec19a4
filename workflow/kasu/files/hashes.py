"""The sha256 of files, computed again only when the size, times or place of a file changed.

A process keeps them in memory; `write_hashes` and `read_hashes` hand them on to the next.
"""

import hashlib
import json
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.base.limits import hint
from kasu.files.parts import write_text
from kasu.files.regular import expect_regular, read_bytes

CACHE = ".snakemake/kasu-hashes.json"
CLOCK = 2_000_000_000  # ns: two changes so close may have one date, where dates are coarsest
LARGE = 1 << 20  # bytes: a smaller file is hashed as soon as it is looked up


class _Hash(NamedTuple):
    facts: list[int]
    sha256: str


_known: dict[str, _Hash] = {}


def file_hash(path: str | Path) -> str:
    """Return the sha256 of a file's bytes, in hexadecimal; raises as `expect_regular`."""
    expect_regular(path)
    facts, name = file_facts(path), str(Path(path).absolute())
    known = _known.get(name)
    if known and known.facts == facts:
        return known.sha256
    settled = is_settled(facts)
    with hint(path), open(path, "rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if settled and file_facts(path) == facts:
        _known[name] = _Hash(facts, sha256)
    return sha256


def file_facts(path: str | Path) -> list[int]:
    """Return a file's size, times and number; if it was settled, equal facts mean the same file.

    Its size, times of modification and of change of status (which nobody can set), inode, device.
    """
    found = Path(path).stat()
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev]


def is_settled(facts: list[int]) -> bool:
    """Return whether a file's last change is so old that another would change its facts."""
    return max(facts[1:3]) < time.time_ns() - CLOCK


def read_hashes(cache: str | Path) -> None:
    """Take over the hashes that `write_hashes` wrote, unless the cache is damaged."""
    with suppress(KasuError, OSError, ValueError, TypeError, AttributeError):
        read = json.loads(read_bytes(cache) or b"{}").items()
        shape = "[0-9a-f]{64}"
        if all(len(facts) == 5 and re.fullmatch(shape, sha256) for _, (facts, sha256) in read):
            _known.update({name: _Hash(facts, sha256) for name, (facts, sha256) in read})


def write_hashes(cache: str | Path) -> None:
    """Write the hashes of large unchanged files, if the cache can be written."""
    with suppress(KasuError, OSError):
        text = json.dumps({name: known for name, known in _known.items() if _is_worth(name, known)})
        if text.encode() != (read_bytes(cache) or b"{}"):
            write_text(cache, text)


def _is_worth(name: str, known: _Hash) -> bool:
    with suppress(OSError):
        return known.facts[0] >= LARGE and known.facts == file_facts(name)
    return False
