"""The system that docs/add-a-system.md shows runs as printed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from kasu.files.tables import read_parquet

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/add-a-system.md").read_text(encoding="utf-8")


def printed(language: str) -> str:
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return block


def test_the_example_is_short():
    assert len(printed("python").splitlines()) <= 60


@pytest.mark.parametrize("options", [["check"], ["format", "--check"]], ids="-".join)
def test_the_example_keeps_the_rules_of_the_house(options):
    ruff = [Path(sys.executable).parent / "ruff", *options, "--stdin-filename"]
    name = "workflow/kasu/inflection/systems/nearest.py"
    done = subprocess.run(
        [*ruff, name, "-"], input=printed("python"), capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_example_runs_and_is_better_than_copying(copy_workflow):
    copy = copy_workflow()
    (command,) = re.findall(r"^    snakemake (.*mine.yaml)$", PAGE, re.MULTILINE)
    (name,) = re.findall(r"`workflow/kasu/inflection/systems/(\w+)\.py`:$", PAGE, re.MULTILINE)
    system = copy.folder / f"workflow/kasu/inflection/systems/{name}.py"
    system.write_text(printed("python"), encoding="utf-8")
    (copy.folder / "mine.yaml").write_text(printed("yaml"), encoding="utf-8")
    done = copy.snakemake(*command.split())
    assert done.returncode == 0, done.stderr
    assert "page: results/mine/report/index.html\n" in done.stderr
    results = copy.folder / "results/mine"
    assert 'id="inflection' in (results / "report/index.html").read_text(encoding="utf-8")
    scores = read_parquet(results / "inflection/scores.parquet").to_pylist()
    accuracy = {
        row["system"]: row["value"]
        for row in scores
        if row["metric"] == "accuracy" and row["condition"] == "low|harmonic"
    }
    assert accuracy["nearest"] > accuracy["copy"] + 0.1


def test_a_system_that_lacks_a_part_ends_a_plan_in_the_line_that_the_page_shows(copy_workflow):
    copy = copy_workflow()
    (line,) = re.findall(r"^    (error: .*)$", PAGE, re.MULTILINE)
    text = re.sub(r"^    members=.*\n", "", printed("python"), flags=re.MULTILINE)
    system = copy.folder / "workflow/kasu/inflection/systems/nearest.py"
    system.write_text(text, encoding="utf-8")
    done = copy.run("inflection", "-n")
    # Snakemake names its profile first
    assert (done.returncode, done.stderr.splitlines()[1:]) == (1, [line])
