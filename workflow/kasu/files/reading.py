"""Which files are read at all: regular ones and, of downloads, unchanged ones. Reading a text."""

import codecs
import json
from contextlib import suppress
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.limits import hint
from kasu.files.hashes import file_facts, file_hash, is_settled
from kasu.files.parts import write_text
from kasu.files.regular import expect_regular


def expect_file(path: str | Path, expected: str = "a file") -> None:
    """Check that a path is a regular file; a download (with a lock) must be as it was fetched.

    Raises:
        KasuError: as `expect_regular`; or it has changed.
    """
    path = Path(path)
    expect_regular(path, expected)
    if fetched := fetched_hash(path):
        _expect_unchanged(path, fetched)


def read_text(path: str | Path, expected: str = "a file") -> str:
    """Read a text, without the byte order mark that some editors put at its beginning.

    Raises:
        KasuError: as `expect_file`; or the text is not UTF-8.
    """
    expect_file(path, expected)
    with hint(path):
        data = Path(path).read_bytes().removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        at = error.start - data.rfind(b"\n", 0, error.start)
        found = f"invalid UTF-8 at byte {at} of the line"
        raise KasuError(f"{path}:{line}", found) from error


def fetched_hash(path: Path) -> str:
    """Return the sha256 that the lock of a download records; empty for other files and folders.

    Other programs have locks of that name too: files, folders and links to nothing.
    """
    lock = path.with_name(f"{path.name}.lock")
    with suppress(OSError, ValueError, KeyError, TypeError):
        if lock.is_file():  # a pipe would keep its reader waiting
            return str(json.loads(lock.read_bytes())["sha256"])
    return ""


def _expect_unchanged(path: Path, fetched: str) -> None:
    """Compare the sha256, unless a file next to `path` says that it was compared already."""
    facts = file_facts(path)
    settled, state = is_settled(facts), json.dumps([fetched, *facts])
    note = path.with_name(f"{path.name}.checked")
    with suppress(OSError):
        if note.is_file() and note.read_text("utf-8") == state:
            return
    if (found := file_hash(path)) != fetched:
        expected = f"{fetched}, as fetched; delete the file and its lock to fetch it again"
        raise KasuError(path, f"sha256 {found}", expected)
    if settled:
        with suppress(OSError):  # downloads may be read-only
            write_text(note, state)  # in place of a link, not through it
