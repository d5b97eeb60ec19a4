"""The printed figures of task 1."""

from pathlib import Path

import pytest

from kasu.inflection.evaluation.printed import Printed, read_printed

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"


@pytest.fixture(scope="session")
def printed() -> Printed:
    """The figures that the paper prints."""
    return read_printed(PUBLISHED)
