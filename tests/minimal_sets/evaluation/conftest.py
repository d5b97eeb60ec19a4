"""What tests of scores share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kasu.minimal_sets.evaluation.scores import StudyTables
from kasu.results.published import read_published


@pytest.fixture(scope="session")
def published(request):
    return read_published(request.config.rootpath / "resources" / "published")


@pytest.fixture(scope="session")
def outputs_in() -> Callable[[Path], StudyTables]:
    """Name the outputs of the study in a folder."""
    return lambda folder: StudyTables(
        scores=folder / "scores.parquet",
        comparisons=folder / "comparisons.tsv",
        preferences=folder / "preferences.tsv",
        correlations=folder / "correlations.tsv",
        flips=folder / "flips.tsv",
        probabilities=folder / "probabilities.tsv",
        claims=folder / "claims.tsv",
    )
