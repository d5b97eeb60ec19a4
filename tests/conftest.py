"""What every test may need: the mirror of real data, the analyser's dictionary."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

# A test never times
hypothesis.settings.register_profile("kasu", deadline=None)
hypothesis.settings.load_profile("kasu")

ROOT = Path(__file__).resolve().parent.parent
DICTIONARY = Path("/usr/share/apertium/apertium-eu-es/eu-es.automorf.bin")


@pytest.fixture(scope="session")
def need() -> Callable[[bool, str], None]:
    """Skip with a reason what is not there; fail where nothing may be missing, as in CI."""

    def check(present: bool, otherwise: str) -> None:
        if not present:
            (pytest.fail if os.environ.get("KASU_REQUIRE_REAL") else pytest.skip)(otherwise)

    return check


@pytest.fixture(scope="session")
def mirror(need) -> Path:
    """The offline mirror of real data."""
    path = Path(os.environ.get("KASU_MIRROR", ROOT.parent / "shared" / "data")).resolve()
    need((path / "MANIFEST.tsv").exists(), f"no mirror of real data at {path} (set KASU_MIRROR)")
    return path


@pytest.fixture(scope="session")
def dictionary(need) -> Path:
    """The Basque dictionary of Apertium, with lt-proc at hand."""
    need(
        DICTIONARY.exists() and shutil.which("lt-proc") is not None,
        "no lt-proc or no Basque dictionary (install apertium-eu-es and lttoolbox)",
    )
    return DICTIONARY
