"""Results that were copied or moved, with what Snakemake knows of them, run nothing again."""

import os
import random
import shutil

import pytest

pytestmark = pytest.mark.workflow

KEPT = ("results", ".snakemake/metadata", "resources/downloads")


def test_a_moved_checkout_runs_nothing(clone):
    assert clone.planned() == set()


def test_copied_results_with_their_metadata_run_nothing(demo, copy_workflow):
    clone = copy_workflow()
    for folder in KEPT:
        shutil.copytree(demo.folder / folder, clone.folder / folder)
    assert clone.planned() == set()


def test_results_copied_without_their_dates_run_nothing(demo, copy_workflow):
    """As `cp -r` does, or a backup that keeps no dates."""
    clone = copy_workflow()
    dates = random.Random(1)
    for folder in KEPT:
        shutil.copytree(demo.folder / folder, clone.folder / folder, copy_function=shutil.copyfile)
        for path in (clone.folder / folder).rglob("*"):
            date = 1e9 + dates.randrange(10**9)
            os.utime(path, (date, date))
    assert clone.planned() == set()


CONFIG = """
results: results/{results}
cloze:
  languages:
    - name: mine
      language: ka
      splits:
        low: resources/demo/cloze/{low}.tsv
        dev: resources/demo/cloze/dev.tsv
        test: resources/demo/cloze/test.tsv
  grid:
    - {{systems: [copy], settings: [track1-low]}}
"""


def test_a_copy_of_which_only_the_dates_are_known_is_noted(copy_workflow):
    copy = copy_workflow()

    def run(results, low, *options):
        (copy.folder / "mine.yaml").write_text(CONFIG.format(results=results, low=low))
        target = f"results/{results}/cloze/datasets/mine/low.parquet"
        done = copy.snakemake(target, "--cores", "2", *options, "--configfile", "mine.yaml")
        assert done.returncode == 0, done.stderr
        return done.stderr

    assert "note: results" not in run("one", "low")
    shutil.copytree(copy.folder / "results/one", copy.folder / "results/other")
    note = "note: results/other: 1 job is kept whose settings, code and inputs are not known"
    said = run("other", "dev")  # its training file is another
    assert note in said and "Nothing to be done" in said
    run("other", "low", "--touch")
    assert note in run("other", "dev")
    run("other", "low", "--touch", "--forceall")
    assert "note: results" not in run("other", "low")
    assert "jobs: 1\n" in run("other", "dev")
