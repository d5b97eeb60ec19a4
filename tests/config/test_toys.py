"""The toy sizes of the demo's networks, where a run has them."""

import pytest
import yaml

from kasu.base.paths import ROOT
from kasu.config.toys import find_toys

DEMO = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
WRONG = "have the demo's toy sizes, and the data are not the demo's: "


@pytest.mark.parametrize(
    ("study", "sizes"),
    [
        ("agreement", "training.embedding 48, training.hidden 48, training.mlp 64"),
        ("blm", "training.max_steps 100"),
        ("pretraining", "models[0].hidden 128"),
        ("minimal_sets", "models georgian-bert.training.hidden 128"),
        ("inflection", "grid[2].options.hidden 48, grid[3].options.hidden 48"),
        ("cloze", "grid[1].options.hidden 48, grid[1].options.embedding 48"),
    ],
)
def test_every_study_of_the_demo_has_toys(study, sizes):
    assert f"{find_toys(study, DEMO)}, ".startswith(f"{WRONG}{sizes}, ")


def test_real_sizes_are_none():
    own = {"agreement": {"training": {"hidden": 150, "embedding": 150, "epochs": 48}}}
    assert find_toys("agreement", own) is None


def test_a_line_of_ones_own_may_have_other_systems_and_the_size_of_toys():
    line = {"systems": ["uzh"], "options": {"hidden": 48, "epochs": 200}}
    assert find_toys("inflection", {"inflection": {"grid": [line]}}) == (
        f"{WRONG}grid[0].options.hidden 48"
    )


def test_a_model_that_the_study_does_not_name_is_none_of_it():
    collections = [{"treebank": "finnish", "models": ["bert-base"]}]
    config = DEMO | {"minimal_sets": {"collections": collections}}
    assert find_toys("minimal_sets", config) is None
