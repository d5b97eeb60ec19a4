"""Which files are read at all: regular ones and, of downloads, unchanged ones. Reading a text."""

import codecs
import hashlib
import json
import stat
from contextlib import suppress
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.limits import hint


def file_hash(path: str | Path) -> str:
    """The sha256 of a file's bytes, in hexadecimal."""
    with hint(path), open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def expect_file(path: str | Path, expected: str = "a file") -> None:
    """Check that a path is a regular file: a pipe may keep its reader waiting for ever.

    A download, which has a lock, must be the file that was fetched.

    Raises:
        KasuError: it is missing, out of reach, a folder, a pipe or a device, or has changed.
    """
    path = Path(path)
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise KasuError(path, error.strerror or "unreadable", expected) from error
    if not stat.S_ISREG(mode):
        raise KasuError(path, "a folder" if stat.S_ISDIR(mode) else "a pipe or device", expected)
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
    """The sha256 that the lock of a download records; empty for other files and folders."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        return str(json.loads(path.with_name(f"{path.name}.lock").read_text("utf-8"))["sha256"])
    return ""


def _expect_unchanged(path: Path, fetched: str) -> None:
    """Compare the sha256, unless a file next to `path` says that it was compared already."""
    facts = path.stat()
    state = json.dumps([fetched, facts.st_size, facts.st_mtime_ns, facts.st_ino])
    note = path.with_name(f"{path.name}.checked")
    with suppress(OSError):
        if note.read_text("utf-8") == state:
            return
    if (found := file_hash(path)) != fetched:
        expected = f"{fetched}, as fetched; delete the file and its lock to fetch it again"
        raise KasuError(path, f"sha256 {found}", expected)
    with suppress(OSError):  # downloads may be read-only
        note.write_text(state, "utf-8")
