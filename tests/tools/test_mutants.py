"""Mutation testing: what is mutated, what is drawn, and a whole run on a toy package."""

import subprocess
from pathlib import Path

import mutants
import pytest
from mutant_tests import Area, statement
from mutants import change, run, shares
from mutations import quotas, rank, uninteresting

MODULE = '''\
"""A package with two functions."""

from functools import cache


@cache
def larger(a: int | None, b: int = 2) -> int | None:
    """The larger number."""
    if a > b:
        return a
    return b


def unused(a: int) -> int:
    if a < 0:
        raise ValueError(f"{a - 1}: negative")
    return a + 1
'''
TESTS = """\
from kasu.toy.numbers import larger


def test_larger():
    assert larger(3) == 3
    assert larger(1) == 2
"""

MORE = """\
from kasu.toy.numbers import unused


def test_unused():
    assert unused(1) == 2
"""


def test_annotations_decorators_and_messages_are_left_alone():
    lines = MODULE.splitlines()
    parts = [
        lines[start - 1][first:last] if start == end else "…"
        for (start, first), (end, last) in uninteresting(MODULE)
    ]
    assert sorted(parts) == [
        "cache",
        'f"{a - 1}: negative"',
        "int",
        "int",
        "int",
        "int | None",
        "int | None",
    ]


def test_columns_count_characters_not_bytes():
    assert uninteresting('x = "→"; y: int = 1') == [((1, 12), (1, 15))]


def test_log_lines_descriptions_and_checks_of_equal_length_are_left_alone():
    source = "log.info(n + 1)\nField(default=2, description=3)\nzip(a, b, strict=True)\n"
    assert uninteresting(source) == [((1, 0), (1, 15)), ((2, 29), (2, 30)), ((3, 17), (3, 21))]


def test_each_package_gets_the_least_and_the_others_by_size():
    assert quotas({"a": 10, "b": 30}, 48, least=20) == {"a": 22, "b": 26}
    assert sum(quotas({"a": 7, "b": 5, "c": 3}, 100).values()) == 100


def test_too_few_mutants_are_refused():
    with pytest.raises(ValueError, match="30 mutants; expected 20 for each of 2 packages"):
        quotas({"a": 1, "b": 1}, 30)


def test_the_order_depends_on_the_seed_and_the_name_alone():
    assert rank(13, "a", 1) == rank(13, "a", 1)
    assert len({rank(13, "a", 1), rank(14, "a", 1), rank(13, "a", 2)}) == 3


@pytest.mark.parametrize(
    ("line", "lines"), [(9, range(9, 10)), (10, range(10, 11)), (7, range(7, 8))]
)
def test_a_statement_has_the_head_of_a_block_alone(line, lines):
    assert statement(MODULE, line) == lines


def test_a_statement_of_several_lines_is_whole():
    assert statement("a = 1\nb = (\n    2,\n    3,\n)\n", 4) == range(2, 6)


AREA = Area(
    {"t/a.py::fast": 0.1, "t/b.py::one": 0.2, "t/a.py::slow": 0.3},
    {"m.py": {1: {""}, 2: {"t/a.py::slow"}, 3: {"t/a.py::fast", "t/b.py::one"}, 4: {"t/a.py"}}},
)


@pytest.mark.parametrize(
    ("lines", "tests"),
    [
        ([1], ["t/a.py::fast", "t/b.py::one", "t/a.py::slow"]),  # an import
        ([2], ["t/a.py::slow"]),
        ([2, 3], ["t/a.py::fast", "t/b.py::one", "t/a.py::slow"]),
        ([4], ["t/a.py::fast", "t/a.py::slow"]),  # a fixture of the file
        ([5], []),
    ],
)
def test_tests_that_execute_a_line_run_fastest_first(lines, tests):
    assert AREA.covering(Path("m.py"), lines) == tests


def test_a_module_that_no_test_imports_has_no_tests():
    assert AREA.covering(Path("other.py"), [1]) == []


def test_a_change_shows_the_lines_that_differ():
    assert change("a\n  b  + 1\nc\n", "a\n  b  - 1\nc\n") == "b + 1 → b - 1"


def test_shares_count_every_survivor():
    rows = [
        {"package": "a", "outcome": outcome}
        for outcome in ("killed", "killed: timeout", "survived", "survived: not executed")
    ]
    assert [(row["package"], row["killed"], row["share"]) for row in shares(rows, {"a": 9})] == [
        ("a", 2, "0.500"),
        ("all", 2, "0.500"),
    ]


@pytest.fixture
def toy(tmp_path):
    """A repository with one package and its tests."""
    package = tmp_path / "toy" / "workflow" / "kasu" / "toy"
    tests = tmp_path / "toy" / "tests" / "toy"
    tests.mkdir(parents=True)
    package.mkdir(parents=True)
    (package.parent / "__init__.py").touch()
    (package / "__init__.py").touch()
    (package / "numbers.py").write_text(MODULE)
    (tests / "test_numbers.py").write_text(TESTS)
    (tmp_path / "toy" / "tools").mkdir()
    plugin = Path(__file__).resolve().parents[2] / "tools" / "survey_plugin.py"
    (tmp_path / "toy" / "tools" / "survey_plugin.py").write_text(plugin.read_text())
    ini = "[tool.pytest.ini_options]\nmarkers = ['workflow']\n"
    (tmp_path / "toy" / "pyproject.toml").write_text(ini)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path / "toy", check=True)
    return tmp_path / "toy"


def test_a_session_goes_on_where_it_stopped_and_leaves_the_tree_alone(toy, tmp_path, monkeypatch):
    lines = []

    def stop_after_five(line: str, **_: object) -> None:
        lines.append(line)
        if len(lines) == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(mutants, "print", stop_after_five, raising=False)
    wanted = {"count": 8, "seed": 1, "jobs": 1, "least": 1}
    with pytest.raises(KeyboardInterrupt):
        run(toy, tmp_path / "session", **wanted)
    rows, _ = run(toy, tmp_path / "session", **wanted)
    assert [line.split()[0] for line in lines] == [
        "surveyed:", "1/8", "2/8", "3/8", "4/8", "1/4", "2/4", "3/4", "4/4",
    ]  # fmt: skip
    outcomes = {(row["line"], row["outcome"]) for row in rows}
    assert len(rows) == 8
    assert (9, "killed") in outcomes
    assert (17, "survived: not executed") in outcomes
    assert run(toy, tmp_path / "session", **wanted)[0] == rows
    assert len(lines) == 9
    assert (toy / "workflow/kasu/toy/numbers.py").read_text() == MODULE

    # Further tests: survivors alone run again
    path = toy / "tests" / "toy" / "test_numbers.py"
    path.write_text(f"{TESTS}\n{MORE}")
    survivors = [row for row in rows if row["outcome"].startswith("survived")]
    again, _ = run(toy, tmp_path / "session", **wanted)
    assert len(lines) == 9 + 1 + len(survivors)
    assert sum(row["outcome"] == "killed" for row in again) > 8 - len(survivors)
