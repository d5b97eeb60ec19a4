"""What a plan costs: CPU seconds of a dry run, next to one of an empty workflow in the same run.

Three plans: the demo in this folder, which has nothing to do once it is finished; the study
`inflection` with 27 copies of the baseline in 12 packs over the languages of the mirror (over all
released ones without a mirror); and everything at the papers' sizes. The last two are planned in a
copy of the workflow where nothing has run.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from measuring import row

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("Snakefile", "config", "envs", "profiles", "resources", "workflow")
COPIES, PACKS = 27, 12
TURNS = 3
EMPTY = "rule all:\n"


class Cost(NamedTuple):
    """The median cost of a plan: CPU seconds, peak memory in MB, and the jobs that it lists."""

    seconds: float
    peak: float
    jobs: int


def plan(folder: Path, *arguments: str) -> Cost:
    """Plan TURNS times in a folder.

    Raises:
        RuntimeError: Snakemake fails.
    """
    python = {"PYTHONPATH": str(folder / "workflow")}
    environment = {key: os.environ[key] for key in os.environ if key != "PYTHONPATH"} | python
    command = [sys.executable, "-m", "snakemake", *arguments, "-n", "--cores", "1"]
    turns = []
    for _ in range(TURNS):
        with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            printed = output.read()
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)}: {printed[-2000:]}")
        jobs = re.search(r"^total +(\d+)$", printed, re.MULTILINE)
        turns.append((usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))
    seconds, peak = (median(figures) for figures in zip(*turns, strict=True))
    return Cost(seconds, peak, int(jobs[1]) if jobs else 0)


def copy_workflow(folder: Path) -> None:
    """Copy the workflow, without downloads and results."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            ignored = shutil.ignore_patterns("downloads", "__pycache__")
            shutil.copytree(source, folder / part, ignore=ignored)
        else:
            shutil.copy(source, folder / part)


def add_copies(folder: Path) -> None:
    """Add copies of the baseline to a copy of the workflow."""
    systems = folder / "workflow" / "kasu" / "inflection" / "systems"
    text = (systems / "baseline.py").read_text(encoding="utf-8")
    for name in copies():
        own = text.replace('submissions={"baseline"', f'submissions={{"{name}"')
        (systems / f"{name}.py").write_text(own, encoding="utf-8")


def copies() -> list[str]:
    """The names of the copies."""
    return [f"copy_{number:02}" for number in range(1, COPIES + 1)]


def inflection_config(mirror: Path | None) -> str:
    """A config of all copies, over the languages of the mirror if there is one."""
    languages = "available" if mirror else "all"
    return (
        f"results: results/copies\ninflection:\n  languages: [{languages}]\n  packs: {PACKS}\n"
        f"  grid: [{{systems: [{', '.join(copies())}]}}]\n"
    )


def cost_row(name: str, cost: Cost, empty: Cost) -> dict[str, object]:
    """A figure: CPU seconds of a plan, and how many times those of an empty workflow."""
    peer = f"an empty workflow, {empty.seconds:.2f}"
    item = f"plan: {name}, {cost.jobs} jobs"
    return row(item, cost.seconds, "CPU-s", peer, empty.seconds / cost.seconds, cost.peak)


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """One figure per plan."""
    with tempfile.TemporaryDirectory() as made:
        empty, copy = Path(made) / "empty", Path(made) / "copy"
        empty.mkdir()
        copy.mkdir()
        (empty / "Snakefile").write_text(EMPTY)
        copy_workflow(copy)
        add_copies(copy)
        (copy / "copies.yaml").write_text(inflection_config(mirror))
        alone = plan(empty)
        mirrors: Sequence[str] = ("--config", f"mirror={mirror}") if mirror else ()
        families = plan(copy, "inflection", "--configfile", "copies.yaml", *mirrors)
        paper = plan(copy, "--configfile", "config/paper.yaml")
    return [
        cost_row("the demo as it stands here", plan(ROOT), alone),
        cost_row(f"inflection, {COPIES} systems, {PACKS} packs", families, alone),
        cost_row("config/paper.yaml", paper, alone),
    ]
