"""What every test may need: the mirror of real data."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The offline mirror of real data, or a skip that says what is missing."""
    path = Path(os.environ.get("KASU_MIRROR", ROOT.parent / "shared" / "data")).resolve()
    if not (path / "MANIFEST.tsv").exists():
        pytest.skip(f"no mirror of real data at {path} (set KASU_MIRROR)")
    return path
