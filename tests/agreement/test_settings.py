"""The section `agreement`: its defaults are the paper's."""

import pytest
from pydantic import ValidationError

from kasu.agreement.settings import AgreementSettings
from kasu.base.errors import KasuError


def test_defaults_are_those_of_the_paper():
    assert AgreementSettings(corpora=("basque",)).dump() == {
        "corpora": ["basque"],
        "grid": [{"task": "verb_number", "conditions": ["base"]}],
        "training_sets": [],
        "variant": ["paper", "released"],
        "split": {"train": 0.7066, "validation": 0.0977, "test": 0.1957},
        "max_sentences": {},
        "length": [2, 60],
        "polite": "singular",
        "suffix_reading": "any",
        "suffix_source": "analysis",
        "no_article": "strip",
        "training": {
            "embedding": 150,
            "hidden": 150,
            "mlp": 128,
            "vocabulary": 100_000,
            "ngram_lengths": [1, 5],
            "boundary_markers": False,
            "activation": "tanh",
            "dropout": 0.0,
            "batch_size": 32,
            "epochs": 10,
            "patience": 10,
            "learning_rate": 0.001,
            "threads": 1,
            "checkpoint_every": 600,
        },
        "probes": {
            "verbs": ["da", "zen", "ziren", "any"],
            "folds": 10,
            "hidden": 128,
            "treebank_hidden": [100, 50],
            "initialisations": 5,
            "batch_size": 256,
            "epochs": 100,
            "patience": 5,
            "learning_rate": 0.003,
        },
    }


@pytest.mark.parametrize(("train", "found"), [(0.9, "0.9, 0.2 and 0.2"), (0.5, "0.5, 0.2 and 0.2")])
def test_shares_must_sum_to_1(train, found):
    split = {"train": train, "validation": 0.2, "test": 0.2}
    with pytest.raises((KasuError, ValidationError), match=f"found {found}; expected shares that"):
        AgreementSettings.model_validate({"corpora": ("basque",), "split": split})


def test_some_splits_may_be_limited():
    given = {"corpora": ("basque",), "max_sentences": {"train": 5, "test": None}}
    limits = AgreementSettings.model_validate(given).max_sentences
    assert (limits.train, limits.validation, limits.test) == (5, None, None)
    assert limits.dump() == {"train": 5}
