import ctypes
import os
import subprocess
import sys

import pytest
import torch

from kasu.base.errors import KasuError
from kasu.job.gpus import VISIBLE
from kasu.neural.device import make_deterministic, pick_device


@pytest.fixture(autouse=True)
def taken(monkeypatch):
    """What was done to GPUs, in order."""
    calls = []
    monkeypatch.setattr("kasu.neural.device.take_gpus", lambda: calls.append("taken"))
    return calls


@pytest.fixture
def no_gpu(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


def test_auto_is_the_processor_without_a_gpu(no_gpu):
    assert pick_device("auto") == torch.device("cpu")


def test_auto_is_the_gpu_if_there_is_one(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert pick_device("auto") == pick_device("cuda") == torch.device("cuda")
    assert pick_device("cpu") == torch.device("cpu")


@pytest.mark.parametrize(
    ("visible", "gpus", "found"),
    [
        (None, [], "there is no GPU"),
        ("", [], "there is no GPU (CUDA_VISIBLE_DEVICES is '')"),
        ("7", [], "there is no GPU (CUDA_VISIBLE_DEVICES is '7')"),
        (None, ["GPU-1"], "torch cannot use the GPU that is there"),
        ("0", ["GPU-1"], "torch cannot use the GPU that is there"),
    ],
)
def test_a_missing_gpu_ends_in_one_line(monkeypatch, no_gpu, caplog, visible, gpus, found):
    monkeypatch.delenv(VISIBLE, raising=False)
    if visible is not None:
        monkeypatch.setenv(VISIBLE, visible)
    monkeypatch.setattr("kasu.neural.device.visible_gpus", lambda: gpus)
    with pytest.raises(KasuError) as caught:
        pick_device("cuda")
    line = f"device: cuda asked for, but {found}; expected device: cpu or auto"
    assert str(caught.value) == line
    # And `auto`, which takes the processor, says why unless the machine has none
    with caplog.at_level("INFO", "kasu"):
        assert pick_device("auto") == torch.device("cpu")
    said = [] if found == "there is no GPU" else [f"on the processor: {found}"]
    assert caplog.messages == said


@pytest.mark.parametrize("name", ["auto", "cuda"])
def test_a_gpu_is_taken_before_cuda_starts(monkeypatch, taken, name):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: taken.append("started") or True)
    pick_device(name)
    assert taken[:2] == ["taken", "started"]


def test_the_processor_takes_no_gpu(taken):
    pick_device("cpu")
    assert taken == []


def test_a_process_of_torchrun_takes_none_of_its_own(monkeypatch, taken):
    monkeypatch.setenv("LOCAL_RANK", "1")
    pick_device("auto")
    assert taken == []


def test_an_unknown_device_ends_in_one_line():
    with pytest.raises(KasuError, match="device: 'tpu'; expected auto or cpu or cuda"):
        pick_device("tpu")


def test_determinism_and_threads_are_set():
    make_deterministic(1)
    assert torch.are_deterministic_algorithms_enabled()
    assert torch.get_num_threads() == 1


def test_determinism_keeps_what_it_need_not_change(monkeypatch):
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":16:8")
    make_deterministic(1)
    assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":16:8"
    assert not torch.utils.deterministic.fill_uninitialized_memory
    assert not torch.is_deterministic_algorithms_warn_only_enabled()


def test_determinism_sets_the_workspace_of_cublas(monkeypatch):
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG", raising=False)
    make_deterministic(1)
    assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"


def test_recurrent_layers_of_a_gpu_do_not_round_factors(monkeypatch):
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", True)
    make_deterministic(1)
    assert not torch.backends.cudnn.allow_tf32


FAULTS = """
import resource, torch
from kasu.neural.device import make_deterministic
make_deterministic(threads=1)
def use():
    held = [torch.empty(6_000_000).fill_(1) for _ in range(4)]
for _ in range(10): use()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10): use()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="needs glibc")
def test_memory_that_is_freed_stays_with_the_process():
    # By default most processes, whose heaps differ, fault in 117,000 or 234,000 pages anew
    for _ in range(3):
        found = subprocess.run([sys.executable, "-c", FAULTS], stdout=-1, check=True).stdout
        assert int(found) < 12_000
