"""Which tests a mutant has to pass, and how they are run (`mutants`)."""

import ast
import compileall
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import TYPE_CHECKING, NamedTuple

from mutations import LIBRARY

from kasu.files.tables import write_text

if TYPE_CHECKING:
    from cosmic_ray.work_item import WorkItem, WorkResult

PYTEST = ("pytest", "-q", "--tb=line", "-p", "no:cacheprovider", "--hypothesis-seed=0")
COVERAGE = "[run]\nsource = {library}\nconcurrency = multiprocessing, thread\npatch = subprocess\n"


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
    python = os.pathsep.join(str(own / folder) for folder in ("workflow", "tools"))
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    os.environ.update(PYTHONPATH=python, PATH=path, PYTHONDONTWRITEBYTECODE="1")
    os.environ.setdefault("KASU_MIRROR", str(mirror))


def survey(package: str, out: Path) -> None:
    """Run the tests of an area in this process's tree; write their times and what they execute.

    Raises:
        RuntimeError: a test fails.
    """
    settings = Path("coverage.ini")
    settings.write_text(COVERAGE.format(library=Path(LIBRARY).resolve()), encoding="utf-8")
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
    seconds = json.loads(Path("seconds.json").read_text(encoding="utf-8"))
    order = dict(sorted(seconds.items(), key=lambda test: test[1]))
    write_text(out, json.dumps({"seconds": order, "contexts": contexts}))


def read_area(path: Path) -> Area:
    """Read what `survey` wrote."""
    read = json.loads(path.read_text(encoding="utf-8"))
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
    Path("tests.txt").write_text("\n".join(tests) + "\n", encoding="utf-8")
    command = shlex.join([sys.executable, "-m", *PYTEST, "-x", "@tests.txt"])
    return mutate_and_test(item.mutations, command, limit)
