"""Helpers of what measures: rows of figures, commit, processor, the memory of a process tree."""

import platform
import subprocess
from multiprocessing import Process
from pathlib import Path

import psutil
import torch

FIGURES = ("item", "value", "unit", "peer", "ratio", "peak_mb")


def row(
    item: str,
    value: float,
    unit: str,
    peer: str,
    ratio: float | None = None,
    peak: float | None = None,
) -> dict[str, object]:
    """A row: our value, the peer and its value, by how much ours is better, memory in MB."""
    figures = (item, round(value, 3), unit, peer, ratio and round(ratio, 2), peak and round(peak))
    return dict(zip(FIGURES, figures, strict=True))


def commit() -> str:
    """The measured commit, with `+` if the tree differs from it; empty without git."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
        cwd=Path(__file__).resolve().parent,
        capture_output=True,
        text=True,
    )
    return described.stdout.strip()


def processor(facts: Path = Path("/proc/cpuinfo")) -> str:
    """What networks compute on: model and instruction set, as torch sees it, and a GPU if any."""
    lines = facts.read_text("utf-8").splitlines() if facts.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    parts = [next(models, platform.machine()), torch.backends.cpu.get_cpu_capability()]
    if torch.cuda.is_available():
        parts.append(torch.cuda.get_device_name())
    return ", ".join(parts)


def peak_memory(process: Process) -> float:
    """Wait for a process; return the peak memory in MB of it and its children together.

    Shared pages count once (proportional set size).
    """
    peak = 0.0
    while process.is_alive():
        peak = max(peak, _tree_memory(process.pid))
        process.join(0.05)
    return peak


def _tree_memory(pid: int) -> float:
    total = 0
    try:
        top = psutil.Process(pid)
        for process in (top, *top.children(recursive=True)):
            total += process.memory_full_info().pss
    except psutil.Error:
        pass
    return total / 2**20
