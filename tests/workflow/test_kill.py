"""SIGKILL in the middle, then a plain run: the same bytes as if nothing had happened."""

import hashlib
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.workflow

FILES = {
    "extract_wikipedia": "corpora/wikis/euwiki-demo-pages-articles/sentences.parquet",
    "analyse_corpus": "corpora/demo/analyses.parquet",
    "train_agreement": "agreement/models/verb_number/bilstm/demo-base.safetensors",
    "inflect": "inflection/members/iitbhu/low/0-0.parquet",
}
# What shows that the job is at work: its file in the making, or its first state
SIGNS = {
    "extract_wikipedia": "corpora/wikis/*/.sentences.parquet.*.part",
    "analyse_corpus": "corpora/demo/.analyses.parquet.*.part",
    "train_agreement": "agreement/work/verb_number-bilstm-demo-base/*",
    "inflect": "inflection/work/iitbhu-low-0-0/*/states/*.pt",
}


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wait_for(folder: Path, pattern: str, process: subprocess.Popen) -> None:
    for _ in range(30_000):  # five minutes at most
        if next(folder.glob(pattern), None):
            return
        assert process.poll() is None, "the run ended before the job was seen at work"
        time.sleep(0.01)
    pytest.fail(f"no {pattern} in five minutes")


def kill_jobs(script: str, folder: Path) -> int:
    """SIGKILL every process that runs `script` for the workflow in `folder`."""
    killed = 0
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_bytes().decode(errors="replace")
            here = (entry / "cwd").readlink() == folder
        except OSError:
            continue  # it has ended meanwhile
        if here and f"{script}.py" in command and "bash" not in command:
            os.kill(int(entry.name), signal.SIGKILL)
            killed += 1
    return killed


@pytest.mark.parametrize("whole", [False, True], ids=["job", "snakemake"])
@pytest.mark.parametrize("rule", FILES)
def test_plain_run_after_a_kill_gives_the_same_bytes(demo, copy_workflow, rule, whole):
    target = f"results/demo/{FILES[rule]}"
    copy = copy_workflow()
    process = subprocess.Popen(
        copy.command(target),
        cwd=copy.folder,
        env=copy.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_for(copy.folder / "results/demo", SIGNS[rule], process)
    if whole:
        process.kill()
    assert kill_jobs(rule, copy.folder) > 0
    assert process.wait(timeout=60) != 0
    assert not (copy.folder / target).exists()
    done = copy.run(target)
    assert done.returncode == 0, done.stderr
    assert digest(copy.folder / target) == digest(demo.folder / target)
