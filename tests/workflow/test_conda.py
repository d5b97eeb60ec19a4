"""The environment of envs/kasu.yaml, made with conda where that is at hand, runs a study."""

import os
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.workflow

CONDA = next(filter(shutil.which, ("micromamba", "mamba", "conda")), None)


@pytest.mark.skipif(CONDA is None, reason="no micromamba, mamba or conda")
def test_a_study_runs_in_the_conda_environment(copy_workflow, tmp_path):
    """Needs the network, minutes, and 2 GB of disk."""
    fresh, prefix = copy_workflow(), tmp_path / "environment"
    # micromamba has no `env create`
    create = ["create", "--yes"] if CONDA == "micromamba" else ["env", "create", "--yes"]
    file = fresh.folder / "envs/kasu.yaml"
    subprocess.run([CONDA, *create, "--file", file, "--prefix", prefix], check=True)
    done = subprocess.run(
        [CONDA, "run", "--prefix", prefix, *("snakemake", "cloze", "--cores", "2")],
        cwd=fresh.folder,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (fresh.folder / "results/demo/cloze/tables/claims.tsv").exists()
