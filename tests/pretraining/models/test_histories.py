"""Training histories: reading one, averaging several, bad files."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import write_tsv
from kasu.pretraining.models.histories import mean_history, read_history

COLUMNS = ("epoch", "step", "train_loss", "validation_loss")


def write(path: Path, *rows: tuple, columns: tuple = COLUMNS) -> Path:
    write_tsv(path, (dict(zip(columns, row, strict=True)) for row in rows), columns)
    return path


def test_history_by_epoch(tmp_path):
    found = read_history(write(tmp_path / "h.tsv", (1, 50, 11.5, 11.6), (2, 100, 11, 11.4)))
    assert found == {
        1: {"steps": 50, "train_loss": 11.5, "dev_loss": 11.6},
        2: {"steps": 100, "train_loss": 11, "dev_loss": 11.4},
    }


def test_bad_history(tmp_path):
    with pytest.raises(KasuError, match="no column 'validation_loss'"):
        read_history(write(tmp_path / "h.tsv", columns=COLUMNS[:3]))
    with pytest.raises(KasuError, match=r"h\.tsv:2: .*'x'"):
        read_history(write(tmp_path / "h.tsv", (1, 50, "x", 2)))


def test_mean_is_over_the_epochs_that_all_runs_have():
    one = {1: {"steps": 50.0, "train_loss": 4.0, "dev_loss": 5.0}}
    two = {1: {"steps": 50.0, "train_loss": 2.0, "dev_loss": 6.0}, 2: {}}
    assert mean_history([one, two]) == {1: {"steps": 50.0, "train_loss": 3.0, "dev_loss": 5.5}}
