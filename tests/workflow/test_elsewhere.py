"""The workflow away from its folder: as a module, with --directory, beneath an odd name."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kasu.files.hashes import CACHE
from kasu.job.code import CACHE as CODE

pytestmark = pytest.mark.workflow

TABLE = "results/own/treebanks/ka_demo-ud.parquet"
CONFIG = ("--config", "results=results/own/")


@pytest.fixture(scope="module")
def checkout(copy_workflow) -> Path:
    """A copy in a folder of an odd name."""
    folder = copy_workflow().folder
    return folder.rename(folder.with_name("კასუ # 1"))


@pytest.fixture
def snakemake(checkout, start_snakemake) -> Callable[..., subprocess.CompletedProcess]:
    """Run Snakemake in a folder, without Kasu on Python's path; all that it says is its stdout."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
        if not (folder / CODE).parent.exists():
            (folder / CODE).parent.mkdir()
            shutil.copy(checkout / CODE, folder / CODE)  # plans need not parse the code anew
        done = start_snakemake(folder, environment, *arguments, "--cores", "1")
        done.stdout += done.stderr
        return done

    return run


def deploy(folder: Path, snakefile: str, *keys: str, name: str = "*") -> None:
    """Write a Snakefile that uses Kasu as a module."""
    lines = ["module kasu:", f"    snakefile: {snakefile}", *(f"    {key}" for key in keys)]
    text = "\n".join([*lines, "", f"use rule * from kasu as {name}", ""])
    (folder / "Snakefile").write_text(text, encoding="utf-8")


def test_both_doors_plan_the_same(checkout, snakemake, tmp_path):
    """Library, scripts, captions, profile and the default target are found from each."""
    doors = [f"{checkout}/{door}" for door in ("Snakefile", "workflow/Snakefile")]
    planned = [snakemake(tmp_path, "-n", "-s", door).stdout for door in doors]
    for stdout in planned:
        assert "rule build_report" in stdout, stdout
        assert f"{checkout}/resources/demo/georgian/ka_demo-ud.conllu" in stdout
        assert "profiles/default" in stdout
    first, second = (
        re.search(r"^Job stats:.*?^total +\d+$", each, re.M | re.S) for each in planned
    )
    assert first[0] == second[0]


def test_a_module_runs_and_then_has_nothing_to_do(checkout, snakemake, tmp_path):
    deploy(tmp_path, repr(f"{checkout}/workflow/Snakefile"), name="own_*")
    done = snakemake(tmp_path, TABLE, *CONFIG)
    assert done.returncode == 0, done.stdout
    assert "rule own_read_treebank" in done.stdout
    assert (tmp_path / TABLE).exists()
    again = snakemake(tmp_path, TABLE, "-n", *CONFIG)
    assert "Nothing to be done" in again.stdout


def test_path_variables_of_a_module_outrank_its_config(checkout, snakemake, tmp_path):
    """Rules, plans, logs and parameters take the folder of results from one place."""
    deploy(tmp_path, repr(f"{checkout}/Snakefile"), "pathvars: results='theirs'")
    done = snakemake(tmp_path, "theirs/treebanks/ka_demo-ud.parquet")
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "theirs/logs/read_treebank/ka_demo-ud.log").exists()
    planned = snakemake(tmp_path, "minimal_sets", "-n")
    assert planned.returncode == 0, planned.stdout
    assert "theirs/minimal_sets/tables/claims.tsv" in planned.stdout
    assert "theirs/models/georgian-bert/model" in planned.stdout
    assert not (tmp_path / "results").exists()
    assert "results/demo" not in planned.stdout


@pytest.mark.parametrize(
    ("results", "line"),
    [
        ("theirs/", "error: pathvars results: theirs/; expected theirs"),
        ("resources", "error: config results: resources is or holds resources/downloads; expected"),
    ],
)
def test_path_variables_of_a_module_are_checked_as_its_config_is(
    checkout, snakemake, tmp_path, results, line
):
    deploy(tmp_path, repr(f"{checkout}/Snakefile"), f"pathvars: results={results!r}")
    done = snakemake(tmp_path, "-n")
    assert done.returncode == 1
    assert line in done.stdout
    assert "Traceback" not in done.stdout


def test_a_module_reads_what_a_rule_of_another_workflow_wrote_into_its_results(
    checkout, snakemake, tmp_path
):
    deploy(tmp_path, repr(f"{checkout}/workflow/Snakefile"), "config: config", name="own_*")
    snakefile, text = tmp_path / "Snakefile", tmp_path / "results" / "mine.txt"
    corpora = [{"name": "mine", "language": "eu", "texts": [{"source": "results/mine.txt"}]}]
    head = f"""
configfile: {f"{checkout}/config/config.yaml"!r}
config["results"] = "results"
config["corpora"] += {corpora}
rule mine:
    output: "results/mine.txt"
    shell: "false"
"""
    snakefile.write_text(head + snakefile.read_text())
    text.parent.mkdir()
    text.write_text("Gizonak etxea ikusi du.\n")
    done = snakemake(tmp_path, "own_corpora", "-n")
    assert done.returncode == 0, done.stdout
    assert "own_read_lines" in done.stdout


def test_a_module_plans_a_study_by_a_config_of_its_own(checkout, snakemake, tmp_path):
    """The demo's config, which names files of Kasu, and one key more."""
    config = "config: config"
    deploy(tmp_path, repr(f"{checkout}/workflow/Snakefile"), config)
    own = f"configfile: {f'{checkout}/config/config.yaml'!r}\nconfig['results'] = 'mine/'\n"
    snakefile = tmp_path / "Snakefile"
    snakefile.write_text(own + snakefile.read_text("utf-8"), encoding="utf-8")
    planned = snakemake(tmp_path, "cloze", "-n")
    assert planned.returncode == 0, planned.stdout
    assert "mine/cloze/tables/claims.tsv" in planned.stdout
    assert f"{checkout}/resources/demo/cloze/low.tsv" in planned.stdout
    assert "//" not in planned.stdout


def test_a_module_does_not_read_the_config_of_the_workflow_that_uses_it(
    checkout, snakemake, tmp_path
):
    deploy(tmp_path, repr(f"{checkout}/workflow/Snakefile"))
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yaml").write_text("samples: samples.tsv\n")
    planned = snakemake(tmp_path, "results/demo/treebanks/ka_demo-ud.parquet", "-n")
    assert planned.returncode == 0, planned.stdout


def test_kasu_s_own_data_are_not_looked_for_in_the_working_directory(checkout, snakemake, tmp_path):
    for folder in ("config", "resources/published", "resources/measured", "workflow/report"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "config" / "sources.tsv").write_text("another's\n")
    for caption in ("cloze_comparison", "cloze_table_4"):
        (tmp_path / "workflow" / "report" / f"{caption}.rst").touch()
    planned = snakemake(tmp_path, "cloze", "-n", "-s", f"{checkout}/workflow/Snakefile")
    assert planned.returncode == 0, planned.stdout
    assert f"{checkout}/resources/published/sigmorphon2018_table12.tsv" in planned.stdout
    assert f"{checkout}/workflow/report/cloze_table_4.rst" in planned.stdout


def test_a_module_without_the_library_is_one_line(checkout, snakemake, tmp_path):
    """As one of GitHub is, of which Snakemake fetches file by file."""
    git = ["git", "-C", str(checkout), "-c", "user.name=a", "-c", "user.email=a@b.example"]
    for command in (["init", "-q"], ["add", "workflow"], ["commit", "-qm", "All", "--no-gpg-sign"]):
        subprocess.run([*git, *command], check=True)
    deploy(tmp_path, f"gitfile({str(checkout)!r}, path='workflow/Snakefile', ref='HEAD')")
    done = snakemake(tmp_path, "-n")
    assert done.returncode == 1
    assert "not the library; clone Kasu, and name workflow/Snakefile in the clone" in done.stdout


def test_a_module_with_a_prefix_is_one_line(checkout, snakemake, tmp_path):
    deploy(tmp_path, repr(f"{checkout}/workflow/Snakefile"), "prefix: 'own'")
    done = snakemake(tmp_path, "-n")
    assert done.returncode == 1
    assert "Kasu takes no `prefix` and no `replace_prefix` of a module" in done.stdout


def test_another_directory_takes_results_and_has_then_nothing_to_do(checkout, snakemake, tmp_path):
    hashes = checkout / CACHE
    hashes.parent.mkdir(exist_ok=True)
    hashes.write_text("of another run")
    before = {*checkout.rglob("*")}
    done = snakemake(checkout, TABLE, "--directory", str(tmp_path), *CONFIG)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / TABLE).exists()
    assert hashes.read_text() == "of another run"
    assert {path for path in checkout.rglob("*") if "__pycache__" not in path.parts} <= before
    snakefile = f"{checkout}/workflow/Snakefile"
    again = snakemake(tmp_path, TABLE, "-n", "-s", snakefile, *CONFIG)
    assert "Nothing to be done" in again.stdout
    assert "profiles/default" in again.stdout


def test_a_checkout_below_a_colon_is_one_line(checkout, snakemake, tmp_path):
    link = tmp_path / "a:b"
    link.symlink_to(checkout)
    done = snakemake(tmp_path, "-n", "-s", f"{link}/workflow/Snakefile")
    assert done.returncode == 1
    assert "Kasu cannot run from a path with :, <, >, { or }" in done.stdout


def test_a_working_directory_that_cannot_be_used_is_one_line(checkout, snakemake, tmp_path):
    (tmp_path / ".snakemake").touch()
    done = snakemake(checkout, TABLE, "-n", "--directory", str(tmp_path))
    assert done.returncode == 1
    assert f"{tmp_path}/.snakemake is a file; expected a folder of your own" in done.stdout
    assert "Traceback" not in done.stdout
