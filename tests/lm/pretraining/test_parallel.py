"""One process alone; for several see test_torchrun_process.py."""

import torch

from kasu.lm.pretraining.parallel import add_up, rank, world


def test_one_process_is_alone():
    assert (rank(), world()) == (0, 1)
    numbers = [torch.ones(2)]
    add_up(numbers)
    assert numbers[0].tolist() == [1.0, 1.0]
