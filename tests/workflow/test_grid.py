"""A further member, language or family of the grid: what stands is not trained again.

One family learns from a language at a time and reads a file of its settings, another one learns
from all languages at once.
"""

import re

import pytest
import yaml

from kasu.files.tables import read_parquet

pytestmark = pytest.mark.workflow

# Each member answers with the lemma and its seed, and writes down what it trained on
TOY = '''"""A toy family: two submissions of three members."""

from pathlib import Path

from kasu.config.settings import Section
from kasu.transduction.members.families import Answers, CustomFamily, alone
from kasu.transduction.items import Answer
from kasu.transduction.voting import majority


class Settings(Section):
    """A file."""

    table: str = "table.txt"


def vote(members):
    return majority([alone([member]) for member in members])


def train(data, members, options, session):
    with Path("trained.txt").open("a") as file:
        file.writelines(f"{data.language} {run.seed}\\n" for run in members)

    def answers(run, items):
        return [Answer([item.source + str(run.seed)]) for item in items]

    return {run: Answers(answers(run, data.dev), answers(run, data.test)) for run in members}


FAMILY = CustomFamily(
    __name__,
    members={"low": 3},
    submissions={"toy-01": alone, "toy-02": vote},
    settings=Settings,
    files=("table",),
    trained_by=train,
)
'''
POOLED = (
    TOY.replace('files=("table",)', 'pools={"low": together}')
    .replace("toy-", "pooled-")
    .replace("CustomFamily, alone", "CustomFamily, alone, together")
)
OWN = [
    {"name": name, "paradigms": f"resources/demo/inflection/{file}.paradigms.tsv"}
    for name, file in (("harmonic", "harmonic"), ("prefixal", "prefixal"), ("own", "harmonic"))
]


class Study:
    """A copy of the workflow with the toy families, which train members on some languages."""

    def __init__(self, copy):
        self.copy = copy
        systems = copy.folder / "workflow/kasu/inflection/systems"
        (systems / "toy.py").write_text(TOY, encoding="utf-8")
        (systems / "pooled.py").write_text(POOLED, encoding="utf-8")
        self.table = copy.folder / "table.txt"
        self.table.write_text("one")
        self.results = copy.folder / "results/demo/inflection"

    def config(self, members=1, languages=2, families=("toy", "pooled"), device="auto"):
        lines = [{"systems": [name], "settings": ["low"], "members": members} for name in families]
        section = {"languages": OWN[:languages], "packs": 2, "grid": lines}
        own = {"device": device, "inflection": section}
        (self.copy.folder / "own.yaml").write_text(yaml.safe_dump(own))
        return ("--configfile", "small.yaml", "own.yaml")

    def planned(self, **what):
        """The family, pack and block of each job that a dry run would run to train."""
        done = self.copy.run("inflection", "-n", config=self.config(**what))
        assert done.returncode == 0, done.stderr
        found = r"wildcards: study=inflection, family=(\w+), setting=low, pack=(\d), block=(\d)"
        return set(re.findall(found, done.stdout))

    def run(self, **what):
        """What a run trained: lines of language and seed."""
        trained = self.copy.folder / "trained.txt"
        trained.unlink(missing_ok=True)
        done = self.copy.run("inflection", config=self.config(**what))
        assert done.returncode == 0, done.stderr
        return sorted(trained.read_text().splitlines()) if trained.exists() else []


@pytest.fixture(scope="module")
def study(copy_workflow):
    study = Study(copy_workflow())
    assert study.run() == ["harmonic 1", "pool 1", "prefixal 1"]
    return study


def test_nothing_runs_again(study):
    assert study.planned() == set()


def test_another_device_trains_no_family_without_networks(study):
    assert study.planned(device="cpu") == set()


def test_a_changed_file_of_its_settings_trains_a_family_again_and_no_other(study):
    study.table.write_text("two")
    assert study.run() == ["harmonic 1", "prefixal 1"]


def test_further_members_are_further_jobs(study):
    planned = study.planned(members=3)
    jobs = {(family, block) for family, _, block in planned}
    assert jobs == {("toy", "1"), ("pooled", "1")}


def test_a_further_family_runs_alone(study):
    planned = study.planned(families=("toy", "pooled", "baseline"))
    assert {family for family, _, _ in planned} == {"baseline"}


def test_a_new_file_of_a_family_trains_itself_and_no_other(study):
    system = study.copy.folder / "workflow/kasu/inflection/systems/other.py"
    system.write_text(TOY.replace("toy-", "other-"), encoding="utf-8")
    # Unless a line of the grid names it, it changes nothing at all
    assert study.copy.planned("inflection", config=study.config()) == set()
    planned = study.planned(families=("toy", "pooled", "other"))
    system.unlink()
    assert {family for family, _, _ in planned} == {"other"}


def test_a_further_language_runs_its_pack_and_trains_no_other_but_a_pool(study):
    planned = study.planned(languages=3)
    assert sorted(family for family, _, _ in planned) == ["pooled", "toy"]
    assert study.run(languages=3) == ["own 1", "pool 1"]
    assert study.run(languages=3, members=3) == [
        f"{language} {seed}"
        for language in ("harmonic", "own", "pool", "prefixal")
        for seed in (2, 3)
    ]
    # The vote of three is submitted now
    for system in ("toy-02", "pooled-02"):
        votes = read_parquet(study.results / f"predictions/{system}/low.parquet")
        assert set(votes["members"].to_pylist()) == {3}
        assert set(votes["language"].to_pylist()) == {"harmonic", "own", "prefixal"}


def test_a_mistake_of_the_grid_is_one_line(study):
    config = study.config()
    line = {"systems": ["toy"], "languages": ["harmonik"]}
    (study.copy.folder / "wrong.yaml").write_text(yaml.safe_dump({"inflection": {"grid": [line]}}))
    done = study.copy.run("inflection", "-n", config=(*config, "wrong.yaml"))
    assert done.returncode == 1
    found = "error: config inflection.grid[0].languages: no language 'harmonik'; expected a"
    assert found in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
