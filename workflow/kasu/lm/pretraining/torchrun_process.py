"""Train to a checkpoint in several processes: `launch` starts them, and each runs `main`."""

import json
import logging
import os
import re
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.limits import expected_failure, heeding_cpu_time
from kasu.files.tables import write_text
from kasu.job.gpus import take_gpus
from kasu.job.run import die_with_parent, how_it_ended, log
from kasu.lm.pretraining.pretrain import CheckpointJob, pretrain_checkpoint

MODULE = "kasu.lm.pretraining.torchrun_process"  # `__name__` differs in the processes themselves
PID = "pid"  # the file, beside that of the job, with the number of torchrun
# In what torchrun prints: the signal that killed the first process, after which it ends the others
_KILLED = re.compile(r"Root Cause.*?exitcode +: (-\d+)", re.DOTALL)


def launch(job: CheckpointJob, processes: int) -> None:
    """Run `pretrain_checkpoint` in several processes of this machine, one device each.

    The log of process 0 is passed on to this log, and the stderr of all if one fails unexpectedly.
    All of them end when this process ends.

    Raises:
        KasuError: one of them raised it, was killed, or failed unexpectedly.
    """
    if job.device != "cpu":
        take_gpus(processes)
    with tempfile.TemporaryDirectory() as name:
        given, failed = Path(name, "job.json"), Path(name, "error")
        given.write_text(json.dumps(vars(job), default=str), encoding="utf-8")
        # The new processes do not know this one's sys.path, only its environment
        package = str(Path(__file__).resolve().parents[3])
        path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
        command = [
            sys.executable, "-m", "torch.distributed.run", "--standalone",
            f"--nproc-per-node={processes}", "-m", MODULE, str(given), str(failed),
        ]  # fmt: skip
        with (
            Path(name, "stderr").open("w+", encoding="utf-8", errors="replace") as errors,
            subprocess.Popen(
                command,
                env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
                preexec_fn=partial(_begin, os.getpid(), Path(name, PID)),
                stdout=subprocess.PIPE, stderr=errors, encoding="utf-8", errors="replace",
            ) as torchrun,
        ):  # fmt: skip
            for line in torchrun.stdout or ():
                log.info("%s", line.rstrip())
            status = torchrun.wait()
            if failed.exists():
                raise KasuError(*json.loads(failed.read_text(encoding="utf-8")))
            errors.seek(0)
            said = errors.read() if status else ""
            for line in said.splitlines():
                log.info("%s", line.rstrip())
        if killed := _KILLED.search(said):
            status = int(killed[1])
        if status < 0:
            raise KasuError("torchrun", how_it_ended(status), "more memory, or fewer processes")
        if status:
            raise KasuError("torchrun", f"ended with status {status} (see above)", "status 0")


def _begin(parent: int, pid: Path) -> None:
    """Prepare a process before it becomes torchrun."""
    die_with_parent(parent)
    pid.write_text(str(os.getpid()), encoding="utf-8")


def main(given: str, failed: str) -> None:
    """Run the job of a JSON file; write an expected failure to `failed`, for `launch` to raise.

    Only process 0 logs its progress, to stdout; stderr is for failures.
    """
    log.setLevel(logging.INFO if os.environ.get("RANK", "0") == "0" else logging.ERROR)
    log.addHandler(logging.StreamHandler(sys.stdout))
    try:
        job = CheckpointJob(**json.loads(Path(given).read_text(encoding="utf-8")))
        with heeding_cpu_time():
            pretrain_checkpoint(job)
    except BaseException as error:  # a panic of a library is no Exception
        expected = error if isinstance(error, KasuError) else expected_failure(error)
        if expected is None:
            raise
        where, _, found = str(expected).partition(": ")
        write_text(failed, json.dumps([where, found]))
        sys.exit(1)


if __name__ == "__main__":
    # Not getppid(): torchrun may have died while this process imported torch
    die_with_parent(int(Path(sys.argv[1]).with_name(PID).read_text(encoding="utf-8")))
    main(*sys.argv[1:])
