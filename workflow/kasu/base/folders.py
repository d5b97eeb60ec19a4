"""Write folders whole or not at all."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kasu.base.parts import temporary


@contextmanager
def landing_folder(path: str | Path) -> Iterator[Path]:
    """Yield a temporary folder next to `path`; let it replace `path` if the block succeeds."""
    with temporary(path, folder=True) as part:
        yield part
        part.chmod(0o755)
        shutil.rmtree(path, ignore_errors=True)
        part.replace(path)
