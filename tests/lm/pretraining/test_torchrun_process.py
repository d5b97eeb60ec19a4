"""Two processes on one machine; their gradients travel over gloo."""

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import pytest
import torch

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv
from kasu.job.run import die_with_parent
from kasu.lm import MASKED
from kasu.lm.models.loading import load_parts
from kasu.lm.pretraining import torchrun_process
from kasu.lm.pretraining.packing import encode_corpus
from kasu.lm.pretraining.pretrain import CheckpointJob, pretrain_checkpoint
from kasu.lm.pretraining.tokenizer import write_tokenizer
from kasu.lm.pretraining.torchrun_process import launch, main

TEXTS = [f"Le {a} du {b} {c}." for a in ("chat", "pont") for b in ("train", "livre", "jardin")
         for c in ("dort", "part", "rit")]  # fmt: skip
SETTINGS = {
    "layers": 1, "hidden": 64, "length": 16, "tokens_per_batch": 96, "tokens_per_pass": 32,
    "learning_rate": 0.003, "dropout": 0.1, "epochs": 2, "steps_per_epoch": 3,
}  # fmt: skip


@pytest.fixture(scope="module")
def streams(tmp_path_factory):
    folder = tmp_path_factory.mktemp("streams")
    (folder / "a.txt").write_text("\n".join(TEXTS))
    write_tokenizer(folder / "a.txt", folder / "tokenizer", vocabulary=60, length=16)
    encode_corpus(folder / "a.txt", folder / "tokenizer", folder / "a.npy", folder / "a.tsv")
    return folder


def job(streams, out, **changes):
    tokens = str(streams / "a.npy")
    return CheckpointJob(
        tokens=tokens, validation=tokens, tokenizer=str(streams / "tokenizer"),
        previous=None, model=str(out / "model"), state=str(out / "state"),
        history=str(out / "history.tsv"), work=str(out / "work"), epoch=2, seed=1,
        settings=SETTINGS | changes, device="cpu", code="1",
    )  # fmt: skip


def test_two_processes_train_as_one_does(streams, tmp_path, caplog):
    networks, losses = [], []
    for name, train in (
        ("one", pretrain_checkpoint),
        ("two", lambda given: launch(given, 2)),
    ):
        out = tmp_path / name
        caplog.clear()
        with caplog.at_level("INFO", "kasu"):
            train(job(streams, out))
        said = "\n".join(caplog.messages)
        assert [said.count(line) for line in ("step 3,", "step 6,", "model: step 6")] == [1, 1, 1]
        networks.append(load_parts(out / "model", MASKED, torch.device("cpu")).network)
        losses += [
            [float(row["train_loss"]), float(row["validation_loss"])]
            for row in read_tsv(out / "history.tsv")
        ]
        assert not (out / "work").exists()
    weights = zip(*(network.state_dict().values() for network in networks), strict=True)
    assert max((one - other).abs().max().item() for one, other in weights) < 1e-3
    assert losses[:2] == [pytest.approx(pair, rel=1e-4) for pair in losses[2:]]


@pytest.mark.parametrize(("device", "taken"), [("auto", [4]), ("cpu", [])])
def test_a_job_takes_one_gpu_for_each_process(streams, tmp_path, monkeypatch, device, taken):
    counts = []
    monkeypatch.setattr(f"{launch.__module__}.take_gpus", counts.append)
    monkeypatch.setattr(f"{launch.__module__}.MODULE", "no_such_module")
    with pytest.raises(KasuError, match="torchrun: ended"):
        launch(replace(job(streams, tmp_path), device=device), 4)
    assert counts == taken


def test_an_expected_failure_of_one_process_is_one_line(streams, tmp_path, caplog):
    given = replace(job(streams, tmp_path, epochs=4, steps_per_epoch=3), epoch=3)
    with caplog.at_level("INFO", "kasu"), pytest.raises(KasuError, match=r"^epoch: 3; exp"):
        launch(given, 2)
    assert not [line for line in caplog.messages if "Traceback" in line]


def test_a_bug_in_a_process_leaves_its_traceback_in_the_log(streams, tmp_path, caplog):
    given = job(streams, tmp_path, steps_per_epoch="three")
    with caplog.at_level("INFO", "kasu"), pytest.raises(KasuError, match="torchrun: ended with"):
        launch(given, 1)
    said = "\n".join(caplog.messages)
    assert "Traceback" in said
    assert "TypeError: " in said


def children_of(pid: int, *, direct: bool = False) -> set[int]:
    """The running descendants of a process, or its `direct` children alone."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:  # it has just ended
            continue
        if int(parent) == pid and state != "Z":
            child = int(path.parent.name)
            found |= {child} | (set() if direct else children_of(child))
    return found


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_all_processes_end_when_their_parent_is_killed(streams, tmp_path):
    given = job(streams, tmp_path, steps_per_epoch=100_000)
    code = (
        "import json, sys; from kasu.lm.pretraining.torchrun_process import *;"
        "launch(CheckpointJob(**json.loads(sys.argv[1])), 2)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, json.dumps(asdict(given))]
    tied = partial(die_with_parent, os.getpid())  # if this test is killed, so is what it started
    with subprocess.Popen(command, env=environment, preexec_fn=tied) as parent:
        end = time.monotonic() + 600
        while not (tmp_path / "work").exists():  # both have joined
            assert parent.poll() is None, "it ended too early"
            assert time.monotonic() < end, "no work in ten minutes"
            time.sleep(0.05)
        processes = children_of(parent.pid)
        parent.kill()
    assert len(processes) >= 3
    end = time.monotonic() + 120
    while (left := {pid for pid in processes if Path(f"/proc/{pid}").exists()}) and (
        time.monotonic() < end
    ):
        time.sleep(0.05)
    assert not left


def test_an_expected_failure_is_written_for_the_parent(streams, tmp_path):
    given = replace(job(streams, tmp_path, epochs=4, steps_per_epoch=3), epoch=3)
    (tmp_path / "job.json").write_text(json.dumps(asdict(given)))
    with pytest.raises(SystemExit):
        main(tmp_path / "job.json", tmp_path / "error")
    assert json.loads((tmp_path / "error").read_text()) == ["epoch", "3; expected one of 1, 2, 4"]


def test_a_full_disk_is_written_for_the_parent(streams, tmp_path, monkeypatch):
    def full(job):
        raise OSError(errno.ENOSPC, "No space left on device", "model")

    monkeypatch.setattr(torchrun_process, "pretrain_checkpoint", full)
    (tmp_path / "job.json").write_text(json.dumps(asdict(job(streams, tmp_path))))
    with pytest.raises(SystemExit):
        main(tmp_path / "job.json", tmp_path / "error")
    assert json.loads((tmp_path / "error").read_text()) == [
        "model", "the disk is full; free some space and run again",
    ]  # fmt: skip


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
@pytest.mark.parametrize(("killed", "joined"), [("torchrun", False), ("process", True)])
def test_one_that_is_killed_ends_all_with_a_line(streams, tmp_path, killed, joined):
    before = children_of(os.getpid())  # those of other tests, such as a resource tracker

    def kill() -> None:
        # Processes are there seconds before they have imported torch, and there is work once all
        # have joined
        found: list[int] = []
        while len(found) < 2 or (joined and not (tmp_path / "work").exists()):
            time.sleep(0.01)
            # The processes may have short-lived children of their own
            for torchrun in children_of(os.getpid(), direct=True) - before:
                found = sorted(children_of(torchrun, direct=True))
                if len(found) >= 2:
                    break
        os.kill(torchrun if killed == "torchrun" else found[-1], signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    line = "torchrun: killed by SIGKILL, perhaps for memory; expected more memory, or fewer"
    with pytest.raises(KasuError, match=line):
        launch(job(streams, tmp_path, steps_per_epoch=100_000), 2)
    killer.join()
    assert children_of(os.getpid()) - before == set()
