"""Seals: the sha256 of what a job wrote, so that the next job notices one flipped bit.

The seal of a file stands next to it, `.<name>.sha256`, in the format of `sha256sum`; that of a
folder stands in it, `.sha256`. Files without one are read as they are: those of a user, and results
of versions that wrote none. Comments in a seal, `# <sha256>  "<path>"`, say what the job read that
no job of a study made; the path is a string of JSON, since a name may hold line breaks.
"""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.files.hashes import file_hash
from kasu.files.parts import landing
from kasu.files.reading import fetched_hash
from kasu.files.regular import expect_regular, read_bytes


def seal(path: str | Path, inputs: Mapping[str, str] = {}) -> None:
    """Write the seal of a file or folder, with the hashes of `inputs` by path."""
    path = Path(path)
    # A folder may be moved: its seal does not name it
    name = "" if path.is_dir() else f"  {path.name}"
    read = (f"# {each}  {json.dumps(file, ensure_ascii=False)}" for file, each in inputs.items())
    lines = [f"{content_hash(path)}{name}", *read]
    with landing(seal_of(path)) as part:
        part.write_bytes(os.fsencode("\n".join(lines) + "\n"))


def sealed_hash(path: str | Path) -> str | None:
    """Return the hash that the seal of a file or folder states; None if it has no seal.

    Raises:
        KasuError: the seal is no regular file.
    """
    lines = _lines(path)
    return None if lines is None else "".join(lines[:1]).partition(" ")[0]


def recorded_inputs(path: str | Path) -> dict[str, str]:
    """Return the hashes of `inputs` that the seal of a file or folder records, by path.

    A damaged seal records none.

    Raises:
        KasuError: as `sealed_hash`.
    """
    found = (re.fullmatch('# ([0-9a-f]{64})  (".*")', line) for line in _lines(path) or [])
    with suppress(ValueError):
        return {json.loads(match[2]): match[1] for match in found if match}
    return {}


def is_sealed(path: str | Path) -> bool:
    """Return whether a file or folder has a seal."""
    return seal_of(path).exists()


def unseal(path: str | Path) -> None:
    """Delete the seal of a file or folder, if it has one."""
    seal_of(path).unlink(missing_ok=True)


def unseal_absent(folder: str | Path) -> None:
    """Delete the seals in a folder whose files are gone, as temporary ones are."""
    for mark in [*Path(folder).rglob(".?*.sha256")]:
        if not mark.with_name(mark.name[1 : -len(".sha256")]).exists():
            mark.unlink(missing_ok=True)


def expect_sealed(path: str | Path) -> None:
    """Check that a file or folder is what its seal says, if it has one.

    Raises:
        KasuError: it has changed, or the seal has; or one of the two is a pipe or a device.
    """
    path = Path(path)
    if not path.exists():
        return
    if not path.is_dir():
        expect_regular(path)
    if _has_changed(path):
        mark = seal_of(path)
        mend = f"delete {path.name} to make it again, or its seal to use it as is"
        raise KasuError(path, "changed since it was written", f"the sha256 in {mark}; {mend}")


def expect_unedited(path: str | Path) -> None:
    """Check that an output that a job is about to delete and make again is what its seal says.

    A missing one, an empty folder, and one without a seal, may be made.

    Raises:
        KasuError: it has changed, as a sheet that somebody filled in.
    """
    path = Path(path)
    # With a folder that somebody emptied, nothing is lost
    if path.is_dir() and all(each.name.startswith(".") for each in path.iterdir()):
        return
    if path.exists() and _has_changed(path):
        found = "changed since it was written, and this run would make it again"
        raise KasuError(path, found, f"a copy elsewhere if you need it, and no {path.name} here")


def expect_fetched(folder: str | Path) -> None:
    """Check that a folder is what its lock says was fetched, if it has one.

    Raises:
        KasuError: a file has changed, gone or come.
    """
    if (fetched := fetched_hash(Path(folder))) and fetched != folder_hash(folder):
        raise KasuError(folder, "files changed since they were fetched", "fetch it again")


def folder_hash(folder: str | Path) -> str:
    """Return the sha256 of the names and bytes of all files in a folder except hidden ones.

    Raises:
        KasuError: the folder is missing or empty.
    """
    folder = Path(folder)
    digest = hashlib.sha256()
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    files = [path for path in files if not path.name.startswith(".")]
    if not files:
        raise KasuError(folder, "no file", "the folder of a model")
    for path in files:
        digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        digest.update(file_hash(path).encode())
    return digest.hexdigest()


def content_hash(path: str | Path) -> str:
    """Return the sha256 of a file, or of a folder's names and bytes (`folder_hash`)."""
    return folder_hash(path) if Path(path).is_dir() else file_hash(path)


def seal_of(path: str | Path) -> Path:
    """Return where the seal of a file or folder is."""
    path = Path(path)
    return path / ".sha256" if path.is_dir() else path.with_name(f".{path.name}.sha256")


def _has_changed(path: Path) -> bool:
    stated = sealed_hash(path)
    return stated is not None and stated != content_hash(path)


def _lines(path: str | Path) -> list[str] | None:
    expected = f"a seal; delete it to use {Path(path).name} as is"
    content = read_bytes(seal_of(path), expected)
    return None if content is None else os.fsdecode(content).split("\n")
