"""A dataset of one's own: split already, or made from a treebank."""

import pytest

from kasu.base.errors import KasuError
from kasu.cloze.data.settings import ClozeLanguageSettings
from kasu.config.reading import read_settings

FILES = {"dev": "b.conllu", "test": "c.conllu"}
MADE = {"name": "mine", "language": "sv", "treebank": FILES, "paradigms": ["swe"]}


def test_one_line_names_treebank_and_paradigms():
    found = read_settings(MADE, ClozeLanguageSettings)
    assert (found.variant, found.least, found.lemmata, found.features_second) == (
        "paper", 0.05, (), False,
    )  # fmt: skip
    assert found.conversion == "resources/tagsets/ud_unimorph.tsv"
    assert found.treebank.dump() == FILES


@pytest.mark.parametrize(
    "change",
    [
        {"splits": {"low": "a", "dev": "b", "test": "c"}},
        {"paradigms": []},
        {"language": None},
        {"treebank": None},
        {"treebank": {"dev": "b"}},
        {"lemmata": ["upper"]},
        {"variant": "other"},
        {"least": 2},
    ],
)
def test_what_does_not_go_together_is_an_error(change):
    stated = {key: value for key, value in (MADE | change).items() if value is not None}
    with pytest.raises(KasuError):
        read_settings(stated, ClozeLanguageSettings)
