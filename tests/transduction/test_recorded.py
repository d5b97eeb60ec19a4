"""Configurations on record."""

import pytest

from kasu.base.errors import KasuError
from kasu.transduction.recorded import configuration_of, read_sizes

CELLS = {("fr", "low"): 1, ("de", "low"): 2, ("en", "low"): 2, ("de", "high"): 3}


@pytest.mark.parametrize(
    ("language", "setting", "found"), [("fr", "low", 1), ("ka", "low", 2), ("fr", "high", 3)]
)
def test_a_language_without_a_record_has_the_usual_configuration(language, setting, found):
    assert configuration_of(CELLS, language, setting, "x.tsv") == found


def test_a_setting_without_a_record_is_one_line():
    with pytest.raises(KasuError) as raised:
        configuration_of(CELLS, "fr", "medium", "x.tsv")
    assert str(raised.value) == "x.tsv: no setting medium; expected one of low, high"


def test_sizes_are_numbers_in_their_range():
    row = {"size": "3", "layers": "1", "dropout": "0"}
    assert read_sizes(row, ["size", "layers"], "x.tsv:2") == ({"size": 3, "layers": 1}, 0.0)
    with pytest.raises(KasuError, match=r"x.tsv:2: layers 0; expected 1 or more"):
        read_sizes(row | {"layers": "0"}, ["layers"], "x.tsv:2")
    with pytest.raises(KasuError, match=r"x.tsv:2: dropout 1.0; expected 0 or more, below 1"):
        read_sizes(row | {"dropout": "1"}, [], "x.tsv:2")
