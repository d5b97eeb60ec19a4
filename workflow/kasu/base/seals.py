"""Seals: the sha256 of what a job wrote, so that the next job notices one flipped bit.

The seal of a file stands next to it, `.<name>.sha256`, in the format of `sha256sum`; that of a
folder stands in it, `.sha256`. Files without one are read as they are: those of a user, and results
of versions that wrote none.
"""

import hashlib
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.files import expect_regular, fetched_hash, file_hash, read_bytes
from kasu.base.parts import write_text


def seal(path: str | Path) -> None:
    """Write the seal of a file or folder."""
    path = Path(path)
    # A folder may be moved: its seal does not name it
    name = "" if path.is_dir() else f"  {path.name}"
    write_text(_seal_of(path), f"{_hash(path)}{name}\n")


def is_sealed(path: str | Path) -> bool:
    """Whether a file or folder has a seal."""
    return _seal_of(Path(path)).exists()


def unseal(path: str | Path) -> None:
    """Delete the seal of a file or folder, if it has one."""
    _seal_of(Path(path)).unlink(missing_ok=True)


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
    mark = _seal_of(path)
    seal = read_bytes(mark, f"a seal; delete it to use {path.name} as is")
    if seal is not None and seal.split()[:1] != [_hash(path).encode()]:
        mend = f"delete {path.name} to make it again, or its seal to use it as is"
        raise KasuError(path, "changed since it was written", f"the sha256 in {mark}; {mend}")


def expect_fetched(folder: str | Path) -> None:
    """Check that a folder is what its lock says was fetched, if it has one.

    Raises:
        KasuError: a file has changed, gone or come.
    """
    if (fetched := fetched_hash(Path(folder))) and fetched != folder_hash(folder):
        raise KasuError(folder, "files changed since they were fetched", "fetch it again")


def folder_hash(folder: str | Path) -> str:
    """The sha256 of the names and bytes of all files in a folder except hidden ones.

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


def _hash(path: Path) -> str:
    return folder_hash(path) if path.is_dir() else file_hash(path)


def _seal_of(path: Path) -> Path:
    return path / ".sha256" if path.is_dir() else path.with_name(f".{path.name}.sha256")
