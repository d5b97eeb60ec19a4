"""The outputs of rules: each stands in a table of a part, and the files of results in the docs."""

import importlib
import re
from itertools import product
from pathlib import Path
from posixpath import normpath

import pytest

from kasu.results.paths import Paths

ROOT = Path(__file__).resolve().parent.parent
RULES = sorted((ROOT / "workflow" / "rules").glob("*.smk"))
PAGE = ROOT / "docs" / "results.md"
LIBRARY = ROOT / "workflow"
TABLES = {
    path.parent.name: importlib.import_module(
        ".".join(path.relative_to(LIBRARY).with_suffix("").parts)
    ).PATHS
    for path in sorted((LIBRARY / "kasu").rglob("paths.py"))
    if path.parent.name != "base"
}
PATTERNS = [pattern for table in TABLES.values() for pattern in table.values()]
# Steps on the way, which the page does not describe
STEPS = {("pretraining", "suffixes"), ("pretraining", "twin")}


def written() -> set[str]:
    """The outputs in the rule files."""
    blocks = [
        block
        for path in RULES
        for block in re.findall(
            r"^ {4,8}output:\n((?: {8,}.*\n)+)", path.read_text("utf-8"), re.MULTILINE
        )
    ]
    return {path for block in blocks for path in re.findall(r'"(<results>/[^"]+)"', block)}


def fits(path: str, pattern: str) -> bool:
    """Whether a path is a pattern, or has words or wildcards of its own in place of wildcards."""
    parts = re.split(r"\{\w+\}", pattern)
    return re.fullmatch(".+".join(map(re.escape, parts)), path) is not None


def test_no_pattern_stands_in_two_places():
    assert len(set(PATTERNS)) == len(PATTERNS) > 60


def test_every_output_of_a_rule_is_in_a_table():
    assert [path for path in written() if not any(fits(path, each) for each in PATTERNS)] == []


def test_every_entry_of_a_table_is_written_by_a_rule():
    outputs = written()
    assert [each for each in PATTERNS if not any(fits(path, each) for path in outputs)] == []


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_rules_write_their_paths_as_they_are(path):
    text = path.read_text("utf-8")
    assert re.findall(r'^ {8,}(?:\w+=)?(?:\w+\()?f"(?!\.\./).*/.*"', text, re.MULTILINE) == []
    assert re.findall(r"^ {4,}.*\blambda wildcards\b", text, re.MULTILINE) == []


def documented() -> dict[str, list[str]]:
    """The paths of the tables of docs/results.md, by the part that they are of."""
    rows: dict[str, list[str]] = {}
    part = ""
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("## "):
            part = line.removeprefix("## ").strip("`")
        elif (cell := re.match(r"\| (`[^|]+`) \|", line)) and part[0].islower():
            rows.setdefault(part, []).extend(unfolded(cell[1], f"<results>/{part}/"))
        elif cell:
            rows.setdefault("", []).extend(unfolded(cell[1], "<results>/"))
    return rows


def unfolded(cell: str, folder: str) -> list[str]:
    """The paths of a cell: `a`, or two as `b/{c,d}`."""
    paths = []
    for path in re.findall("`([^`]+)`", cell):
        parts = [part.split(",") for part in re.split(r"[{}]", path)]
        paths += ["".join(each) for each in product(*parts)]
    return [normpath(f"{folder}{path}") for path in paths]


@pytest.mark.parametrize("part", ["", *sorted(TABLES.keys() & documented().keys())])
def test_every_path_of_the_page_is_in_a_table(part):
    paths = documented()[part]
    missing = [
        path
        for path in paths
        if not any(fits(path, each) for each in PATTERNS)
        # Of every part
        and path not in ("<results>/counts.tsv", "<results>/drops.tsv")
    ]
    assert (missing, bool(paths)) == ([], True)


def test_every_table_of_results_is_on_the_page():
    """But counts and drops, which have one row for all."""
    paths = [path for paths in documented().values() for path in paths]
    missing = {
        (part, name)
        for part, table in TABLES.items()
        for name, pattern in table.items()
        if pattern.endswith((".parquet", ".tsv"))
        and not pattern.endswith(("counts.tsv", "drops.tsv"))
        and not any(fits(path, pattern) for path in paths)
    }
    assert missing == STEPS


def test_a_path_has_the_study_and_the_values_of_its_wildcards():
    paths = Paths({"items": "<results>/toy/{set}/items.parquet"}, "out", "toy")
    assert paths("items", set="a") == "out/toy/a/items.parquet"
    assert paths("table", table="claims") == "out/toy/tables/claims.tsv"
    with pytest.raises(KeyError, match="set"):
        paths("items")
