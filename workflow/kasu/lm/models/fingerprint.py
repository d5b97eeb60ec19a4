"""The identity of a model: a hash of its files."""

import hashlib
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.files import fetched_hash
from kasu.base.tables import file_hash, write_text

SEAL = ".sha256"


def seal(folder: str | Path) -> None:
    """Write the hash of a trained model's files into its folder."""
    write_text(Path(folder) / SEAL, folder_hash(folder) + "\n")


def expect_sealed(folder: str | Path) -> None:
    """Check that a model is as it was fetched, by its lock, or trained, by its seal.

    Raises:
        KasuError: a file has changed, gone or come.
    """
    folder = Path(folder)
    known = fetched_hash(folder).encode()
    if (folder / SEAL).is_file():
        known = (folder / SEAL).read_bytes().strip()
    if known and known != folder_hash(folder).encode():
        raise KasuError(folder, "files changed since they were written", "fetch or train it again")


def folder_hash(folder: str | Path) -> str:
    """The sha256 of the names and bytes of all files of a model except hidden ones.

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
