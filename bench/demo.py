"""What the demo costs, and how much of that is Snakemake itself.

Runs everything in a copy of the workflow, where nothing has run. Snakemake plans and starts jobs in
one process of its own, whose CPU time is told from that of the jobs. It works while jobs run, so it
delays them by less than its share of the wall time.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import psutil
from measuring import row
from planning import copy_workflow

from kasu.job.run import cpu_count

PAUSE = 0.2  # seconds between two looks at the process


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """One figure: CPU seconds of Snakemake itself against the wall time of the run.

    Raises:
        RuntimeError: the run fails.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile("w+", encoding="utf-8") as output,
    ):
        copy_workflow(Path(folder))
        environment = os.environ | {"PYTHONPATH": f"{folder}/workflow"}
        command = [sys.executable, "-m", "snakemake", "--cores", str(cpu_count())]
        began = time.monotonic()
        run = psutil.Popen(command, cwd=folder, env=environment, stdout=output, stderr=output)
        while run.poll() is None:
            spent = run.cpu_times()
            time.sleep(PAUSE)
        wall = time.monotonic() - began
        output.seek(0)
        if run.returncode:
            raise RuntimeError(output.read()[-2000:])
    own = spent.user + spent.system
    jobs = spent.children_user + spent.children_system
    peer = f"wall time of the run, {wall:.0f} s; its jobs, {jobs:.0f} CPU-s"
    return [row("the demo: Snakemake itself", own, "CPU-s", peer, wall / own)]
