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
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from in_parts import in_process, run_parts
from measuring import FIGURES, Row, print_row

from kasu.base.errors import KasuError
from kasu.base.package import commit
from kasu.files.tables import write_tsv
from kasu.job.run import cpu_count
from kasu.records.provenance import processor, processor_model

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


def _rows(name: str, mirror: Path | None) -> list[Row]:
    return importlib.import_module(name).rows(mirror)


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
    cores = f"{cpu_count()} cores"
    where = {"machine": f"{processor_model()}, {cores}", "commit": commit()}
    failed = []
    for name in [name for name in asked.names if name in LONG]:
        out = OUT.with_name(f"bench-{name}.tsv")
        with_gpu = {**where, "machine": f"{in_process(processor)}, {cores}"}
        try:
            failed += run_parts(name, mirror, asked.scale, with_gpu, out)
        except KasuError as error:
            sys.exit(f"error: {name}: {error}")
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
            print_row(row)
        write_tsv(OUT, rows, (*FIGURES, *where))
    print(f"The table: {OUT}")


if __name__ == "__main__":
    main(sys.argv[1:])
