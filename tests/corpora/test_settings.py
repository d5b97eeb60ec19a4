"""The sections on raw material."""

import pytest

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.config.settings import Section
from kasu.corpora.settings import CorpusSettings, Treebanks, WikipediaSettings


class Config(Section):
    """A config of treebanks alone."""

    treebanks: Treebanks


def test_a_treebank_named_twice_is_one_line():
    treebank = {"name": "glc", "language": "ka", "files": ["a.conllu"]}
    with pytest.raises(KasuError) as error:
        read_settings({"treebanks": [treebank, treebank]}, Config)
    assert str(error.value) == "config treebanks: 'glc' 2 times; expected each name once"


def test_one_article_in_a_hundred_may_be_broken():
    assert WikipediaSettings().broken_share == 0.01


def test_articles_by_bots_are_dropped_from_the_wiki_of_their_language_alone():
    assert {language: [*marks] for language, marks in WikipediaSettings().bot_articles.items()} == {
        "eu": ["year", "species", "municipality", "asteroid"]
    }


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"treebank": "b", "wikis": ["c"]},
         "treebank beside wikis, texts or analyser; expected a treebank alone, with a tagset"),
        ({"tagset": "b.yaml", "texts": [{"source": "t"}]},
         "tagset without treebank; expected both, or an analyser"),
    ],
)  # fmt: skip
def test_a_corpus_is_of_text_or_a_treebank(given, said):
    with pytest.raises(KasuError) as raised:
        read_settings({"name": "a", "language": "eu", **given}, CorpusSettings)
    assert str(raised.value) == f"config corpora a: {said}"
