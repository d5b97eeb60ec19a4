"""Models of a user's own, where no other section of the demo's config finds its model."""

import re
import subprocess

import pytest
import yaml

pytestmark = pytest.mark.workflow

MINE = {
    "models": [
        {"name": "my-bert", "id": "me/my-bert", "revision": "main"},
        {"name": "my-encoder", "id": "my-encoder", "revision": "v1"},
    ],
    "pretraining": {"published": ["my-bert"]},
    "blm": {"encoder": "my-encoder"},
}
FETCHED = re.compile(r"output: resources/downloads/models/(\S+), ")


@pytest.fixture(scope="module")
def plan(copy_workflow):
    """A dry run with two models of a user's own over the demo's config."""
    copy = copy_workflow()
    (copy.folder / "mine.yaml").write_text(yaml.safe_dump(MINE))

    def run(*targets: str) -> subprocess.CompletedProcess:
        return copy.run(*targets, "-n", config=("--configfile", "config/config.yaml", "mine.yaml"))

    return run


def test_only_the_models_of_the_targets_are_planned(plan):
    done = plan("pretraining", "blm")
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    assert sorted(FETCHED.findall(said)) == ["me/my-bert/main", "my-encoder/v1"]
    rules = set(re.findall(r"^(?:local)?rule (\w+):", said, re.MULTILINE))
    assert {"fetch_model", "embed_problems", "score_pairs"} <= rules
    assert not rules & {"pretrain_model", "score_sets", "train_agreement", "inflect"}


def test_the_section_that_asks_for_an_unknown_model_is_named(plan):
    done = plan("minimal_sets")
    assert done.returncode == 1
    line = (
        "config minimal_sets.collections: model 'georgian-bert': no such model; "
        "expected one of my-bert, my-encoder"
    )
    assert line in done.stderr + done.stdout
