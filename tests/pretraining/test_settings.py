"""The section `pretraining`: names that say something false, or that two entries share."""

import pytest

from kasu.base.errors import KasuError
from kasu.base.settings import read_settings
from kasu.pretraining.settings import PretrainingSettings

ORDERS = {"good_reorder": "a", "bad_reorder": "b"}
STEPS = {"epochs": 1, "steps_per_epoch": 1}


def budget(name: str, **more: object) -> dict:
    return {"name": name, **STEPS, **more}


def pairs(name: str, **more: object) -> dict:
    return {"name": name, "sources": ["pairs.jsonl"], **more}


def settings(**changed: list) -> dict:
    return {
        "corpus": "basque",
        "models": [{"layers": 4, "hidden": 256}, {"layers": 8, "hidden": 512}],
        "budgets": [budget("1200k", words=1_200_000), budget("5M", words=5_000_000)],
        "pairs": [pairs("bl2mp"), pairs("orders", fields=ORDERS)],
    } | changed


def test_the_length_of_rows_follows_the_recipe():
    given = settings() | {"training": {"recipe": "paper"}}
    assert read_settings(given, PretrainingSettings).training.length == 512
    assert read_settings(settings(), PretrainingSettings).training.length == 128


def test_an_unknown_recipe_is_one_line():
    with pytest.raises(
        KasuError, match=r"training\.recipe: found .*; expected one of paper, short"
    ):
        read_settings(settings() | {"training": {"recipe": ["paper"]}}, PretrainingSettings)


def test_true_names_pass():
    assert len(read_settings(settings(), PretrainingSettings).budgets) == 2


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        (
            {"models": [{"layers": 4, "hidden": 256}, {"layers": 4, "hidden": 512}]},
            "pretraining.models: '4 layers' 2 times; expected each name once",
        ),
        (
            {"budgets": [budget("25M", words=5_000_000)]},
            "pretraining.budgets, 25M: 5000000 words; expected 25000000, as its name says",
        ),
        (
            {"budgets": [budget("5M", words=5_000_000), budget("5M", corpus="five")]},
            "pretraining.budgets: '5000000 words' 2 times; expected each name once",
        ),
        (
            {"budgets": [budget("1M", corpus="a"), budget("1000k", corpus="b")]},
            "pretraining.budgets: '1000000 words' 2 times; expected each name once",
        ),
        (
            {"pairs": [pairs("mine"), pairs("mine")]},
            "pretraining.pairs: 'mine' 2 times; expected each name once",
        ),
        (
            {"pairs": [pairs("a", fields=ORDERS), pairs("b", fields=ORDERS)]},
            "pretraining.pairs: second word orders in a, b; expected one such set",
        ),
        (
            {"budgets": [budget("1M", words=1_000_000), budget("5M", corpus="five")]},
            "pretraining: some of budgets and validation are corpora; expected all or none",
        ),
        (
            {"budgets": [budget("5M", corpus="five")], "validation": 0.05},
            "pretraining: some of budgets and validation are corpora; expected all or none",
        ),
        (
            {"validation": "held-out"},
            "pretraining: some of budgets and validation are corpora; expected all or none",
        ),
        (
            {"budgets": [budget("1M")]},
            "budgets[0]: found {'name': '1M', 'epochs': 1, 'steps_per_epoch': 1}; "
            "expected name, epochs, steps_per_epoch, and words or a corpus",
        ),
    ],
)
def test_names_that_mislead_or_merge_are_one_line(changed, line):
    with pytest.raises(KasuError) as error:
        read_settings(settings(**changed), PretrainingSettings)
    assert str(error.value) == f"config {line}"
