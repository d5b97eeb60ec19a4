"""Configs of whole runs that are bad or hostile: each ends in one line before a job starts."""

from pathlib import Path

import pytest

from kasu.agreement.plan import AgreementPlan
from kasu.blm.plan import BlmPlan
from kasu.cloze.plan import ClozePlan
from kasu.config.reading import read_settings
from kasu.config_command import stack
from kasu.corpora.plan import Corpora, Treebanks
from kasu.inflection.plan import InflectionPlan
from kasu.lm.plan import Models
from kasu.minimal_sets.plan import MinimalSetsPlan
from kasu.pretraining.plan import PretrainingPlan
from kasu.settings import Settings
from kasu.sources.registry import read_registry
from kasu.sources.workspace import Workspace

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def plan(config):
    """Plan all studies and the report; return the number of files that they build."""
    settings = read_settings(config, Settings)
    registry = read_registry(ROOT / "config" / "sources.tsv")
    workspace = Workspace("results/x", registry, Path("downloads"), [], settings.licences)
    corpora = Corpora(settings.corpora, settings.analysers, workspace)
    treebanks = Treebanks(settings.treebanks, workspace)
    models = Models(settings.models, workspace, lambda: pretraining.trained_models)
    pretraining = PretrainingPlan(settings.pretraining, corpora, models)
    plans = [
        AgreementPlan(settings.agreement, settings.seeds, corpora),
        BlmPlan(settings.blm, settings.seeds, models),
        ClozePlan(settings.cloze, workspace),
        InflectionPlan(settings.inflection, corpora),
        pretraining,
        MinimalSetsPlan(settings.minimal_sets, settings.seeds, treebanks, models, corpora),
    ]
    return sum(len(study.files) for study in plans if study.report)


@pytest.fixture
def stacked(tmp_path, monkeypatch):
    """The demo's config with lines of YAML upon it."""
    monkeypatch.chdir(ROOT)

    def make(text):
        (tmp_path / "mine.yaml").write_text(text)
        return stack([Path("config/config.yaml"), tmp_path / "mine.yaml"])

    return make


def test_the_demo_is_planned(stacked):
    assert plan(stacked("{}\n")) > 50


# What a user adds to the demo, and how the line begins, or why it is accepted
CASES = [row.split("\t") for row in (HERE / "runs.tsv").read_text().splitlines()[1:]]
LINES = dict(case for case in CASES if not case[1].startswith("accepted: "))
ACCEPTED = [config for config, _ in CASES if config not in LINES]


@pytest.mark.parametrize("config", LINES)
def test_a_bad_config_is_one_line(stacked, line, config):
    assert line(plan, stacked(config)).startswith(LINES[config])


@pytest.mark.parametrize("config", ACCEPTED)
def test_an_odd_config_is_planned(stacked, config):
    assert plan(stacked(config)) > 50
