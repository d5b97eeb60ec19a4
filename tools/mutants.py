"""Mutation testing: how many faults, planted one at a time, do the tests of their own area find?

    python tools/mutants.py [--count 300] [--seed 13] [--jobs 2]

Cosmic Ray plants the faults (https://cosmic-ray.readthedocs.io); `kasu.PACKAGE` is tested by
`tests/PACKAGE` without the tests that run whole workflows. The table of all mutants and the share
killed by package go to `resources/measured`. A run that was stopped goes on where it stopped.

What is mutated: every module in a package of `workflow/kasu`, except commands and figures
(`mutations.LEFT_OUT`). Not mutated, since no test should tell the difference
(`mutations.uninteresting`): annotations, decorators, text of errors and log lines, descriptions of
settings, `zip(strict=)`, blocks that only type checkers or the command line run. `==` and `is` are
not exchanged for each other.

What is drawn: one mutant per place, the places by a hash of the seed and of what stands there,
LEAST per package and the others by how many places a package has. So a change of the code changes
the sample only where it changes the code.

What is run: the tests of the area that execute the mutated statement or have a fixture that does,
fastest first, up to the first failure; all of the area if an import or another process executes
it. What none executes survives at once. Tests that take TIMES as long as without the mutant are
stopped and count as failed. Each job works in a copy of its own of the tree as it was at the start.
"""

import argparse
import hashlib
import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import version
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from mutant_tests import Area, copy_tree, plant, read_area, settle, statement, survey
from mutations import LEAST, LIBRARY, draw, modules, places, rank, versions

from kasu.base.package import commit
from kasu.files.tables import file_hash, read_tsv, write_text, write_tsv

if TYPE_CHECKING:
    from cosmic_ray.work_db import WorkDB
    from cosmic_ray.work_item import WorkItem, WorkResult

ROOT = Path(__file__).resolve().parent.parent
STORE = ROOT / "resources" / "measured"
TIMES, SPARE = 10, 60  # seconds: of the unmutated tests, and besides
MUTANTS = ("package", "module", "line", "operator", "change", "outcome", "note")
SHARES = ("package", "places", "mutants", "killed", "share", "commit", "seed", "tool")


def digest(folder: Path) -> str:
    """A hash of the files in a folder."""
    hashed = hashlib.blake2b(digest_size=8)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            hashed.update(f"{path.relative_to(folder)} {file_hash(path)}\n".encode())
    return hashed.hexdigest()


def prepare(db: "WorkDB", folder: Path, items: Sequence["WorkItem"], code: str, tests: str) -> None:
    """Keep those results of an earlier run that still tell something.

    If the code or the sample is another one, none does; if tests are, what was killed stays so.
    """
    from cosmic_ray.work_item import TestOutcome

    stamp = folder / "stamp.json"
    earlier = json.loads(stamp.read_text()) if stamp.exists() else {}
    same = earlier.get("code") == code
    kept = [
        (job, result)
        for job, result in db.results
        if same and (earlier["tests"] == tests or result.test_outcome == TestOutcome.KILLED)
    ]
    known = {item.job_id for item in items}
    db.clear()
    db.add_work_items(items)
    for job, result in kept:
        if job in known:
            db.set_result(job, result)
    write_text(stamp, json.dumps({"code": code, "tests": tests}))


def outcome(result: "WorkResult") -> str:
    """What became of a mutant, in words."""
    from cosmic_ray.work_item import TestOutcome, WorkerOutcome

    if result.worker_outcome == WorkerOutcome.NO_TEST:
        return "survived: not executed"
    if result.test_outcome == TestOutcome.SURVIVED:
        return "survived"
    return "killed: timeout" if result.output == "timeout" else "killed"


def change(before: str, after: str) -> str:
    """The lines in which two texts differ, each side on one line."""
    old, new = before.split("\n"), after.split("\n")
    start = next(at for at, lines in enumerate(zip(old, new, strict=False)) if lines[0] != lines[1])
    ends = zip(reversed(old[start:]), reversed(new[start:]), strict=False)
    end = next((at for at, lines in enumerate(ends) if lines[0] != lines[1]), 0)
    sides = (lines[start : len(lines) - end] for lines in (old, new))
    return " → ".join(" ".join(" ".join(lines).split()) for lines in sides)


def described(root: Path, item: "WorkItem") -> dict[str, object]:
    """The cells of MUTANTS that say what a mutant is."""
    (mutation,) = item.mutations
    module = mutation.module_path.relative_to(LIBRARY)
    return {
        "package": module.parts[0],
        "module": module.as_posix(),
        "line": mutation.start_pos[0],
        "operator": mutation.operator_name.removeprefix("core/"),
        "change": change(*versions(root, mutation)),
    }


def shares(rows: Iterable[Mapping[str, object]], sizes: Mapping[str, int]) -> list[dict]:
    """The share of mutants killed, by package and in all."""
    drawn: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    for row in rows:
        for package in (str(row["package"]), "all"):
            drawn[package] += 1
            killed[package] += str(row["outcome"]).startswith("killed")
    counted = {**sizes, "all": sum(sizes.values())}
    return [
        {
            "package": package,
            "places": counted[package],
            "mutants": drawn[package],
            "killed": killed[package],
            "share": f"{killed[package] / drawn[package]:.3f}",
        }
        for package in counted
        if drawn[package]
    ]


def record(rows: list[dict], sizes: Mapping[str, int], facts: Mapping[str, object]) -> None:
    """Write both tables; a note (why a survivor changes nothing) stays with its mutant."""
    path = STORE / "mutants.tsv"
    notes = {}
    for row in read_tsv(path, MUTANTS) if path.exists() else []:
        notes[row["module"], row["operator"], row["change"]] = row["note"]
    for row in rows:
        row["note"] = notes.get((row["module"], row["operator"], row["change"]), "")
    write_tsv(path, rows, MUTANTS)
    write_tsv(STORE / "mutants_killed.tsv", [row | facts for row in shares(rows, sizes)], SHARES)


def run(root: Path, folder: Path, *, count: int, seed: int, jobs: int, least: int = LEAST) -> tuple:
    """Draw mutants and run those that have no result yet.

    Args:
        root: a repository.
        folder: the session, with the trees of the jobs below it.
        least: mutants per package at least.

    Returns:
        Rows of MUTANTS without notes, and how many places each package has.
    """
    from cosmic_ray.work_db import WorkDB, use_db

    trees = folder / "trees"
    shutil.rmtree(trees, ignore_errors=True)
    tree = trees / "start"
    copy_tree(root, tree)
    workers = ProcessPoolExecutor(
        jobs, get_context("spawn"), settle, (tree, root.parent / "shared" / "data")
    )
    with use_db(folder / "session.sqlite", WorkDB.Mode.create) as db, workers as pool:
        try:
            listed = modules(tree)
            found = [place for some in pool.map(places, repeat(tree), listed) for place in some]
            items = draw(tree, found, count, seed, least)
            prepare(db, folder, items, digest(tree / LIBRARY), digest(tree / "tests"))
            _execute(tree, pool, db, _areas(pool, folder, items))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
        results = dict(db.results)
    rows = [described(tree, item) | {"outcome": outcome(results[item.job_id])} for item in items]
    shutil.rmtree(trees)
    return rows, Counter(place.package for place in found)


def _areas(pool: ProcessPoolExecutor, folder: Path, items: Iterable["WorkItem"]) -> dict[str, Area]:
    """The areas of the mutants; one whose survey of this code and these tests is there is read."""
    stamp = (folder / "stamp.json").read_text()
    packages = sorted({_package(item) for item in items})
    surveys = {name: folder / f"{name}-{rank(0, stamp)}.json" for name in packages}
    waiting = [(name, path) for name, path in surveys.items() if not path.exists()]
    running = {pool.submit(survey, name, path): name for name, path in waiting}
    for done in as_completed(running):
        done.result()
        print(f"surveyed: tests/{running[done]}", flush=True)
    return {name: read_area(path) for name, path in surveys.items()}


def _package(item: "WorkItem") -> str:
    return item.mutations[0].module_path.relative_to(LIBRARY).parts[0]


def _execute(
    root: Path, pool: ProcessPoolExecutor, db: "WorkDB", areas: Mapping[str, Area]
) -> None:
    """Run the mutants without a result, and print what becomes of each."""
    from cosmic_ray.work_item import WorkerOutcome

    futures = {}
    for item in sorted(db.pending_work_items, key=lambda item: item.job_id):
        (mutation,) = item.mutations
        area = areas[_package(item)]
        source = (root / mutation.module_path).read_text(encoding="utf-8")
        lines = statement(source, mutation.start_pos[0])
        tests = area.covering(mutation.module_path, lines)
        limit = SPARE + TIMES * sum(area.seconds[test] for test in tests)
        futures[pool.submit(plant, item, tests, limit)] = item
    for number, future in enumerate(as_completed(futures), start=1):
        item, result = futures[future], future.result()
        if result.worker_outcome == WorkerOutcome.EXCEPTION:
            raise RuntimeError(f"{item}: {result.output}")
        db.set_result(item.job_id, result)
        row = described(root, item)
        where = f"{row['module']}:{row['line']} {row['operator']}: {row['change']}"
        print(f"{number}/{len(futures)} {outcome(result)} {where}", flush=True)


def main() -> None:
    """Run a session to its end; print and write what was killed."""
    parser = argparse.ArgumentParser(description="Plant faults and run the tests of their area.")
    parser.add_argument("--count", type=int, default=300, help="mutants (default 300)")
    parser.add_argument("--seed", type=int, default=13, help="of the sample (default 13)")
    parser.add_argument("--jobs", type=int, default=2, help="at the same time (default 2)")
    arguments = parser.parse_args()
    at = commit()
    folder = ROOT / "results" / "mutants" / f"{arguments.count}-{arguments.seed}"
    try:
        rows, sizes = run(ROOT, folder, **vars(arguments))
    except RuntimeError as error:  # tests that fail without a mutant
        sys.exit(f"error: {error}")
    tool = f"cosmic-ray {version('cosmic-ray')}"
    record(rows, sizes, {"commit": at, "seed": arguments.seed, "tool": tool})
    for row in shares(rows, sizes):
        print(f"{row['package']:14}{row['killed']:>4} of {row['mutants']:>3}  {row['share']}")
    for row in rows:
        if not str(row["outcome"]).startswith("killed"):
            print(f"{row['module']}:{row['line']} {row['operator']}: {row['change']}")


if __name__ == "__main__":
    main()
