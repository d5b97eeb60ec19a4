"""Names of the config that say what is not so, or that two entries would share."""

import pytest

from kasu.base.errors import KasuError
from kasu.pretraining.names import check_names, words_of

ORDERS = {"good_reorder": "a", "bad_reorder": "b"}


def settings(**changed: list) -> dict[str, list]:
    return {
        "models": [{"layers": 4, "hidden": 256}, {"layers": 8, "hidden": 512}],
        "budgets": [{"name": "1200k", "words": 1_200_000}, {"name": "5M", "corpus": "five"}],
        "pairs": [{"name": "bl2mp"}, {"name": "orders", "fields": ORDERS}],
    } | changed


def test_words_of_a_name():
    assert words_of("25M") == 25_000_000
    assert words_of("8k") == 8_000


def test_names_that_are_so():
    check_names(settings())


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"models": [{"layers": 4, "hidden": 256}, {"layers": 4, "hidden": 512}]},
            r"pretraining\.models: 4 layers 2 times; expected once",
        ),
        (
            {"budgets": [{"name": "25M", "words": 5_000_000}]},
            r"pretraining\.budgets, 25M: 5000000 words; expected 25000000, as its name says",
        ),
        (
            {"budgets": [{"name": "5M", "words": 5_000_000}, {"name": "5M", "corpus": "five"}]},
            r"pretraining\.budgets: 5000000 words 2 times; expected once",
        ),
        (
            {"budgets": [{"name": "1M", "corpus": "a"}, {"name": "1000k", "corpus": "b"}]},
            r"pretraining\.budgets: 1000000 words 2 times; expected once",
        ),
        (
            {"pairs": [{"name": "mine"}, {"name": "mine"}]},
            r"pretraining\.pairs: mine 2 times; expected once",
        ),
        (
            {"pairs": [{"name": "a", "fields": ORDERS}, {"name": "b", "fields": ORDERS}]},
            r"pretraining\.pairs: second word orders in a, b; expected one such set",
        ),
    ],
)
def test_names_that_are_not_so(changed, message):
    with pytest.raises(KasuError, match=message):
        check_names(settings(**changed))
