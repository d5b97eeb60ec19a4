"""What a failing run prints: a line for each job, and at the end the failure with its log."""

import re

import pytest
import yaml

pytestmark = pytest.mark.workflow

TARGETS = [f"results/demo/treebanks/{name}.parquet" for name in ("ka_demo-ud", "bad")]
LINE = "error: bad.conllu:1: 1 columns; expected 10, tab-separated"


@pytest.fixture(scope="module")
def copy(copy_workflow):
    """A copy with a treebank that can be read and one that cannot."""
    copy = copy_workflow()
    (copy.folder / "bad.conllu").write_text("a\n\n")
    good = "resources/demo/georgian/ka_demo-ud.conllu"
    treebank = {"name": "georgian-demo", "language": "ka", "files": [good, "bad.conllu"]}
    (copy.folder / "own.yaml").write_text(yaml.safe_dump({"treebanks": [treebank]}))
    return copy


CONFIG = ("--configfile", "small.yaml", "own.yaml")


def test_a_failing_run(copy):
    done = copy.run(*TARGETS, config=CONFIG)
    assert done.returncode == 1
    shown = done.stderr.splitlines()
    assert [line for line in shown if re.match(r"\[1/2\] read_treebank ka_demo-ud  \d+ s$", line)]
    failed = [line for line in shown if re.match(r"failed: read_treebank bad  \d+ s$", line)]
    assert len(failed) == 1
    assert shown.count(LINE) == 1
    assert shown[-3:] == [
        "jobs: 1 done, 1 failed or stopped, 0 not run",
        f"read_treebank bad: {LINE}",
        "    log: results/demo/logs/read_treebank/bad.log",
    ]
    assert len(shown) < 20, done.stderr
    (log,) = (copy.folder / ".snakemake/log").glob("*.log")
    complete = log.read_text()
    assert "rule read_treebank:\n    input: bad.conllu" in complete
    assert "Error in rule read_treebank:" in complete


@pytest.mark.parametrize("option", ["--printshellcmds", "--verbose"])
def test_an_option_that_asks_for_more_gives_the_output_of_snakemake(copy, option):
    done = copy.run(TARGETS[1], option, config=CONFIG)
    assert done.returncode == 1
    assert "rule read_treebank:\n    input: bad.conllu" in done.stderr
    assert "failed: read_treebank" not in done.stderr


def test_a_quiet_run_prints_the_error_alone(copy):
    done = copy.run(TARGETS[1], "--quiet", "all", config=CONFIG)
    assert done.returncode == 1
    assert LINE in done.stderr.splitlines()
    assert "read_treebank" not in done.stderr
