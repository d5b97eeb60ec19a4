"""The identity of a model: a hash of its files."""

import hashlib
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.tables import file_hash


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
