"""Run all benchmarks (`python bench`) or some (`python bench training`); write results/bench.tsv.

Each of BENCHMARKS is a script of this folder. Its function `rows(mirror)` measures Kasu against a
peer in the same run and returns rows of FIGURES. `mirror` is the folder of real data that
KASU_MIRROR names; if None, it measures on the demo. Trust the ratios: absolute figures of another
machine, or of another hour, are not comparable.

Each of LONG runs only by name (`python bench sizes`). Its function `parts(mirror, scale)` returns
parts by name (see `measuring.Part`). The rows of a part are in results/bench-<name>.tsv as soon as
it ends, and a run at the same commit on the same machine goes on where the last one stopped. A part
that fails is one line, and costs no other. `--scale 0.01` tries it at a hundredth of its sizes.
"""

import argparse
import importlib
import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TypeVar

from measuring import FIGURES

from kasu.base.errors import KasuError
from kasu.base.limits import expected_failure
from kasu.base.package import commit
from kasu.files.tables import read_tsv, write_tsv
from kasu.job.run import cpu_count
from kasu.record.provenance import processor_model

HERE = Path(__file__).resolve().parent
OUT = HERE.parent / "results" / "bench.tsv"
BENCHMARKS = (
    "analysis",
    "extraction",
    "training",
    "agreement",
    "recurrent",
    "backward",
    "inflection",
    "transduction",
    "transducer",
    "cloze",
    "sequences",
    "members",
    "planning",
    "demo",
    "query",
    "blm_generate",
    "blm_encode",
    "blm_train",
    "scoring",
    "audit",
    "pretraining",
    "pretraining_gpu",
)
LONG = ("sizes", "gpu")
Row = Mapping[str, object]
R = TypeVar("R")


def in_process(function: Callable[..., R], *arguments: object) -> R:
    """Call a function in a process of its own, whose peak memory is its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        return pool.submit(function, *arguments).result()


def _rows(name: str, mirror: Path | None) -> list[Row]:
    return importlib.import_module(name).rows(mirror)


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
        except Exception as error:
            if not (line := _line(error)):
                raise
            print(f"error: {name}, {part}: {line}", file=sys.stderr, flush=True)
            failed.append(part)
            continue
        for row in found:
            rows.append({"part": part, **row, **facts})
            _print(row)
        write_tsv(out, rows, columns)
    return failed


def _line(error: Exception) -> str:
    """An expected failure in a line; nothing for a bug."""
    if isinstance(error, BrokenProcessPool):
        return "its process was killed, perhaps for memory"
    return str(error) if isinstance(error, KasuError) else str(expected_failure(error) or "")


def _print(row: Row) -> None:
    print("\t".join("" if row[key] is None else str(row[key]) for key in FIGURES), flush=True)


def main(arguments: Sequence[str]) -> None:
    """Run the named benchmarks, by default those of BENCHMARKS."""
    parser = argparse.ArgumentParser(prog="python bench", allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--scale", type=float, default=1, help=f"of the sizes of {LONG}")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.names) - {*BENCHMARKS, *LONG}:
        known = ", ".join((*BENCHMARKS, *LONG))
        sys.exit(f"error: no benchmark {min(unknown)!r}; there are {known}")
    if not 0 < asked.scale <= 1:
        sys.exit(f"error: --scale {asked.scale:g}; expected a number over 0, at most 1")
    mirror = Path(os.environ["KASU_MIRROR"]).resolve() if "KASU_MIRROR" in os.environ else None
    where = {"machine": f"{processor_model()}, {cpu_count()} cores", "commit": commit()}
    failed = []
    for name in [name for name in asked.names if name in LONG]:
        out = OUT.with_name(f"bench-{name}.tsv")
        failed += run_parts(name, mirror, asked.scale, where, out)
        print(f"The table: {out}")
    if short := [name for name in asked.names or BENCHMARKS if name in BENCHMARKS]:
        run_short(short, mirror, where)
    if failed:
        sys.exit(f"error: not measured: {', '.join(failed)}; the next run tries these alone")


def run_short(names: Sequence[str], mirror: Path | None, where: Mapping[str, str]) -> None:
    """Run some of BENCHMARKS, and write their rows."""
    rows = []
    for name in names:
        print(f"{name} ...", flush=True)
        for row in in_process(_rows, name, mirror):
            rows.append({**row, **where})
            _print(row)
        write_tsv(OUT, rows, (*FIGURES, *where))
    print(f"The table: {OUT}")


if __name__ == "__main__":
    main(sys.argv[1:])
