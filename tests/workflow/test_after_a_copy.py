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
