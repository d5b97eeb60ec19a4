"""A program in place of the driver's says which GPUs there are; the processes are real."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack

import pytest

from kasu.job.gpus import VISIBLE, take_gpus, visible_gpus

TAKE = """
import os, sys
from kasu.job.gpus import take_gpus
take_gpus(int(sys.argv[1]))
print(os.environ.get("CUDA_VISIBLE_DEVICES"), flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Make this a machine with some GPUs; return their names, which no other test has."""
    monkeypatch.delenv(VISIBLE, raising=False)

    def make(count: int, status: int = 0) -> list[str]:
        names = [f"GPU-{os.getpid()}-{tmp_path.name}-{number}" for number in range(count)]
        lines = [f"GPU {n}: NVIDIA H100 PCIe (UUID: {name})" for n, name in enumerate(names)]
        program = tmp_path / "nvidia-smi"
        program.write_text("\n".join(["#!/bin/sh", "cat <<END", *lines, "END", f"exit {status}"]))
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
        return names

    return make


@pytest.fixture
def start():
    """Start processes at once, each of which takes some GPUs; return what each is left with."""
    with ExitStack() as running:

        def run(counts: Sequence[int]) -> list[str]:
            processes = [
                running.enter_context(
                    subprocess.Popen(
                        [sys.executable, "-c", TAKE, str(count)],
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                    )
                )
                for count in counts
            ]  # fmt: skip
            return [process.stdout.readline().strip() for process in processes]

        yield run


def test_the_gpus_of_the_machine(machine):
    names = machine(2)
    assert visible_gpus() == names


def test_without_a_driver_there_is_no_gpu(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv(VISIBLE, "0")
    assert visible_gpus() == []
    take_gpus()
    assert os.environ[VISIBLE] == "0"


def test_a_driver_that_fails_has_no_gpu(machine):
    machine(2, status=9)
    assert visible_gpus() == []


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("3, 1", ["3", "1"]),
        ("1,-1,0", ["1"]),
        ("", []),
        ("0,0", ["0"]),
        # What is none of the machine ends the list, as for CUDA
        ("garbage", []),
        ("0,4,1", ["0"]),
        ("GPU-0000", []),
        ("GPU-", []),  # the beginning of all
        ("1,MIG-0a1b", ["1", "MIG-0a1b"]),
    ],
)
def test_what_a_scheduler_has_set_wins(machine, monkeypatch, value, names):
    machine(4)
    monkeypatch.setenv(VISIBLE, value)
    assert visible_gpus() == names


def test_the_beginning_of_a_name_is_enough(machine, monkeypatch):
    first, second = machine(2)
    monkeypatch.setenv(VISIBLE, f"{second},{first[:-1]}")
    assert visible_gpus() == [second]
    (only,) = machine(1)
    monkeypatch.setenv(VISIBLE, only[:-1])
    assert visible_gpus() == [only[:-1]]


def test_a_process_takes_none_if_none_is_named(machine, monkeypatch, caplog):
    machine(2)
    monkeypatch.setenv(VISIBLE, "garbage")
    with caplog.at_level("INFO", "kasu"):
        take_gpus()
    assert (os.environ[VISIBLE], caplog.messages) == ("garbage", [])


def test_processes_take_different_gpus_and_share_when_all_are_taken(machine, start):
    names = machine(3)
    assert [start([1]) for _ in range(4)] == [[name] for name in [*names, names[0]]]


def test_processes_that_start_at_once_share_evenly(machine, start):
    names = machine(4)
    assert Counter(start([1] * 8)) == dict.fromkeys(names, 2)


def test_a_process_may_take_several(machine, start):
    first, second, third, fourth = machine(4)
    assert start([1]) == [first]
    assert start([2]) == [f"{second},{third}"]
    assert start([9]) == [f"{fourth},{first},{second},{third}"]


def test_a_gpu_is_free_again_when_its_process_was_killed(machine):
    first, *_ = machine(2)
    for _ in range(2):
        with subprocess.Popen(
            [sys.executable, "-c", TAKE, "1"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            assert process.stdout.readline().strip() == first
            process.kill()


def test_what_a_process_has_it_keeps_and_passes_on(machine):
    first, *_ = machine(2)
    code = TAKE.replace("print", "take_gpus(); os.fork() or print", 1)
    done = subprocess.run(
        [sys.executable, "-c", code, "1"], input="\n", capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [first]
