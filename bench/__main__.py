"""Run all benchmarks (`python bench`) or some (`python bench training`); write results/bench.tsv.

Each of BENCHMARKS is a script of this folder. Its function `rows(mirror)` measures Kasu against a
peer in the same run and returns rows of FIGURES. `mirror` is the folder of real data that
KASU_MIRROR names; if None, it measures on the demo. Trust the ratios: absolute figures of another
machine, or of another hour, are not comparable.
"""

import importlib
import multiprocessing
import os
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from measuring import FIGURES

from kasu.base.package import commit
from kasu.files.tables import write_tsv
from kasu.job.run import cpu_count
from kasu.records.provenance import processor_model

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


def measure(name: str, mirror: Path | None) -> list[Mapping[str, object]]:
    """Run one benchmark in its own process, so that peak memory is measured for it alone."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        return pool.submit(_rows, name, mirror).result()


def _rows(name: str, mirror: Path | None) -> list[Mapping[str, object]]:
    return importlib.import_module(name).rows(mirror)


def main(names: list[str]) -> None:
    """Run the named benchmarks, by default all."""
    if unknown := set(names) - set(BENCHMARKS):
        sys.exit(f"error: no benchmark {min(unknown)!r}; there are {', '.join(BENCHMARKS)}")
    mirror = Path(os.environ["KASU_MIRROR"]).resolve() if "KASU_MIRROR" in os.environ else None
    where = {"machine": f"{processor_model()}, {cpu_count()} cores", "commit": commit()}
    rows = []
    for name in names or BENCHMARKS:
        print(f"{name} ...", flush=True)
        for row in measure(name, mirror):
            rows.append({**row, **where})
            print("\t".join("" if row[key] is None else str(row[key]) for key in FIGURES))
    write_tsv(OUT, rows, (*FIGURES, *where))
    print(f"The table: {OUT}")


if __name__ == "__main__":
    main(sys.argv[1:])
