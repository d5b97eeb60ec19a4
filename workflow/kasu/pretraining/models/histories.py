"""Training histories: steps and losses by checkpoint, of one run or averaged over several."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv

LOSSES = ("steps", "train_loss", "dev_loss")
HISTORY = {
    "epoch": "epoch",
    "steps": "step",
    "train_loss": "train_loss",
    "dev_loss": "validation_loss",
}
"""From our names to the columns of a history written by `kasu.lm.pretraining.pretrain`."""
History = Mapping[int, Mapping[str, float]]
"""The numbers named in LOSSES, by epoch."""
Losses = Mapping[str, Mapping[int, History]]
"""Histories by system, then seed."""


def read_losses(histories: Mapping[str, Mapping[int, str | Path]]) -> Losses:
    """Read the histories of all systems and seeds; see `read_history`."""
    return {
        system: {seed: read_history(path) for seed, path in by_seed.items()}
        for system, by_seed in histories.items()
    }


def read_history(path: str | Path) -> History:
    """Read the steps and losses of each epoch.

    Raises:
        KasuError: a column of HISTORY is missing, or a cell is not a number.
    """
    history = {}
    for line, row in enumerate(read_tsv(path, tuple(HISTORY.values())), 2):
        try:
            numbers = {name: float(row[column]) for name, column in HISTORY.items()}
        except ValueError as error:
            raise KasuError(f"{path}:{line}", str(error), "numbers") from error
        history[int(numbers.pop("epoch"))] = numbers
    return history


def mean_history(histories: Sequence[History]) -> History:
    """Average several runs over the epochs that all of them have."""
    epochs = set.intersection(*(set(history) for history in histories))
    return {
        epoch: {name: float(np.mean([run[epoch][name] for run in histories])) for name in LOSSES}
        for epoch in sorted(epochs)
    }
