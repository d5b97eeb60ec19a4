"""Long benchmarks, part by part, each in a process of its own; a run goes on where one stopped."""

import importlib
import multiprocessing
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TypeVar

from measuring import FIGURES, Row, keep_quiet, print_row

from kasu.base.errors import KasuError
from kasu.base.limits import expected_failure
from kasu.files.tables import read_tsv, write_tsv

R = TypeVar("R")


def in_process(function: Callable[..., R], *arguments: object) -> R:
    """Call a function in a process of its own, whose peak memory is its own.

    Only there is the benchmark imported: a process whose parent has used CUDA cannot.
    """
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork"), keep_quiet) as pool:
        return pool.submit(function, *arguments).result()


def _names(name: str, mirror: Path | None, scale: float) -> list[str]:
    return list(importlib.import_module(name).parts(mirror, scale))


def _part(
    name: str, part: str, mirror: Path | None, scale: float, known: Sequence[Row]
) -> list[Row]:
    return importlib.import_module(name).parts(mirror, scale)[part](known)


def run_parts(
    name: str, mirror: Path | None, scale: float, where: Mapping[str, str], out: Path
) -> list[str]:
    """Measure the parts of a long benchmark that `out` lacks; return the names of those that fail.

    Rows of other commits, machines and scales are replaced.
    """
    facts = {"scale": f"{scale:g}", **where}
    columns = ("part", *FIGURES, *facts)
    known = read_tsv(out, columns) if out.exists() else []
    rows: list[Row] = [row for row in known if facts.items() <= row.items()]
    done = {row["part"] for row in rows}
    failed = []
    for part in in_process(_names, name, mirror, scale):
        if part in done:
            print(f"{name}, {part}: measured before", flush=True)
            continue
        print(f"{name}, {part} ...", flush=True)
        try:
            found = in_process(_part, name, part, mirror, scale, rows)
        except Exception as error:  # also a bug: it costs no other part
            if not (line := _line(error)):
                traceback.print_exception(error)
                line = f"a bug ({type(error).__name__})"
            print(f"error: {name}, {part}: {line}", file=sys.stderr, flush=True)
            failed.append(part)
            continue
        for row in found:
            rows.append({"part": part, **row, **facts})
            print_row(row)
        write_tsv(out, rows, columns)
    return failed


def _line(error: Exception) -> str:
    """An expected failure in a line; nothing for a bug."""
    if isinstance(error, BrokenProcessPool):
        return "its process was killed, perhaps for memory"
    return str(error) if isinstance(error, KasuError) else str(expected_failure(error) or "")
