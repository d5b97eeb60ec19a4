"""Regular files: what is read must be one, since a pipe may keep its reader waiting for ever."""

import os
import stat
from pathlib import Path

from kasu.base.errors import KasuError


def expect_regular(path: str | Path, expected: str = "a file") -> None:
    """Check that a path is a regular file: a pipe may keep its reader waiting for ever.

    Raises:
        KasuError: it is missing, out of reach, a folder, a pipe or a device.
    """
    try:
        mode = Path(path).stat().st_mode
    except OSError as error:
        raise KasuError(path, error.strerror or "unreadable", expected) from error
    if not stat.S_ISREG(mode):
        raise KasuError(path, "a folder" if stat.S_ISDIR(mode) else "a pipe or device", expected)


def read_bytes(path: str | Path, expected: str = "a file") -> bytes | None:
    """Read a small file of Kasu's own; None if neither a file nor a link is there.

    Raises:
        KasuError: as `expect_regular`.
    """
    try:
        os.lstat(path)
    except FileNotFoundError:
        return None
    expect_regular(path, expected)
    return Path(path).read_bytes()
