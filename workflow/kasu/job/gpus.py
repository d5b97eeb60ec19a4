"""NVIDIA GPUs: which ones a process may use, and a different one for each process.

Nothing here imports torch, since Snakemake counts GPUs whenever it plans a run.
"""

import errno
import itertools
import os
import re
import shutil
import socket
import subprocess

from kasu.job.run import log

VISIBLE = "CUDA_VISIBLE_DEVICES"
SECONDS = 60  # that the driver has to answer

_held: list[socket.socket] = []


def visible_gpus() -> list[str]:
    """Return the GPUs that this process may use, as CUDA_VISIBLE_DEVICES names them.

    They are those of the machine that the variable names if it is set, and all if it is not.
    """
    present = _present_gpus()
    if not present or VISIBLE not in os.environ:
        return present
    named = (name.strip() for name in os.environ[VISIBLE].split(","))
    # As for CUDA, what names no GPU ends the list
    valid = itertools.takewhile(lambda name: _is_named(name, present), named)
    return list(dict.fromkeys(valid))


def _is_named(name: str, present: list[str]) -> bool:
    """Return whether CUDA takes a name for a GPU: a number, the start of a UUID, a part of one."""
    if name.isdecimal():
        return int(name) < len(present)
    whole = name.startswith("GPU-") and sum(each.startswith(name) for each in present) == 1
    return whole or name.startswith("MIG-")


def take_gpus(count: int = 1) -> None:
    """Restrict this process and those that it starts to `count` GPUs that no other one has taken.

    If there are too few, it takes those that the fewest have taken. They are its own until it ends,
    however it ends. It must ask before it starts CUDA, which reads the restriction only once; a
    process that asks again keeps what it has.
    """
    gpus = visible_gpus()
    if _held or not gpus:
        return
    chosen: list[str] = []
    # The first process on a GPU has its place 0, the next one place 1
    for place, gpu in ((place, gpu) for place in itertools.count() for gpu in gpus):
        if gpu not in chosen and _hold(f"kasu-{gpu}-{place}"):
            chosen.append(gpu)
        if len(chosen) == min(count, len(gpus)):
            break
    os.environ[VISIBLE] = ",".join(chosen)
    log.info("on GPU %s of %d", os.environ[VISIBLE], len(gpus))


def _hold(name: str) -> bool:
    """Hold a name unless another process does; return whether this one holds it.

    An abstract socket serves as a lock: only one process can bind its name, there is no file, and
    it is free again when the process is gone.
    """
    bound = socket.socket(socket.AF_UNIX)
    try:
        bound.bind(f"\0{name}")
    except OSError as error:
        bound.close()
        if error.errno != errno.EADDRINUSE:
            raise
        return False
    _held.append(bound)
    return True


def _present_gpus() -> list[str]:
    """Return the driver's GPUs in the order of their buses; none if no driver answers."""
    command = shutil.which("nvidia-smi")
    if not command:
        return []
    try:
        listed = subprocess.run(
            [command, "-L"],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return re.findall(r"^GPU \d+: .*\(UUID: (GPU-[\w-]+)\)", listed.stdout, re.MULTILINE)
