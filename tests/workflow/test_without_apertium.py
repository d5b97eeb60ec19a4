"""Where Apertium is missing, what needs it ends in one line before its first job."""

import shutil
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.workflow

GUIDE = "(README says which studies do without Apertium)"


@pytest.fixture(scope="module")
def fresh(copy_workflow):
    """A copy with a folder of the few programs that Snakemake calls."""
    copy = copy_workflow()
    (copy.folder / "bin").mkdir()
    for program in ("bash", "sh", "which", "env"):
        (copy.folder / "bin" / program).symlink_to(shutil.which(program))
    return copy


def end_of(fresh, target: str) -> tuple[int, list[str]]:
    """The status of a run that finds no other programs, and its lines with errors."""
    path = f"{Path(sys.executable).parent}:{fresh.folder / 'bin'}"
    done = fresh.run(target, environment={"PATH": path})
    return done.returncode, [line for line in done.stderr.splitlines() if line.startswith("error")]


@pytest.mark.parametrize("target", ["agreement", "pretraining", "all"])
def test_without_lt_proc(fresh, target):
    line = f"error: lt-proc: not installed; expected the package lttoolbox {GUIDE}"
    assert end_of(fresh, target) == (1, [line])
    assert not (fresh.folder / "results/demo/corpora").exists()


def test_what_analyses_nothing_runs_without_lt_proc(fresh):
    assert end_of(fresh, "results/demo/blm/tables/demonstration.tsv")[0] == 0


def test_without_a_dictionary(fresh):
    (fresh.folder / "resources/eus.automorf.bin").unlink()
    found = "error: resources/eus.automorf.bin: no such dictionary"
    line = f"{found}; expected an installed apertium-* package {GUIDE}"
    done = fresh.run("agreement")
    assert done.returncode == 1
    assert line in done.stderr.splitlines()
