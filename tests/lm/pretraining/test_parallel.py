"""One process alone; for several see test_torchrun_process.py."""

import torch
from torch import distributed

from kasu.lm.pretraining.parallel import add_up, joined, rank, world


def test_one_process_is_alone():
    assert (rank(), world()) == (0, 1)
    numbers = [torch.ones(2)]
    add_up(numbers)
    assert numbers[0].tolist() == [1.0, 1.0]


def test_a_process_joins_with_the_gpu_of_its_rank(monkeypatch):
    calls = []
    monkeypatch.setenv("WORLD_SIZE", "4")
    monkeypatch.setenv("LOCAL_RANK", "2")
    monkeypatch.setattr(torch.cuda, "set_device", calls.append)
    monkeypatch.setattr(
        distributed, "init_process_group", lambda name, device_id: calls.append((name, device_id))
    )
    monkeypatch.setattr(distributed, "destroy_process_group", lambda: calls.append("left"))
    own = torch.device("cuda", 2)
    with joined(torch.device("cuda")) as device:
        assert device == own
    assert calls == [own, ("nccl", own), "left"]
