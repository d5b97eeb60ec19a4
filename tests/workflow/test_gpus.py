"""Jobs on the GPUs of one machine: how many at once, and on which; a program is the driver's."""

import os
import re
import shutil
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.workflow

# A job waits until as many run as can, and writes down on which GPUs they are
TOY = '''"""A toy family of networks."""

import os
import time
from pathlib import Path

from kasu.job.gpus import take_gpus
from kasu.transduction.items import Answer
from kasu.transduction.members.families import Answers, CustomFamily, alone


def train(data, members, options, session):
    if session.device != "cpu":
        take_gpus()
    here, met = Path("running"), Path("running/met")
    # The device stands in the file's name: a file that is listed may be gone before it is read
    own = here / f"{os.getpid()}:{os.environ.get('CUDA_VISIBLE_DEVICES', 'none')}"
    own.touch()
    for _ in range(200):
        running = sorted(each.name.split(":")[1] for each in here.glob("*:*"))
        if met.exists() or len(running) == int(os.environ["TOGETHER"]):
            break
        time.sleep(0.1)
    met.touch()
    time.sleep(1)
    running = sorted(each.name.split(":")[1] for each in here.glob("*:*"))
    with Path("seen.txt").open("a") as file:
        file.write(f"{','.join(running)}\\n")
    own.unlink()
    answers = Answers(*([Answer([item.source]) for item in part] for part in (data.dev, data.test)))
    return dict.fromkeys(members, answers)


FAMILY = CustomFamily(
    __name__,
    members={"low": 15},
    submissions={"toy-01": alone},
    has_networks=True,
    trained_by=train,
)
'''
HARMONIC = "resources/demo/inflection/harmonic.paradigms.tsv"
# Rules with one GPU per job, and families that have no networks
ONE_GPU = {
    "build_type_ii", "embed_problems", "inflect", "inflect_pooled",
    "predict_agreement", "save_states",
    "score_pairs", "score_sets", "train_agreement", "train_networks",
}  # fmt: skip
NO_NETWORKS = {"axsemantics_01", "baseline", "ua_01", "ua_03", "ua_06", "copy", "frequent"}


def make_machine(monkeypatch, folder: Path, gpus: int) -> None:
    """Make this a machine with some GPUs, named a, b, c ..."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    lines = [f"echo 'GPU {n}: NVIDIA H100 (UUID: GPU-{'abcd'[n]})'" for n in range(gpus)]
    program = folder / "nvidia-smi"
    program.write_text("\n".join(["#!/bin/sh", *lines]))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture(scope="module")
def copy(copy_workflow):
    """A copy of the workflow with the toy family, whose six jobs may all run at once."""
    copy = copy_workflow()
    (copy.folder / "workflow/kasu/inflection/systems/toy.py").write_text(TOY, encoding="utf-8")
    grid = [{"systems": ["toy"], "settings": ["low"], "members": 15}]
    language = {"name": "harmonic", "paradigms": HARMONIC}
    section = {"languages": [language], "packs": 1, "grid": grid}
    (copy.folder / "own.yaml").write_text(yaml.safe_dump({"inflection": section}))
    return copy


@pytest.mark.parametrize(
    ("gpus", "options", "together"),
    [
        (2, (), ["GPU-a", "GPU-b"]),
        # As many as the user says
        (2, ("--resources", "gpu=3", "downloads=1"), ["GPU-a", "GPU-a", "GPU-b"]),
        # As many as there are cores
        (0, (), ["none"] * 4),
        (2, ("device=cpu",), ["none"] * 4),
    ],
    ids=["two", "declared", "none", "cpu"],
)
def test_as_many_jobs_run_at_once_as_there_are_gpus(
    copy, monkeypatch, tmp_path, gpus, options, together
):
    make_machine(monkeypatch, tmp_path, gpus)
    monkeypatch.setenv("TOGETHER", str(len(together)))
    members = copy.folder / "results/demo/inflection/members"
    for folder in (members, copy.folder / "running"):
        shutil.rmtree(folder, ignore_errors=True)
    (copy.folder / "running").mkdir()
    seen = copy.folder / "seen.txt"
    seen.unlink(missing_ok=True)
    targets = [
        f"{members.relative_to(copy.folder)}/toy/low/0-{block}.parquet" for block in range(6)
    ]
    files = ("--configfile", "small.yaml", "own.yaml", "--cores", "4")
    done = copy.run(*targets, config=(*options, *files))
    assert done.returncode == 0, done.stderr
    found = [line.split(",") for line in seen.read_text().splitlines()]
    assert len(found) == 6
    assert max(found, key=len) == together


def read_plan(copy) -> list[tuple[str, str, str]]:
    """Rule, outputs and GPUs of each job at the papers' sizes, sorted; pretraining on four GPUs.

    All languages of a task are one pack: jobs of further packs are the same.
    """
    own = {"pretraining": {"gpus": 4}, "inflection": {"packs": 1}, "cloze": {"packs": 1}}
    (copy.folder / "four.yaml").write_text(yaml.safe_dump(own))
    done = copy.run("-n", config=("--configfile", "config/paper.yaml", "four.yaml"))
    assert done.returncode == 0, done.stderr
    jobs = re.findall(r"^rule (\w+):\n((?: +.*\n)*)", done.stdout, re.MULTILINE)
    return sorted(
        (
            rule,
            "".join(re.findall(r"output: (.*)", facts)),
            "".join(re.findall(r" gpu=(\d)", facts)),
        )
        for rule, facts in jobs
    )


def test_the_plan_at_the_papers_sizes_is_the_same_with_one_gpu_and_with_four(
    copy_workflow, monkeypatch, tmp_path
):
    copy = copy_workflow()
    make_machine(monkeypatch, tmp_path, 1)
    one = read_plan(copy)
    make_machine(monkeypatch, tmp_path, 4)
    four = read_plan(copy)
    assert len(one) > 1000
    assert {rule for rule, _, gpus in one if gpus == "1"} == ONE_GPU | {"pretrain_checkpoint"}
    assert {rule for rule, _, gpus in four if gpus == "1"} == ONE_GPU
    # A training that is spread over GPUs takes as many as there are
    assert {rule for rule, _, gpus in four if gpus == "4"} == {"pretrain_checkpoint"}
    assert [job[:2] for job in one] == [job[:2] for job in four]
    members = [output for _, output, gpus in four if gpus == "0"]
    assert {output.split("/members/")[1].split("/")[0] for output in members} == NO_NETWORKS
