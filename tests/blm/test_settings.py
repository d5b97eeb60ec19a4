"""The section `blm`: entries that must fit together."""

import pytest

from kasu.base.errors import KasuError
from kasu.blm.settings import BlmSettings
from kasu.config.reading import read_settings


def settings(built: list[str], *named: tuple[str, str]) -> dict:
    variants = [
        {"name": name, "answers": answers, "sizes": "paper", "loss": "dot", "score": "dot"}
        for name, answers in named
    ]
    return {"variant": built, "training": {"variants": variants}}


def test_variants_of_answer_sets_that_are_built_pass():
    named = (("one", "released"), ("two", "released"), ("three", "paper"))
    read = read_settings(settings(["released", "paper"], *named), BlmSettings)
    assert [variant.name for variant in read.training.variants] == ["one", "two", "three"]


def test_the_released_code_trains_100_epochs_and_the_paper_50():
    training = BlmSettings().training
    epochs = {variant.name: variant.epochs for variant in training.variants}
    assert epochs == {"released": 100, "paper": 50}
    assert training.patience == 100  # neither stops early


def test_a_sentence_encoder_is_used_as_its_makers_say_by_default():
    assert BlmSettings().encoding.pooling == "auto"


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            settings(["paper"], ("one", "paper"), ("one", "paper")),
            "config blm.training.variants: 'one' 2 times; expected each name once",
        ),
        (
            settings(["released"], ("one", "released"), ("two", "paper")),
            "config blm.training.variants: 'two' answers 'paper'; "
            "expected some of blm variant: released",
        ),
        (
            {
                "regimes": ["allTrain"],
                "training": {
                    "variants": [
                        {
                            "name": "one",
                            "answers": "paper",
                            "sizes": "paper",
                            "loss": "dot",
                            "score": "dot",
                            "regimes": ["bySeed"],
                        }
                    ]
                },
            },
            "config blm.training.variants: 'one' trains on 'bySeed'; "
            "expected some of blm regimes: allTrain",
        ),
        ({"folds": 1}, "config blm.folds: found 1; expected two or more, or null for one split"),
        (
            {"regimes": ["bySeed"]},
            "config blm.regimes: found ['bySeed']; expected a list with allTrain",
        ),
    ],
)
def test_entries_that_do_not_fit_are_one_line(given, line):
    with pytest.raises(KasuError) as error:
        read_settings(given, BlmSettings)
    assert str(error.value) == line
