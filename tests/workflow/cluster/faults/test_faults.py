"""Faults at forty seeded points of the workflow; each time a plain run ends in the same bytes.

A point is drawn from its seed: a job of a finished demo that is run again, a fault, and when it
strikes. `make test-faults` runs all points, `pytest -m faults -k 107-` the one of seed 107; four
run with all other tests. docs/faults.md lists them.
"""

import random
from pathlib import Path
from typing import NamedTuple

import pytest

from kasu.files.tables import read_tsv

MEASURED = Path(__file__).resolve().parents[4] / "resources/measured/faults.tsv"
BERT = "bert1l-eu4k"
CLOZE = "neural_baseline/track1-low/0-0"


class Job(NamedTuple):
    """A job that is run again; paths are patterns below the results."""

    rule: str
    target: str
    deleted: tuple[str, ...] = ()  # its outputs
    work: str = ""  # the files from which it could be resumed
    workers: str = ""  # the name of its child processes


JOBS = {
    "training": (
        Job(
            "train_agreement",
            "agreement/models/verb_number/bilstm/demo-base.safetensors",
            ("agreement/models/verb_number/bilstm/demo-base.*",),
            work="agreement/work/verb_number-bilstm-demo-base/*",
        ),
        Job(
            "pretrain_model",
            "models/georgian-bert/model",
            ("models/georgian-bert",),
            work="models/work/georgian-bert/*",
        ),
        # Several models, each from checkpoint to checkpoint
        Job(
            "pretrain_small",
            f"pretraining/models/{BERT}/1/2/model",
            ("pretraining/models",),
            work="pretraining/work/small/*/*/*",
        ),
        Job(
            "train_networks",
            "blm/predictions/networks.parquet",
            ("blm/predictions/networks*",),
            work="blm/work/networks/*",
        ),
        Job(
            "inflect",
            "inflection/members/uzh/low/0-0.parquet",
            ("inflection/members/uzh/low/0-0.*",),
            work="inflection/work/uzh-low-0-0/*",
        ),
        Job(
            "inflect",
            f"cloze/members/{CLOZE}.parquet",
            (f"cloze/members/{CLOZE}.*",),
            work="cloze/work/neural_baseline-track1-low-0-0/*",
        ),
    ),
    "extraction": (
        Job(
            "extract_wikipedia",
            "corpora/wikis/euwiki-demo-pages-articles/sentences.parquet",
            ("corpora/wikis/euwiki-demo-pages-articles",),
            workers="python",
        ),
        Job(
            "build_corpus",
            "corpora/demo/sentences.parquet",
            ("corpora/demo/sentences.parquet", "corpora/demo/counts.tsv", "corpora/demo/drops.tsv"),
        ),
    ),
    "analysis": (
        Job(
            "analyse_corpus",
            "corpora/demo/analyses.parquet",
            ("corpora/demo/analyses*",),
            workers="lt-proc",
        ),
        Job(
            "lemmatise",
            "pretraining/pairs/demo-pairs-lemma.parquet",
            ("pretraining/pairs/demo-pairs-lemma*",),
            workers="lt-proc",
        ),
    ),
    "scoring": (
        Job(
            "score_sets",
            "minimal_sets/predictions/georgian-bert.parquet",
            ("minimal_sets/predictions/georgian-bert*",),
            work="minimal_sets/work/georgian-bert/*",
        ),
        Job(
            "score_small",
            f"pretraining/predictions/{BERT}/1-2/demo-pairs.parquet",
            (f"pretraining/predictions/{BERT}*",),
            work="pretraining/work/score_small/*/*",
        ),
        Job(
            "predict_agreement",
            "agreement/predictions/verb_number/bilstm/demo-base.parquet",
            ("agreement/predictions/verb_number/bilstm/demo-base.parquet",),
        ),
    ),
    "download": (Job("fetch_source", "own.txt"),),
}
JOBS["slurm"] = (JOBS["analysis"][0], *JOBS["scoring"])

FIRST = 101  # seed
# The stage of each point, in the order of the seeds
STAGES = (
    *("training",) * 14,
    *("extraction",) * 6,
    *("analysis",) * 6,
    *("scoring",) * 6,
    *("download",) * 4,
    *("slurm",) * 4,
)
# A fault that stands twice is drawn more often
EVERYWHERE = (
    *("kill-job", "terminate-job", "kill-workers", "kill-group", "interrupt-group"),
    *("kill-snakemake", "terminate-snakemake", "interrupt-snakemake"),
    *("full-disk", "full-disk", "clock-back"),
)
FAULTS = {
    "download": ("cut-connection", "kill-group"),
    "slurm": ("stop-slurmctld", "stop-slurmd", "kill-snakemake"),
}


class Point(NamedTuple):
    """A fault in a job."""

    seed: int
    stage: str
    job: Job
    fault: str
    seconds: float = 0  # after the job's start, or its first file in `work`
    resumes: bool = False  # whether to wait for that file
    share: float = 0  # of the bytes that the job writes or fetches: how many it can
    hours: int = 0  # by which the clock is set back

    @property
    def when(self) -> str:
        if self.share:
            return f"at {self.share:.0%}"
        by = f", by {self.hours} h" if self.hours else ""
        return f"{self.seconds} s after its {'first state' if self.resumes else 'start'}{by}"

    def __str__(self) -> str:
        return f"{self.seed}-{self.job.rule}-{self.fault}"


def draw(seed: int) -> Point:
    """The point of a seed."""
    drawn = random.Random(seed)
    stage = STAGES[seed - FIRST]
    job = drawn.choice(JOBS[stage])
    possible = FAULTS.get(stage, EVERYWHERE)
    fault = drawn.choice([each for each in possible if job.workers or each != "kill-workers"])
    if fault == "full-disk" or stage == "download":
        return Point(seed, stage, job, fault, share=drawn.randrange(5, 95, 5) / 100)
    hours = drawn.choice((1, 24, 1000)) if fault == "clock-back" else 0
    resumes = bool(job.work) and drawn.random() < 0.5
    # Jobs of the last stages take a second or two
    longest = 0.3 if resumes else 2 if job.work else 0.5
    return Point(seed, stage, job, fault, round(drawn.uniform(0, longest), 1), resumes, hours=hours)


POINTS = [draw(seed) for seed in range(FIRST, FIRST + len(STAGES))]


def test_the_measured_points_are_drawn_from_their_seeds():
    measured = read_tsv(MEASURED)
    drawn = [(str(each.seed), each.job.rule, each.fault, each.when) for each in POINTS]
    assert [(row["seed"], row["job"], row["fault"], row["when"]) for row in measured] == drawn


# Four kinds of faults in four stages, with the jobs that take the least time
@pytest.mark.workflow
@pytest.mark.parametrize("seed", [113, 117, 122, 132])
def test_a_plain_run_recovers(survive, seed):
    survive(POINTS[seed - FIRST])


@pytest.mark.faults
@pytest.mark.workflow
@pytest.mark.parametrize("point", POINTS, ids=str)
def test_a_plain_run_recovers_from_each(survive, point):
    survive(point)
