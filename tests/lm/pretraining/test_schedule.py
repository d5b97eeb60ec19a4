"""Checkpoints and learning rates, and that planning a workflow loads no network library."""

import subprocess
import sys

import pytest

from kasu.lm.pretraining.schedule import checkpoint_epochs, learning_rate


@pytest.mark.parametrize(
    ("epochs", "each", "steps", "points"),
    [(8192, 50, 409_600, 14), (2048, 250, 512_000, 12), (512, 1250, 640_000, 10)],
)
def test_checkpoints_are_the_printed_ones(epochs, each, steps, points):
    assert epochs * each == steps
    assert len(checkpoint_epochs(epochs)) == points
    assert checkpoint_epochs(epochs)[-1] == epochs


def test_the_last_epoch_is_a_checkpoint():
    assert checkpoint_epochs(6) == [1, 2, 4, 6]
    assert checkpoint_epochs(1) == [1]


def test_the_learning_rate_rises_and_falls():
    settings = {"steps": 10, "warmup": 0.2, "learning_rate": 1.0}
    rates = [learning_rate(step, settings) for step in range(10)]
    assert rates == pytest.approx([1 / 2, 1, *(left / 9 for left in range(8, 0, -1))])


def test_without_warm_up_the_learning_rate_falls_from_its_peak():
    settings = {"steps": 4, "warmup": 0.0, "learning_rate": 0.1}
    rates = [learning_rate(step, settings) for step in range(4)]
    assert rates == pytest.approx([0.1, 0.075, 0.05, 0.025])


def test_it_loads_no_network_library():
    check = "import sys, kasu.lm.pretraining.schedule; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
