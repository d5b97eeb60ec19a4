"""Long benchmarks: each part at once in the table, none twice, none lost to another's failure."""

import sys

import pytest
from in_parts import run_parts
from measuring import FIGURES

from kasu.files.tables import read_tsv

MODULE = """
import os, signal
from pathlib import Path
from measuring import row
from kasu.base.errors import KasuError


def parts(mirror, scale):
    log = Path(__file__).with_name("log")
    def part(name):
        def measure(known):
            with log.open("a") as file:
                file.write(name)
            if name == "b" and not log.with_name("room").exists():
                raise KasuError("GPU 0", "busy (37 %)", "an idle one")
            if name == "c" and not log.with_name("room").exists():
                os.kill(os.getpid(), signal.SIGKILL)
            if name == "b" and log.with_name("bug").exists():
                raise ZeroDivisionError
            return [row(f"{name}, {scale:g}", len(known), "rows before", "")]
        return measure
    return {name: part(name) for name in "abcd"}
"""
WHERE = {"machine": "M", "commit": "1"}


@pytest.fixture
def bench(tmp_path, monkeypatch):
    """A function that runs a benchmark of four parts, b and c of which fail until there is room.

    It returns the parts that failed, those that ran and the items of the table.
    """
    (tmp_path / "staged.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "staged", raising=False)
    out = tmp_path / "out" / "table.tsv"

    def run(scale=1, where=WHERE):
        (tmp_path / "log").write_text("")
        failed = run_parts("staged", None, scale, where, out)
        rows = read_tsv(out, ("part", *FIGURES, "scale", "machine", "commit"))
        items = [(row["part"], row["item"], row["value"]) for row in rows]
        return failed, (tmp_path / "log").read_text(), items

    run.room = (tmp_path / "room").touch
    return run


def test_a_part_that_fails_is_one_line_and_the_others_are_measured(bench, capsys):
    failed, ran, items = bench()
    assert (failed, ran) == (["b", "c"], "abcd")
    assert items == [("a", "a, 1", "0"), ("d", "d, 1", "1")]
    assert capsys.readouterr().err.splitlines() == [
        "error: staged, b: GPU 0: busy (37 %); expected an idle one",
        "error: staged, c: its process was killed, perhaps for memory",
    ]


def test_a_bug_keeps_its_traceback_and_costs_no_other_part(bench, tmp_path, capsys):
    bench.room()
    (tmp_path / "bug").touch()
    failed, _, items = bench()
    assert (failed, [part for part, _, _ in items]) == (["b"], ["a", "c", "d"])
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "error: staged, b: a bug (ZeroDivisionError)"
    assert "ZeroDivisionError" in lines


def test_the_next_run_measures_what_failed_alone(bench):
    bench()
    bench.room()
    assert bench() == (
        [],
        "bc",
        [("a", "a, 1", "0"), ("d", "d, 1", "1"), ("b", "b, 1", "2"), ("c", "c, 1", "3")],
    )


@pytest.mark.parametrize("change", [{"scale": 0.5}, {"where": WHERE | {"commit": "2"}}])
def test_rows_of_another_commit_or_scale_are_measured_again(bench, change):
    bench.room()
    bench()
    _, ran, items = bench(**change)
    assert (ran, len(items)) == ("abcd", 4)
