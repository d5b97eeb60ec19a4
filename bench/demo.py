"""What the demo costs, and how much of that is Snakemake itself.

Runs everything in a copy of the workflow, where nothing has run. Snakemake plans and starts jobs in
one process of its own, whose CPU time is told from that of the jobs. It works while jobs run, so it
delays them by less than its share of the wall time.
"""

import math
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import psutil
from measuring import row
from planning import copy_workflow

from kasu.base.errors import KasuError
from kasu.job.run import cpu_count

PAUSE = 0.2  # seconds between two looks at the process


class Run(NamedTuple):
    """A run of the demo: seconds of the day, CPU seconds of Snakemake itself and of its jobs."""

    wall: float
    own: float
    jobs: float


def run_demo(arguments: Sequence[str] = (), limit: float = math.inf) -> Run:
    """Run the demo in a copy of the workflow.

    Args:
        arguments: of Snakemake, besides the number of cores.
        limit: seconds after which the run is cut off.

    Raises:
        KasuError: the run takes longer.
        RuntimeError: the run fails.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile("w+", encoding="utf-8") as output,
    ):
        copy_workflow(Path(folder))
        environment = os.environ | {"PYTHONPATH": f"{folder}/workflow"}
        command = [sys.executable, "-m", "snakemake", "--cores", str(cpu_count()), *arguments]
        began = time.monotonic()
        run = psutil.Popen(command, cwd=folder, env=environment, stdout=output, stderr=output)
        while run.poll() is None:
            spent = run.cpu_times()
            if time.monotonic() - began > limit:
                run.terminate()
                run.wait()
                raise KasuError("the demo", f"not at its end after {limit:g} s")
            time.sleep(PAUSE)
        wall = time.monotonic() - began
        output.seek(0)
        if run.returncode:
            raise RuntimeError(output.read()[-2000:])
    own, jobs = spent.user + spent.system, spent.children_user + spent.children_system
    return Run(wall, own, jobs)


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """One figure: CPU seconds of Snakemake itself against the wall time of the run."""
    run = run_demo()
    peer = f"wall time of the run, {run.wall:.0f} s; its jobs, {run.jobs:.0f} CPU-s"
    return [row("the demo: Snakemake itself", run.own, "CPU-s", peer, run.wall / run.own)]
