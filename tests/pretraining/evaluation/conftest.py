"""Scores of a study's runs, and the rows that a test asks for."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kasu.files.tables import read_parquet
from kasu.pretraining.data.runs import ScoreFile
from kasu.pretraining.evaluation.pair_results import read_checkpoints
from kasu.pretraining.evaluation.scores import score_study
from kasu.pretraining.models.histories import read_losses


def _find(rows: list[dict], **wanted: object) -> list[dict]:
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


@pytest.fixture
def score() -> Callable[..., list[dict]]:
    """A function that scores runs in a folder and returns the rows."""

    def score(folder: Path, runs: list[ScoreFile], histories=None, **settings) -> list[dict]:
        files = [folder / name for name in ("scores.parquet", "comparisons.tsv")]
        score_study(
            read_checkpoints(runs), read_losses(histories or {}), *files, seed=1, **settings
        )
        return read_parquet(files[0]).to_pylist()

    return score


@pytest.fixture
def find() -> Callable[..., list[dict]]:
    """A function that returns the rows with some values."""
    return _find


@pytest.fixture
def one() -> Callable[..., dict]:
    """A function that returns the only row with some values."""

    def one(rows: list[dict], **wanted: object) -> dict:
        (row,) = _find(rows, **wanted)
        return row

    return one
