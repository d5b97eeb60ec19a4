"""The config against its schema: one readable line for the first mistake."""

import copy
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from kasu.base.config import check_config
from kasu.base.errors import KasuError

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "workflow" / "schemas" / "config.schema.yaml"
CONFIGS = sorted(path.name for path in (ROOT / "config").glob("*.yaml"))


def read(name: str) -> dict:
    return yaml.safe_load((ROOT / "config" / name).read_text())


def mistake(where: list[str | int], value: object) -> str:
    """What is said of the shipped config with another value at one place."""
    config = copy.deepcopy(read("config.yaml"))
    section = config
    for key in where[:-1]:
        section = section[key]
    section[where[-1]] = value
    with pytest.raises(KasuError) as error:
        check_config(config, SCHEMA)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_there_are_three_configs():
    assert {"config.yaml", "paper.yaml", "real.yaml"} <= set(CONFIGS)


@pytest.mark.parametrize("name", CONFIGS)
def test_shipped_configs_are_valid(name):
    config = read("config.yaml")
    update_config(config, read(name))
    check_config(config, SCHEMA)


def test_config_alone_holds_every_key_that_the_others_change():
    def keys(config: object, prefix: str = "") -> set[str]:
        if not isinstance(config, dict):
            return set()
        return {prefix + key for key in config}.union(
            *(keys(value, f"{prefix}{key}.") for key, value in config.items())
        )

    for name in CONFIGS:
        assert keys(read(name)) <= keys(read("config.yaml"))


@pytest.mark.parametrize(
    ("where", "value", "line"),
    [
        (["agreement", "polit"], 1, "config agreement: unknown key 'polit'; expected 'polite'"),
        (["agrement"], {}, "config: unknown key 'agrement'; expected 'agreement'"),
        (
            ["agreement", "training", "dropuot"],
            0.1,
            "config agreement.training: unknown key 'dropuot'; expected 'dropout'",
        ),
        (
            ["agreement", "split", "zzz"],
            0.1,
            "config agreement.split: unknown key 'zzz'; expected one of train, validation, test",
        ),
        (
            ["corpora", 0, "wiki"],
            "x",
            "config corpora[0]: unknown key 'wiki'; expected 'wikis'",
        ),
        (["device"], "tpu", "config device: found 'tpu'; expected one of auto, cpu, cuda"),
        (
            ["seeds"],
            [1, 1],
            "config seeds: found [1, 1]; expected a list of whole numbers, each once",
        ),
        (["seeds", 0], "one", "config seeds[0]: found 'one'; expected a whole number"),
        (["seeds", 0], True, "config seeds[0]: found True; expected a whole number"),
        (["mirror"], 3, "config mirror: found 3; expected a folder, or a list of folders"),
        (
            ["agreement", "training", "epochs"],
            "ten",
            "config agreement.training.epochs: found 'ten'; expected a whole number of 1 or more",
        ),
        (
            ["agreement", "split", "train"],
            1.5,
            "config agreement.split.train: found 1.5; expected a share from 0 to 1",
        ),
        (
            ["agreement", "length"],
            [2],
            "config agreement.length: found [2]; expected least and most lexical units",
        ),
        (
            ["agreement", "systems", 0],
            "transformer",
            "config agreement.systems[0]: found 'transformer'; "
            "expected one of majority, ngram, lstm, bilstm",
        ),
        (
            ["corpora", 0, "name"],
            "../x",
            "config corpora[0].name: found '../x'; expected a name of a-z, 0-9, _, ., -",
        ),
        (
            ["wikipedia", "bot_articles", "stubs"],
            "(",
            "config wikipedia.bot_articles.stubs: found '('; expected a regular expression",
        ),
    ],
)
def test_mistake_is_one_line_that_names_place_and_remedy(where, value, line):
    assert mistake(where, value) == line


def test_key_that_is_no_text_is_unknown():
    assert mistake([1], 2).startswith("config: unknown key 1; expected one of ")


def test_missing_key_is_named():
    config = read("config.yaml")
    del config["agreement"]["split"]["test"]
    with pytest.raises(KasuError) as error:
        check_config(config, SCHEMA)
    assert str(error.value) == (
        "config agreement.split: no key 'test'; expected the shares of train, validation and test"
    )


def test_unknown_key_stands_before_a_missing_one():
    config = read("config.yaml")
    config["agreement"]["polit"] = config["agreement"].pop("polite")
    with pytest.raises(KasuError, match="unknown key 'polit'; expected 'polite'"):
        check_config(config, SCHEMA)


def test_empty_config_is_one_line():
    with pytest.raises(KasuError, match=r"^config: no key '\w+'; expected "):
        check_config({}, SCHEMA)


@pytest.mark.parametrize("name", ["..", "."])
def test_name_of_a_corpus_is_no_path(name):
    assert mistake(["corpora", 0, "name"], name).startswith("config corpora[0].name: found ")
