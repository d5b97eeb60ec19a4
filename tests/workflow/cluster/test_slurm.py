"""Through Slurm, on a real node, the workflow makes the bytes that it makes without."""

import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from kasu.base.compare import Options, compare_folders

pytestmark = pytest.mark.workflow

RESULTS = "results/demo"
SUBMITTED = re.compile(r"submitted with SLURM jobid (\d+)")
# Too little for a training at first, so that Slurm kills it
SCARCE = "100 if attempt == 1 else 2000"


def small_node(text: str) -> str:
    """Edit what rules need, as the profile's comments say: a small node without a GPU."""
    profile = yaml.safe_load(text)
    for resources in profile["set-resources"].values():
        resources |= {"mem_mb": 2000, "runtime": 30}
        if "gpu" in resources:
            resources["gpu"] = 0
    profile["set-resources"]["train_agreement"]["mem_mb"] = SCARCE
    return yaml.safe_dump(profile)


def without_accounts(text: str) -> str:
    """Edit a cluster's profile: no accounts, no accounting to ask, no slow file system."""
    profile = yaml.safe_load(text)
    profile["default-resources"] |= {"mem_mb": 500, "runtime": 30}
    profile["latency-wait"] = 5
    if profile["executor"] == "slurm":
        profile["default-resources"] |= {"slurm_account": "test", "slurm_partition": "main"}
        profile["slurm-status-command"] = "squeue"
        profile["slurm-init-seconds-before-status-checks"] = 1
    profile["seconds-between-status-checks"] = 1
    return yaml.safe_dump(profile)


@contextmanager
def started(copy, cluster, command: list[str], name="slurm") -> Iterator[subprocess.Popen]:
    """Snakemake with an adapted profile, ended at the end; its log is `run.log`."""
    copy.edit("profiles/default/config.yaml", small_node)
    copy.edit(f"profiles/{name}/config.yaml", without_accounts)
    with (copy.folder / "run.log").open("w") as log:
        run = subprocess.Popen(
            [*command, "--profile", f"profiles/{name}"],
            cwd=copy.folder, stdout=log, stderr=log,
            env=copy.environment | {"SLURM_CONF": cluster.environment["SLURM_CONF"]},
        )  # fmt: skip
    try:
        yield run
    finally:
        run.terminate()
        run.wait(60)


def submitted(copy) -> int:
    """How many jobs Slurm was given so far."""
    return len(SUBMITTED.findall((copy.folder / "run.log").read_text()))


def differing(one: Path, other: Path) -> list[str]:
    found = list(compare_folders(one / RESULTS, other / RESULTS, Options()))
    assert found
    return [f"{each.path}: {each.state}" for each in found if each.state != "equal"]


def test_a_study_through_slurm(cluster, copy_workflow, demo):
    copy = copy_workflow()
    with started(copy, cluster, copy.command("agreement")) as run:
        assert run.wait(600) == 0
    # Eleven jobs, and the training again with more memory
    assert submitted(copy) == 12
    assert {each.partition(": ")[2] for each in differing(copy.folder, demo.folder)} == {
        "only in NEW"
    }
    assert copy.planned("agreement") == set()


def test_a_job_through_the_generic_profile(cluster, copy_workflow, demo):
    copy = copy_workflow()
    target = f"{RESULTS}/treebanks/ka_demo-ud.parquet"
    with started(copy, cluster, copy.command(target), "generic") as run:
        assert run.wait(300) == 0
    assert "Submitted job" in (copy.folder / "run.log").read_text()
    assert (copy.folder / target).read_bytes() == (demo.folder / target).read_bytes()


def test_the_script_of_the_generic_profile_says_what_became_of_a_job(cluster, copy_workflow):
    folder = copy_workflow().folder

    def submit(*command: str) -> str:
        return cluster.ask("sbatch", "--parsable", "--output=/dev/null", "--mem=100", *command)

    def status(number: str) -> str:
        return cluster.ask("sh", str(folder / "profiles/generic/status.sh"), number)

    assert status(submit("--wait", "--wrap=true")) == "success"
    assert status(submit("--wait", "--wrap=false")) == "failed"
    assert status("999999") == "failed"
    sleeping = submit("--wrap=sleep 60")
    assert status(sleeping) == "running"
    cluster.stop("slurmctld")
    assert status(sleeping) == "running"
    cluster.start_controller()
    cluster.ask("scancel", sleeping)


@pytest.mark.cluster
def test_the_demo_through_slurm_whose_controller_stops_midway(cluster, copy_workflow):
    local, copy = copy_workflow(), copy_workflow()
    command = [*copy.command()[:3], "--cores", "2"]
    subprocess.run(command, cwd=local.folder, env=local.environment, check=True)
    with started(copy, cluster, command) as run:
        while submitted(copy) < 40:
            assert run.poll() is None
            time.sleep(1)
        cluster.stop("slurmctld")
        time.sleep(60)
        cluster.start_controller()
        assert run.wait(7200) == 0
    print(f"{submitted(copy)} jobs")
    assert differing(local.folder, copy.folder) == []
