"""The outputs of rules: each stands in the table of its part, and the table in docs/results.md."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "workflow" / "rules"
# Rule files whose table is not in a folder of their name
ELSEWHERE = {"members": "transduction/task"}
PARTS = sorted(
    path.stem
    for path in RULES.glob("*.smk")
    if (RULES.parent / "kasu" / ELSEWHERE.get(path.stem, path.stem) / "paths.py").exists()
)


def written(part: str) -> set[str]:
    """The outputs in the rule file of a part."""
    text = (RULES / f"{part}.smk").read_text("utf-8")
    blocks = re.findall(r"^    output:\n((?: {8}.*\n)+)", text, re.MULTILINE)
    return {path for block in blocks for path in re.findall(r'"(<results>/[^"]+)"', block)}


@pytest.mark.parametrize("part", PARTS)
def test_every_output_of_a_rule_is_in_the_table(part):
    folder = ELSEWHERE.get(part, part).replace("/", ".")
    table = importlib.import_module(f"kasu.{folder}.paths").PATHS
    assert len(set(table.values())) == len(table)
    assert written(part) - set(table.values()) == set()
