"""Through Slurm, on a real node, the workflow makes the bytes that it makes without."""

import re
import subprocess
import time
from pathlib import Path

import pytest

from kasu.compare.folders import Options, compare_folders

pytestmark = pytest.mark.workflow

RESULTS = "results/demo"
SUBMITTED = re.compile(r"submitted with SLURM jobid (\d+)")


def submitted(copy) -> int:
    """How many jobs Slurm was given so far, by the complete logs."""
    logs = (copy.folder / ".snakemake/log").glob("*.log")
    return sum(len(SUBMITTED.findall(log.read_text())) for log in logs)


def differing(one: Path, other: Path) -> list[str]:
    found = list(compare_folders(one / RESULTS, other / RESULTS, Options()))
    assert found
    return [f"{each.path}: {each.state}" for each in found if each.state != "equal"]


def test_a_study_through_slurm(started, copy_workflow, local):
    copy = copy_workflow()
    with started(copy, copy.command("agreement")) as run:
        assert run.wait(600) == 0
    # Twelve jobs, and the training again with more memory
    assert submitted(copy) == 13
    said = (copy.folder / "run.log").read_text()
    assert not SUBMITTED.search(said)
    assert re.search(r"^\[17/17\] agreement  ", said, re.MULTILINE), said
    # The treebank alone, which the study does not read
    assert {each.partition(": ")[2] for each in differing(copy.folder, local.folder)} == {
        "only in NEW"
    }
    # Not even what reads a download, whose hash was not known when the run was planned
    assert copy.planned("agreement") == set()


def test_a_job_through_the_generic_profile(started, copy_workflow, local, treebank):
    copy = copy_workflow()
    with started(copy, copy.command(treebank), "generic") as run:
        assert run.wait(300) == 0
    (log,) = (copy.folder / ".snakemake/log").glob("*.log")
    assert "Submitted job" in log.read_text()
    assert (copy.folder / treebank).read_bytes() == (local.folder / treebank).read_bytes()


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
    cluster.start("slurmctld")
    cluster.ask("scancel", sleeping)


@pytest.mark.cluster
def test_the_demo_through_slurm_whose_controller_stops_midway(cluster, started, copy_workflow):
    local, copy = copy_workflow(), copy_workflow()
    command = [*copy.command()[:3], "--cores", "2"]
    subprocess.run(command, cwd=local.folder, env=local.environment, check=True)
    with started(copy, command) as run:
        while submitted(copy) < 40:
            assert run.poll() is None
            time.sleep(1)
        cluster.stop("slurmctld")
        time.sleep(60)
        cluster.start("slurmctld")
        _wait_while_it_goes_on(copy, run)
    # As docs/faults.md says: whatever became of the first run, the same command finishes
    done = subprocess.run(
        [*command, "--profile", "profiles/slurm"],
        cwd=copy.folder, capture_output=True, text=True, check=False,
        env=copy.environment | {"SLURM_CONF": cluster.environment["SLURM_CONF"]},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    print(f"{submitted(copy)} jobs")
    assert differing(local.folder, copy.folder) == []
    again = subprocess.run(
        [*command, "-n"],
        cwd=copy.folder, capture_output=True, text=True, check=True, env=copy.environment,
    )  # fmt: skip
    assert "Nothing to be done" in again.stdout + again.stderr


def _wait_while_it_goes_on(copy, run: subprocess.Popen) -> None:
    """Wait for the end of a run; kill one that submits nothing for minutes."""
    count, since = submitted(copy), time.monotonic()
    while run.poll() is None:
        time.sleep(1)
        if submitted(copy) > count:
            count, since = submitted(copy), time.monotonic()
        elif time.monotonic() - since > 180:
            run.kill()
