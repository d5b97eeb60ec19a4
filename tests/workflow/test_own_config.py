"""A config of a user's own stands on its own: its studies run, with the defaults of all keys."""

import re
import shutil

import pytest
import yaml

pytestmark = pytest.mark.workflow

MINE = {
    "results": "results/mine",
    "corpora": [
        {
            "name": "words",
            "language": "eu",
            "treebank": "mine",
            "tagset": "resources/tagsets/ud-basque.yaml",
        }
    ],
    "treebanks": [
        {
            "name": "mine",
            "language": "eu",
            "files": [
                "resources/demo/basque/eu_demo-ud-train.conllu",
                "resources/demo/basque/eu_demo-ud-test.conllu",
            ],
        }
    ],
    "agreement": {"corpora": ["words"], "grid": [{"systems": ["majority", "bilstm"]}]},
}


@pytest.fixture(scope="module")
def plan(copy_workflow):
    copy = copy_workflow()

    def planned(config, *targets, words=()):
        shutil.copy(copy.folder / MINE["treebanks"][0]["files"][0], copy.folder / "other.conllu")
        (copy.folder / "mine.yaml").write_text(yaml.safe_dump(config))
        return copy.run(*targets, "-n", config=(*words, "--configfile", "mine.yaml"))

    return planned


def test_the_studies_of_the_config_run(plan):
    done = plan(MINE, "all")
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    rules = set(re.findall(r"^(?:local)?rule (\w+):", said, re.MULTILINE))
    assert {"train_agreement", "score_agreement", "build_report"} <= rules
    assert not rules & {"inflect", "build_type_i", "score_pairs", "score_sets", "train_tokenizer"}
    assert "results/demo" not in said
    line = (
        "mine.yaml stands on its own: networks have the papers' sizes where it states none; the "
        "demo's small ones stand in config/config.yaml"
    )
    assert said.count(line) == 1


def test_results_must_be_stated(plan):
    done = plan({"seeds": [2]}, "all")
    assert done.returncode == 1
    assert "error: config: no key 'results'; expected a folder for all outputs" in done.stderr


@pytest.mark.parametrize(
    ("config", "target", "line"),
    [
        (
            MINE,
            "blm",
            "error: target blm: a study that this config does not have; expected a section blm in "
            "the config; empty, `blm: {}`, it has the defaults",
        ),
        (MINE | {"agreement": None}, "agreement", "error: target agreement: a study that "),
        (MINE | {"blm": None}, "blm", "config blm: empty, so this study does not run; blm: {} "),
        (
            {"results": "results/mine"},
            "all",
            "error: config: no study; expected one section or more of agreement, inflection, "
            "cloze, blm, pretraining, minimal_sets",
        ),
    ],
)
def test_a_study_without_a_section_is_one_line(plan, config, target, line):
    done = plan(config, target)
    assert done.returncode == 1
    assert [each for each in done.stderr.splitlines() if each.startswith(line)], done.stderr
    assert "Traceback" not in done.stderr


def test_an_empty_section_has_the_defaults(plan):
    done = plan(MINE | {"blm": {}}, "blm")
    assert done.returncode == 0, done.stderr


def test_words_after_config_are_read_as_in_a_file(plan):
    done = plan(MINE, "all", words=["agreement={training: {hidden: 0}}"])
    assert "error: config agreement.training.hidden: found 0; expected a whole" in done.stderr


def test_toys_on_other_data_are_named_before_they_run(plan):
    toys = {"corpora": ["words"], "training": {"hidden": 48, "embedding": 150}}
    line = (
        "agreement: networks have the demo's toy sizes, and the data are not the demo's: "
        "training.hidden 48"
    )
    treebank = {"name": "mine", "language": "eu", "files": ["other.conllu"]}
    own = MINE | {"agreement": MINE["agreement"] | toys, "treebanks": [treebank]}
    assert plan(own, "agreement").stderr.splitlines().count(line) == 1
    assert "toy sizes" not in plan(own | {"treebanks": MINE["treebanks"]}, "agreement").stderr
    assert "toy sizes" not in plan(MINE | {"treebanks": [treebank]}, "agreement").stderr
