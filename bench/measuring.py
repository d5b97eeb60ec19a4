"""Rows of figures, and the memory of a process tree."""

from multiprocessing import Process

import psutil

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
