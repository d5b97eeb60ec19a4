"""The configs that are shipped plan a whole run, also where nothing is downloaded yet."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).resolve().parents[2]
EVERY_STUDY = {
    "train_agreement",
    "score_inflection",
    "score_cloze",
    "train_networks",
    "pretrain_checkpoint",
    "build_minimal_set",
    "build_report",
}


@pytest.mark.parametrize(
    "scale",
    [
        ("real.yaml",),
        ("real.yaml", "long.yaml"),
        ("real.yaml", "systems.yaml"),
        ("real.yaml", "treebanks.yaml"),
        ("paper.yaml",),
    ],
    ids="+".join,
)
def test_shipped_scale_plans_every_study(copy_workflow, scale):
    copy = copy_workflow()
    planned = copy.planned_jobs(config=("--configfile", *(f"config/{name}" for name in scale)))
    assert {job.partition(",")[0] for job in planned} >= EVERY_STUDY
    if scale == ("paper.yaml",):
        assert f"{planned.total():,} jobs" in (ROOT / "docs/paper-scale.md").read_text()


@pytest.mark.parametrize(
    ("config", "jobs"),
    [
        # Six training sets for two tasks, one test set
        ("curve.yaml", {"draw_training_set": 6, "train_agreement": 12, "draw_curve": 1}),
        # With suffixes and without, the lemma of the verb shown and hidden
        ("wikipedia.yaml", {"build_verb_number": 1, "train_agreement": 4}),
    ],
)
def test_further_scales_of_agreement_plan_their_networks(copy_workflow, config, jobs):
    stack = ("--configfile", "config/real.yaml", f"config/{config}")
    planned = copy_workflow().planned_jobs("agreement", config=stack)
    assert {rule: planned[rule] for rule in jobs} == jobs


def test_targets_of_the_studies_build_all_that_the_report_shows(copy_workflow):
    copy = copy_workflow()
    whole = ("--configfile", "config/real.yaml")
    studies = ("agreement", "blm", "cloze", "inflection", "minimal_sets", "pretraining")
    apart = copy.planned(config=whole) - copy.planned(*studies, config=whole)
    assert apart == {"all", "build_report"}


@pytest.fixture(scope="module")
def plan(copy_workflow) -> Callable[..., subprocess.CompletedProcess]:
    """A dry run with a config of its own over the small one, where nothing has run."""
    copy = copy_workflow()

    def run(config: dict, *targets: str) -> subprocess.CompletedProcess:
        (copy.folder / "own.yaml").write_text(yaml.safe_dump(config))
        for name in ("a/news.txt", "b/news.txt", "news.jsonl"):
            (copy.folder / name).parent.mkdir(exist_ok=True)
            (copy.folder / name).write_text("Gizona da.\n")
        return copy.run(*targets, "-n", config=("--configfile", "small.yaml", "own.yaml"))

    return run


def corpus(name: str, *texts: str, language: str = "eu") -> dict:
    return {"name": name, "language": language, "texts": [{"source": text} for text in texts]}


@pytest.mark.parametrize(
    ("corpora", "line"),
    [
        ([corpus("x", "a/news.txt", "b/news.txt")],
         "config corpora x: b/news.txt: would be written to 'news', like config corpora x: a/n"),
        ([corpus("x", "a/news.txt"), corpus("y", "news.jsonl")],
         "config corpora y: news.jsonl: would be written to 'news', like config corpora x: a/n"),
        ([corpus("x", "a/news.txt"), corpus("y", "a/news.txt", language="ka")],
         "config corpora y: a/news.txt: would be written to 'news', like config corpora x: a/n"),
        ([corpus("x", "a/news.txt"), corpus("x", "b/news.txt")],
         "config corpora, entry 2: would be written to 'x', like config corpora, entry 1"),
    ],
    ids=["basename", "format", "language", "name"],
)  # fmt: skip
def test_two_entries_for_one_place_are_both_named(plan, corpora, line):
    done = plan({"corpora": corpora}, "corpora")
    assert done.returncode == 1
    assert line in done.stderr + done.stdout
    assert "Traceback" not in done.stderr + done.stdout


def test_two_corpora_may_share_a_text(plan):
    done = plan({"corpora": [corpus("x", "a/news.txt"), corpus("y", "./a/news.txt")]}, "corpora")
    assert done.returncode == 0, done.stderr


def test_a_source_that_a_study_needs_and_licences_refuse_is_named(plan):
    config = {"licences": ["CC0"], "blm": {"seeds": "https://kasu.invalid/seeds.tsv"}}
    done = plan(config, "blm")
    assert done.returncode == 1
    line = "source https://kasu.invalid/seeds.tsv: licence 'not stated'; expected one of `licences`"
    assert line in done.stderr + done.stdout
    assert plan(config, "agreement").returncode == 0


def test_an_unknown_licence_is_named(plan):
    done = plan({"licences": ["CC-BY"]})
    assert done.returncode == 1
    line = "config licences: 'CC-BY': no such licence; expected one of CC0,"
    assert line in done.stderr + done.stdout


def test_released_languages_that_are_not_at_hand_are_announced(plan):
    done = plan({"inflection": {"languages": ["available"]}, "mirror": "a"})
    line = "inflection: 103 released languages are neither in a mirror nor downloaded"
    assert line in done.stderr
    assert "`languages: [all]`" in done.stderr


def test_a_folder_that_is_not_installed_plans(copy_workflow):
    """As in a conda environment: the packages that Kasu requires, and not Kasu."""
    copy = copy_workflow()
    start = (  # without the .pth file of an installation in place
        "import sys; sys.path += [path for path in sys.argv.pop(1).split(':') if path];"
        "from snakemake.cli import main; main(sys.argv[1:])"
    )
    packages = ":".join(path for path in sys.path if path.endswith("-packages"))
    environment = {name: at for name, at in copy.environment.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-S", "-c", start, packages, "blm", "-n", "--cores", "1"],
        cwd=copy.folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_no_timer_delays_the_end_of_a_run(copy_workflow):
    """Snakemake sets one for its limit of jobs per second, which one machine does not need."""
    copy = copy_workflow()
    start = (
        "import sys, threading; begin = threading.Timer.start;"
        "threading.Timer.start = lambda timer: (print('a timer'), begin(timer));"
        "from snakemake.cli import main; main(sys.argv[1:])"
    )
    arguments = copy.command("results/demo/treebanks/ka_demo-ud.parquet")[3:]
    done = subprocess.run(
        [sys.executable, "-c", start, *arguments],
        cwd=copy.folder, env=copy.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "[1/1] read_treebank ka_demo-ud  " in done.stderr
    assert "a timer" not in done.stdout
