"""Rows of figures, and what a process tree costs."""

import ctypes
import logging
import multiprocessing
import os
import resource
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import NamedTuple

import psutil

from kasu.base.errors import KasuError
from kasu.job.run import how_it_ended, log

FIGURES = ("item", "value", "unit", "peer", "ratio", "peak_mb")
Row = Mapping[str, object]
Part = Callable[[Sequence[Row]], list[dict[str, object]]]
"""A part of a long benchmark: it returns its rows, and is given those of all parts so far."""
PR_SET_CHILD_SUBREAPER = 36  # Linux: linux/prctl.h


def keep_quiet() -> None:
    """Log no notes of what is measured, in this process and those that it forks."""
    log.setLevel(logging.ERROR)


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


def print_row(row: Row) -> None:
    """Print the figures of a row as a line of the table."""
    print("\t".join("" if row[key] is None else str(row[key]) for key in FIGURES), flush=True)


class Cost(NamedTuple):
    """What a process tree took: CPU and wall seconds, and the peak of its memory in MB."""

    cpu: float
    wall: float
    peak: float


def measured(function: Callable[..., object], *arguments: object, pause: float = 1) -> Cost:
    """Run a function in a process of its own; return what that and its children cost.

    Imports do not count as time. Children whose parent ends count, as lt-proc of a worker.

    Args:
        pause: seconds between two looks at the memory; short ones slow the process down.

    Raises:
        KasuError: the function fails; its process has printed why.
    """
    # Started afresh: memory of this process would count as its own
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(function, arguments, sender))
    process.start()
    sender.close()
    peak = peak_memory(process, pause)
    if process.exitcode:
        raise KasuError(function.__name__, how_it_ended(process.exitcode), "status 0")
    cpu, wall = receiver.recv()
    return Cost(cpu, wall, peak)


def _run(function: Callable[..., object], arguments: tuple, costs: Connection) -> None:
    keep_quiet()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    before, began = _cpu_seconds(), time.monotonic()
    function(*arguments)
    wall = time.monotonic() - began
    with suppress(ChildProcessError):
        while True:
            os.wait()
    costs.send((_cpu_seconds() - before, wall))


def _cpu_seconds() -> float:
    """CPU seconds of this process and of its terminated children."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def peak_memory(process: BaseProcess, pause: float = 0.05) -> float:
    """Wait for a process; return the peak memory in MB of it and its children together.

    Shared pages count once (proportional set size).
    """
    peak = 0.0
    while process.is_alive() and process.pid:
        peak = max(peak, _tree_memory(process.pid))
        process.join(pause)
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
