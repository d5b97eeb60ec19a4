"""Predictions of single runs, and cells made from them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kasu.blm.evaluation.experiments import Choices, Experiment, read_experiments
from kasu.blm.models.predictions import PREDICTIONS
from kasu.files.tables import write_parquet


def run_of(
    labels: list[str], model="FFNN", seed=1, regime="allTrain", train="type_I", test="type_I",
    variant="released",
) -> list[dict]:  # fmt: skip
    """One run: the labels it chose, problem by problem; two problems per lexical seed."""
    trained = model in ("FFNN", "CNN")
    return [
        {
            "regime": regime, "fold": None, "train": train if trained else None, "test": test,
            "model": model, "variant": variant, "seed": seed if trained else None,
            "capped": False if trained else None, "problem_id": f"{test}-{row}",
            "cluster": row // 2, "chosen": 2 if label == "True" else 3, "label": label, "answer": 2,
        }
        for row, label in enumerate(labels)
    ]  # fmt: skip


@pytest.fixture(scope="session")
def predicted() -> Callable[..., list[dict]]:
    """`run_of`, for tests."""
    return run_of


@pytest.fixture
def cells(tmp_path: Path) -> Callable[[list[dict]], dict[Experiment, Choices]]:
    """The cells of rows of PREDICTIONS."""

    def cells_of(rows: list[dict]) -> dict[Experiment, Choices]:
        write_parquet(tmp_path / "predictions.parquet", rows, PREDICTIONS)
        return read_experiments([tmp_path / "predictions.parquet"])

    return cells_of
