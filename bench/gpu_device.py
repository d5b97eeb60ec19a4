"""The GPU of a measurement: one that nobody else uses and that is large enough."""

import os
import subprocess
import time

import torch

from kasu.base.errors import KasuError
from kasu.job.gpus import VISIBLE
from kasu.neural.device import pick_device

BUSY, LOOKS = 10, 6  # percent; looks half a second apart, since what ran before may still show


def expect_gpu() -> None:
    """Check that there is a GPU.

    Raises:
        KasuError: there is none that torch can use.
    """
    if not torch.cuda.is_available():
        raise KasuError("this machine", "no GPU that torch can use", "one, or --scale 0.01")


def take_device(scale: float, room: float) -> torch.device:
    """A GPU that nobody else uses, with `room` GB free; of a trial without a GPU the CPU.

    Raises:
        KasuError: it is busy, or too small.
    """
    if scale < 1 and not torch.cuda.is_available():
        return torch.device("cpu")
    device = pick_device("cuda")
    if (used := utilisation()) >= BUSY:
        raise KasuError(f"GPU {os.environ[VISIBLE]}", f"busy ({used} %)", "an idle one")
    free, _ = torch.cuda.mem_get_info()
    if free < room * scale * 1e9:
        found = f"{free / 1e9:.1f} GB free"
        raise KasuError(torch.cuda.get_device_name(), found, f"{room * scale:g} GB")
    return device


def utilisation() -> int:
    """The percentage of time that our GPU computes for others; 0 where the driver does not say."""
    if not (ours := os.environ.get(VISIBLE)):
        return 0
    command = [
        "nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits",
        f"--id={ours}",
    ]  # fmt: skip
    least = 100
    for _ in range(LOOKS):
        try:
            said = subprocess.run(command, capture_output=True, text=True, check=True)
            least = min(least, int(said.stdout))
        except (OSError, subprocess.SubprocessError, ValueError):
            return 0
        if least < BUSY:
            break
        time.sleep(0.5)
    return least
