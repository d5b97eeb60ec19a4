"""Checks whether a mirror is a folder, and the right one."""

import difflib
import os
from collections.abc import Iterable
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.paths import exists


def check_mirrors(mirrors: Iterable[Path]) -> None:
    """Check that mirrors are folders, before something is fetched.

    Until then a mirror may be away: finished results need none.

    Raises:
        KasuError: one is missing (names the nearest folder), is no folder or may not be read.
    """
    for mirror in mirrors:
        where = "config mirror"
        if not exists(mirror):
            raise KasuError(where, f"{mirror}: no such folder", _nearest(mirror))
        if not mirror.is_dir():
            raise KasuError(where, f"{mirror}: no folder", "a folder")
        if not os.access(mirror, os.R_OK | os.X_OK):
            raise KasuError(where, f"{mirror}: may not be read", "a folder that may be")


def find_fault(mirror: Path, paths: Iterable[str]) -> str:
    """Return a line on a mirror for the user, before the run; empty if it looks right.

    Args:
        paths: the paths in a mirror of the files that it may have.
    """
    try:
        check_mirrors([mirror])
    except KasuError as error:
        return f"{error}; what no other mirror holds cannot be fetched"
    tops = {path.partition("/")[0] for path in paths}
    if _holds(mirror, tops):
        return ""
    # People name the folder above or the one below
    near = [mirror.absolute().parent, *sorted(filter(Path.is_dir, mirror.iterdir()))]
    better = next((folder for folder in near if _holds(folder, tops)), None)
    found = f"config mirror: {mirror} has none of {len(tops)} folders ({', '.join(sorted(tops))})"
    return found + (f"; {better} has" if better else "")


def _holds(folder: Path, names: Iterable[str]) -> bool:
    return any(exists(folder / name) for name in names)


def _nearest(path: Path) -> str:
    """Name the most similar folder where the path stops, or the last part that exists."""
    path = path.absolute()
    missing = next(part for part in [*reversed(path.parents), path] if not exists(part))
    try:
        names = [each.name for each in missing.parent.iterdir() if each.is_dir()]
    except OSError:
        names = []
    similar = difflib.get_close_matches(missing.name, names, n=1)
    return (
        f"a folder, such as {missing.with_name(similar[0])}"
        if similar
        else (f"a folder; {missing.parent} has no {missing.name!r}")
    )
