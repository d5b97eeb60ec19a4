"""Networks trained on small datasets."""

from collections.abc import Callable
from pathlib import Path

import pytest

from kasu.agreement.models.training import Outputs, TrainingData, train_models


def train_networks(
    datasets: Path, out: Path, settings, variants=("paper",), seeds=(1,), **changes
) -> Path:
    """Train on the splits in a folder; returns `out`, which gets model, vocabulary and history."""
    facts = {"task": "verb_number", "system": "bilstm", "device": "cpu", "code": "1"}
    facts["models"] = [(variant, seed) for variant in variants for seed in seeds]
    train_models(
        TrainingData(datasets / "train.parquet", datasets / "validation.parquet"),
        Outputs(out / "model", out / "vocabulary", out / "history"),
        out / "work",
        settings=settings,
        **{**facts, **changes},
    )
    return out


@pytest.fixture(scope="session")
def train() -> Callable[..., Path]:
    return train_networks
