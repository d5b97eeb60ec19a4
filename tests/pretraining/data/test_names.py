"""Names of budgets and of trained models."""

import pytest

from kasu.base.errors import KasuError
from kasu.pretraining.data.names import (
    Pretrained,
    name_system,
    parse_pretrained,
    parse_system,
    words_of,
)


def test_words_of_a_budget():
    assert words_of("25M") == 25_000_000
    assert words_of("8k") == 8_000


@pytest.mark.parametrize(
    ("system", "parts"),
    [
        ("BERT8L-eu5M", Pretrained("BERT8L", 5_000_000, False)),
        ("BERT12L-eu125M-lemma", Pretrained("BERT12L", 125_000_000, True)),
        ("BERT2L-eu50k", Pretrained("BERT2L", 50_000, False)),
        ("BERT4L-ka5M", Pretrained("BERT4L", 5_000_000, False)),
        ("BERT4L-kat300k-lemma", Pretrained("BERT4L", 300_000, True)),
        ("mBERT", None),
        ("Roberta-euscrawl-B", None),
    ],
)
def test_names_of_systems(system, parts):
    assert parse_system(system) == parts


def test_system_that_kasu_did_not_train():
    with pytest.raises(KasuError, match="system: 'mBERT'; expected model, language and budget"):
        parse_pretrained("mBERT")


def test_layers_are_in_the_name():
    assert parse_system("BERT12L-eu5M").layers == 12
    assert parse_system("small-eu5M").layers == 0


def test_a_name_is_read_as_it_was_written():
    system = name_system(12, "eu", "125M-lemma")
    assert system == "BERT12L-eu125M-lemma"
    assert parse_system(system) == Pretrained("BERT12L", 125_000_000, True)
