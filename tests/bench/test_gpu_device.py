"""A busy GPU, one that is too small, and none: each is one line."""

import os

import gpu_device
import pytest
import torch

from kasu.base.errors import KasuError
from kasu.job.gpus import VISIBLE


@pytest.fixture
def gpu(monkeypatch):
    """A GPU of 16 GB, 12 of them free, that computes for nobody."""
    monkeypatch.setenv(VISIBLE, "GPU-1")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (12e9, 16e9))
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda: "NVIDIA T")
    monkeypatch.setattr(gpu_device, "pick_device", torch.device)
    monkeypatch.setattr(gpu_device, "utilisation", lambda: 0)


def test_an_idle_gpu_with_room_is_taken(gpu):
    assert gpu_device.take_device(1, 12) == torch.device("cuda")


def test_a_gpu_that_is_too_small_is_a_line(gpu):
    with pytest.raises(KasuError, match=r"^NVIDIA T: 12\.0 GB free; expected 16 GB$"):
        gpu_device.take_device(1, 16)


def test_a_busy_gpu_is_a_line(gpu, monkeypatch):
    monkeypatch.setattr(gpu_device, "utilisation", lambda: 37)
    with pytest.raises(KasuError, match=r"^GPU GPU-1: busy \(37 %\); expected an idle one$"):
        gpu_device.take_device(1, 12)


def test_no_gpu_is_a_line_and_a_trial_takes_the_cpu(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(KasuError, match=r"^this machine: no GPU that torch can use; expected one"):
        gpu_device.expect_gpu()
    assert gpu_device.take_device(0.01, 12) == torch.device("cpu")


@pytest.mark.parametrize(
    ("said", "expected"),
    [("0\n", 0), ("37\n", 37), ("[N/A]\n", 0)],  # the last on a part of a GPU
)
def test_what_the_driver_says_of_a_gpu(tmp_path, monkeypatch, said, expected):
    driver = tmp_path / "nvidia-smi"
    driver.write_text(f'#!/bin/sh\n[ "$3" = --id=GPU-1 ] && printf "{said}"\n')
    driver.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv(VISIBLE, "GPU-1")
    monkeypatch.setattr(gpu_device.time, "sleep", lambda seconds: None)
    assert gpu_device.utilisation() == expected
