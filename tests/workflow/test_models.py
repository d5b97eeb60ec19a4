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


BERT = {"model_type": "bert", "architectures": ["BertForMaskedLM"]}


def test_folders_serve_every_study_and_have_names_of_their_own(copy_workflow, model_folder):
    gpt, bert = model_folder("gpt/model"), model_folder("bert/model", **BERT)
    copy = copy_workflow()
    config = yaml.safe_load((copy.folder / "small.yaml").read_text())
    config["models"].append({"name": "mine", "folder": gpt})
    config["minimal_sets"]["collections"][0]["models"] = ["mine", gpt, bert]
    config["pretraining"]["published"] = ["mine", gpt, bert]
    config["blm"] |= {"encoder": gpt, "fills": bert}
    (copy.folder / "small.yaml").write_text(yaml.safe_dump(config))
    done = copy.run("minimal_sets", "pretraining", "blm", "-n")
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    for output in (
        *(f"minimal_sets/predictions/{name}.parquet" for name in ("mine", "gpt", "bert")),
        *(f"pretraining/predictions/published/{name}/" for name in ("mine", "gpt", "bert")),
        "blm/embeddings/gpt-auto.parquet",
    ):
        assert f"output: results/demo/{output}" in said
    config["models"][-1]["kind"] = "masked"
    (copy.folder / "small.yaml").write_text(yaml.safe_dump(config))
    done = copy.run("pretraining", "-n")
    assert done.returncode == 1
    line = "error: config models mine: kind 'masked' of a gpt2 network, causal; expected the kind"
    assert line in done.stderr
    assert "Traceback" not in done.stderr


def test_the_section_that_asks_for_an_unknown_model_is_named(plan):
    done = plan("minimal_sets")
    assert done.returncode == 1
    line = (
        "config minimal_sets.collections: model 'georgian-bert': no such model; "
        "expected one of my-bert, my-encoder"
    )
    assert line in done.stderr + done.stdout
