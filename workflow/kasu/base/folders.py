"""Folders that land whole or not at all, as files do."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def landing_folder(path: str | Path) -> Iterator[Path]:
    """A folder beside `path` that takes its name, and its place, when the block ends well."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        yield part
        part.chmod(0o755)
        shutil.rmtree(path, ignore_errors=True)
        part.replace(path)
    finally:
        shutil.rmtree(part, ignore_errors=True)
