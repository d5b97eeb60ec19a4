"""Through Slurm, on a real node, the workflow makes the bytes that it makes without."""

import re
import subprocess
import time
from pathlib import Path

import pytest
import yaml

from kasu.base.compare import Options, compare_folders

pytestmark = pytest.mark.workflow

RESULTS = "results/demo"
SUBMITTED = re.compile(r"submitted with SLURM jobid (\d+)")
# Too little for a training at first, so that Slurm kills it
SCARCE = "100 if attempt == 1 else 2000"


def adapt(text: str) -> str:
    """Edit the profile as its comments say, for a small cluster without accounts and GPUs."""
    profile = yaml.safe_load(text)
    here = {"mem_mb": 500, "runtime": 10}
    profile["default-resources"] |= here | {"slurm_account": "test", "slurm_partition": "main"}
    for resources in profile["set-resources"].values():
        resources |= here | {"mem_mb": 2000}
        if "gpu" in resources:
            resources["gpu"] = 0
    profile["set-resources"]["train_verb_number"]["mem_mb"] = SCARCE
    # There is no accounting to ask, and no slow file system to wait for
    profile |= {"slurm-status-command": "squeue", "latency-wait": 5}
    profile |= {"slurm-init-seconds-before-status-checks": 1, "seconds-between-status-checks": 1}
    return yaml.safe_dump(profile)


def start(copy, cluster, command: list[str]) -> subprocess.Popen:
    """Start Snakemake with the adapted profile; its log is `run.log`."""
    copy.edit("profiles/slurm/config.yaml", adapt)
    with (copy.folder / "run.log").open("w") as log:
        return subprocess.Popen(
            [*command, "--profile", "profiles/slurm"],
            cwd=copy.folder, stdout=log, stderr=log,
            env=copy.environment | {"SLURM_CONF": cluster.environment["SLURM_CONF"]},
        )  # fmt: skip


def submitted(copy) -> int:
    """How many jobs Slurm was given so far."""
    return len(SUBMITTED.findall((copy.folder / "run.log").read_text()))


def differing(one: Path, other: Path) -> list[str]:
    found = list(compare_folders(one / RESULTS, other / RESULTS, Options()))
    assert found
    return [f"{each.path}: {each.state}" for each in found if each.state != "equal"]


def test_a_study_through_slurm(cluster, copy_workflow, demo):
    copy = copy_workflow()
    assert start(copy, cluster, copy.command("agreement")).wait(600) == 0
    # Nine jobs, and the training again with more memory
    assert submitted(copy) == 10
    assert {each.partition(": ")[2] for each in differing(copy.folder, demo.folder)} == {
        "only in NEW"
    }
    assert copy.planned("agreement") == set()


@pytest.mark.cluster
def test_the_demo_through_slurm_whose_controller_stops_midway(cluster, copy_workflow):
    local, copy = copy_workflow(), copy_workflow()
    command = [*copy.command()[:3], "--cores", "2"]
    subprocess.run(command, cwd=local.folder, env=local.environment, check=True)
    run = start(copy, cluster, command)
    while submitted(copy) < 40:
        assert run.poll() is None
        time.sleep(1)
    cluster.stop("slurmctld")
    time.sleep(60)
    cluster.start_controller()
    assert run.wait(1800) == 0
    print(f"{submitted(copy)} jobs")
    assert differing(local.folder, copy.folder) == []
