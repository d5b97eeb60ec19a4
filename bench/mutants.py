"""Mutation testing: how many faults, planted one at a time, do the tests of their own area find?

    python bench/mutants.py [--count 300] [--seed 13] [--jobs 2]

Cosmic Ray plants the faults (https://cosmic-ray.readthedocs.io); `kasu.PACKAGE` is tested by
`tests/PACKAGE` without the tests that run whole workflows. The table of all mutants and the share
killed by package go to `resources/measured`. A run that was stopped goes on where it stopped.

What is mutated: every module in a package of `workflow/kasu`, except commands and figures
(LEFT_OUT). Not mutated, since no test should tell the difference (`uninteresting`): annotations,
decorators, text of errors and log lines, descriptions of settings, `zip(strict=)`, blocks that
only type checkers or the command line run. `==` and `is` are not exchanged for each other.

What is drawn: one mutant per place, the places by a hash of the seed and of what stands there,
LEAST per package and the others by how many places a package has. So a change of the code changes
the sample only where it changes the code.

What is run: the tests of the area that execute the mutated statement or have a fixture that does,
fastest first, up to the first failure; all of the area if an import or another process executes
it. What none executes survives at once. Tests that take TIMES as long as without the mutant are
stopped and count as failed. Each job works in a copy of its own of the tree as it was at the start.
"""

import argparse
import ast
import compileall
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import version
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import TYPE_CHECKING, NamedTuple

from measuring import commit

from kasu.base.tables import file_hash, read_tsv, write_text, write_tsv

if TYPE_CHECKING:
    from cosmic_ray.work_db import WorkDB
    from cosmic_ray.work_item import MutationSpec, WorkItem, WorkResult

ROOT = Path(__file__).resolve().parent.parent
STORE = ROOT / "resources" / "measured"
LIBRARY = Path("workflow/kasu")
LEFT_OUT = ("figures/*", "*/figures.py", "*/command.py", "*_command.py", "*/__init__.py")
LEAST = 20
TIMES, SPARE = 10, 60  # seconds: of the unmutated tests, and besides
SILENT = ("description", "title", "examples")  # arguments that only readers see
SAME = ("Eq_Is", "Is_Eq", "NotEq_IsNot", "IsNot_NotEq")
PYTEST = ("pytest", "-q", "--tb=line", "-p", "no:cacheprovider", "--hypothesis-seed=0")
COVERAGE = "[run]\nsource = {library}\nconcurrency = multiprocessing, thread\npatch = subprocess\n"
MUTANTS = ("package", "module", "line", "operator", "change", "outcome", "note")
SHARES = ("package", "places", "mutants", "killed", "share", "commit", "seed", "tool")

Span = tuple[tuple[int, int], tuple[int, int]]  # (line, column), from and up to


class Place(NamedTuple):
    """Where a fault can be planted, and the mutations that Cosmic Ray knows there.

    name: the module, the text of its line, where on it, and which of several such lines it is.
    """

    package: str
    name: str
    mutations: list["MutationSpec"]


# What is mutated


def modules(root: Path) -> list[Path]:
    """The modules of all packages, relative to the root."""
    library = root / LIBRARY
    paths = (path.relative_to(library) for path in sorted(library.glob("*/**/*.py")))
    return [LIBRARY / path for path in paths if not any(path.match(left) for left in LEFT_OUT)]


def uninteresting(source: str) -> list[Span]:
    """The parts of a module that are not mutated."""
    lines = source.splitlines()

    def span(node: ast.AST) -> Span:
        # Python counts columns in bytes, Cosmic Ray in characters
        ends = ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset))
        return tuple((at, len(lines[at - 1].encode()[:column].decode())) for at, column in ends)

    return [span(part) for node in ast.walk(ast.parse(source)) for part in _parts(node)]


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that are not mutated."""
    match node:
        case ast.AnnAssign(annotation=annotation):
            yield annotation
        case ast.arg(annotation=ast.AST() as annotation):
            yield annotation
        case ast.FunctionDef(returns=returns, decorator_list=decorators):
            yield from filter(None, (returns, *decorators))
        case ast.ClassDef(decorator_list=decorators):
            yield from decorators
        case ast.Raise():
            yield from (part for part in ast.walk(node) if isinstance(part, ast.JoinedStr))
        case ast.If(test=ast.Name("TYPE_CHECKING") | ast.Compare(left=ast.Name("__name__"))):
            yield node
        case ast.Call(func=ast.Attribute(value=ast.Name("log" | "logging" | "warnings"))):
            yield node
        case ast.Call(keywords=keywords):
            silent = ("strict",) if ast.unparse(node.func) == "zip" else SILENT
            yield from (keyword.value for keyword in keywords if keyword.arg in silent)


def places(root: Path, module: Path) -> list[Place]:
    """The places of a module, in its order."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names
    from cosmic_ray.work_item import MutationSpec

    source = (root / module).read_text(encoding="utf-8")
    lines = source.split("\n")
    left_out = uninteresting(source)
    nodes = list(ast_nodes(get_ast(source)))
    found: dict[Span, list[MutationSpec]] = defaultdict(list)
    for name in operator_names():
        operator = get_operator(name)
        if operator.arguments() or name.endswith((*SAME, "/RemoveDecorator")):
            continue
        spans = (span for node in nodes for span in operator().mutation_positions(node))
        for occurrence, (start, end) in enumerate(spans):
            left = any(first <= start and end <= last for first, last in left_out)
            # The bare `*` of a signature is no operator
            if not left and not lines[start[0] - 1][start[1] :].startswith("*,"):
                found[start, end].append(MutationSpec(module, name, occurrence, start, end))
    package = module.relative_to(LIBRARY).parts[0]
    named = []
    for (start, end), mutations in sorted(found.items()):
        # Not the number of the line: it moves with every change above
        line = lines[start[0] - 1]
        where = start[1], end[0] - start[0], end[1], lines[: start[0] - 1].count(line)
        named.append(Place(package, f"{module} {line!r} {where}", mutations))
    return named


# What is drawn


def rank(seed: int, *names: object) -> str:
    """A random order that depends on the seed and on nothing but the names."""
    return hashlib.blake2b(f"{seed} {names}".encode(), digest_size=8).hexdigest()


def quotas(sizes: Mapping[str, int], count: int, least: int = LEAST) -> dict[str, int]:
    """How many of `count` mutants each package gets: `least`, the others in proportion to its size.

    Args:
        sizes: how many places a package has.

    Raises:
        ValueError: `count` is less than `least` per package.
    """
    if (spare := count - least * len(sizes)) < 0:
        raise ValueError(f"{count} mutants; expected {least} for each of {len(sizes)} packages")
    shares = {name: spare * size / sum(sizes.values()) for name, size in sizes.items()}
    given = {name: least + int(share) for name, share in shares.items()}
    # The largest remainders get what rounding down has left
    left = sorted(shares, key=lambda name: (int(shares[name]) - shares[name], name))
    for name in left[: count - sum(given.values())]:
        given[name] += 1
    return given


def draw(
    root: Path, found: Iterable[Place], count: int, seed: int, least: int = LEAST
) -> list["WorkItem"]:
    """Draw mutants, one per place."""
    from cosmic_ray.work_item import WorkItem

    packages: dict[str, list[Place]] = defaultdict(list)
    for place in found:
        packages[place.package].append(place)
    wanted = quotas({name: len(places) for name, places in packages.items()}, count, least)
    items: list[WorkItem] = []
    for package, known in sorted(packages.items()):
        known.sort(key=lambda place: rank(seed, place.name))
        drawn = (item for place in known if (item := _mutant(root, place, seed)))
        items += [item for item, _ in zip(drawn, range(wanted[package]), strict=False)]
    return items


def _mutant(root: Path, place: Place, seed: int) -> "WorkItem | None":
    """One mutation of a place: the first in random order that makes another program."""
    from cosmic_ray.work_item import WorkItem

    order = sorted(range(len(place.mutations)), key=lambda at: rank(seed, place.name, at))
    for mutation in (place.mutations[at] for at in order):
        try:
            before, after = versions(root, mutation)
            if ast.dump(ast.parse(before)) != ast.dump(ast.parse(after)):
                return WorkItem.single(rank(seed, place.name), mutation)
        except (SyntaxError, AttributeError):
            # Cosmic Ray cannot replace `module.Error` in a tuple of exceptions
            continue
    return None


def versions(root: Path, mutation: "MutationSpec") -> tuple[str, str]:
    """A module without and with a mutation."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    source = (root / mutation.module_path).read_text(encoding="utf-8")
    operator = get_operator(mutation.operator_name)()
    return source, mutate_code(source, operator, mutation.occurrence)


# What is run


class Area(NamedTuple):
    """The tests of a package, run without a mutant.

    seconds: of each test, by its id; the fastest first.
    contexts: by module and line, what executes it: a test, or the beginning of the ids of several
        tests (those that may use a fixture; "" for an import or another process).
    """

    seconds: dict[str, float]
    contexts: dict[str, dict[int, set[str]]]

    def covering(self, module: Path, lines: Iterable[int]) -> list[str]:
        """The tests that execute one of the lines."""
        by_line = self.contexts.get(module.as_posix(), {})
        found = tuple(set().union(*(by_line.get(line, ()) for line in lines)))
        return [test for test in self.seconds if test.startswith(found)]


def copy_tree(root: Path, tree: Path) -> None:
    """Copy the files that git knows or would add, and compile the library.

    Bytecode is checked by the hash of its source: a mutant changes a file within a second.
    """
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=root, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (root / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, tree / name)
    hashed = PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(tree / LIBRARY, quiet=1, invalidation_mode=hashed)


def settle(tree: Path, mirror: Path) -> None:
    """Let this process work in a copy of the tree of its own."""
    own = tree.with_name(str(os.getpid()))
    shutil.copytree(tree, own)
    os.chdir(own)
    python = os.pathsep.join(str(own / folder) for folder in ("workflow", "bench"))
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    os.environ.update(PYTHONPATH=python, PATH=path, PYTHONDONTWRITEBYTECODE="1")
    os.environ.setdefault("KASU_MIRROR", str(mirror))


def survey(package: str, out: Path) -> None:
    """Run the tests of an area in this process's tree; write their times and what they execute.

    Raises:
        RuntimeError: a test fails.
    """
    settings = Path("coverage.ini")
    settings.write_text(COVERAGE.format(library=Path(LIBRARY).resolve()))
    coverage = [sys.executable, "-m", "coverage"]
    config = f"--rcfile={settings}"
    command = [*coverage, "run", config, "-m", *PYTEST, "-p", "survey_plugin"]
    done = subprocess.run(
        [*command, "-m", "not workflow", f"tests/{package}"], capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"tests/{package} fails without a mutant:\n{done.stdout[-2000:]}")
    subprocess.run([*coverage, "combine", "--quiet", config], check=True)
    from coverage import CoverageData

    data = CoverageData(".coverage")
    data.read()
    contexts = {
        Path(file).relative_to(Path.cwd()).as_posix(): data.contexts_by_lineno(file)
        for file in sorted(data.measured_files())
    }
    seconds = json.loads(Path("seconds.json").read_text())
    order = dict(sorted(seconds.items(), key=lambda test: test[1]))
    write_text(out, json.dumps({"seconds": order, "contexts": contexts}))


def read_area(path: Path) -> Area:
    """Read what `survey` wrote."""
    read = json.loads(path.read_text())
    contexts = {
        module: {int(line): set(tests) for line, tests in lines.items()}
        for module, lines in read["contexts"].items()
    }
    return Area(read["seconds"], contexts)


def statement(source: str, line: int) -> range:
    """The lines of the innermost statement at a line; of a block, only its head."""
    lines = range(line, line + 1)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            # A case of `match` has no position of its own
            start = getattr(node, "lineno", None) or node.pattern.lineno
            body = getattr(node, "body", None)
            last = max(start, body[0].lineno - 1) if body else node.end_lineno
            if start <= line <= last:
                lines = range(start, last + 1)  # ast.walk goes from the outside in
    return lines


def plant(item: "WorkItem", tests: Sequence[str], limit: float) -> "WorkResult":
    """Plant a mutant in this process's tree and run tests, up to the first that fails."""
    from cosmic_ray.mutating import mutate_and_test
    from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkResult

    if not tests:
        return WorkResult(WorkerOutcome.NO_TEST, None, TestOutcome.SURVIVED)
    Path("tests.txt").write_text("\n".join(tests) + "\n")
    command = shlex.join([sys.executable, "-m", *PYTEST, "-x", "@tests.txt"])
    return mutate_and_test(item.mutations, command, limit)


# The session: what was drawn, and what became of it


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
