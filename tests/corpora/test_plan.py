"""The corpora and treebanks of a config."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.base.sources import Source
from kasu.base.workspace import Workspace
from kasu.corpora.plan import Corpora, Treebanks
from kasu.corpora.settings import CorpusSettings, TreebankSettings

REGISTRY = {
    "news": Source("news", "news.txt", "https://kasu.invalid/news.txt", licence="CC BY-NC 4.0"),
    "wiki": Source("wiki", "wiki.xml", "https://kasu.invalid/wiki.xml", licence="CC BY-SA 4.0"),
}


def workspace(*licences: str) -> Workspace:
    return Workspace("results/x", REGISTRY, Path("downloads"), (), licences)


def corpora(*entries: dict, licences: tuple[str, ...] = ()) -> Corpora:
    settings = [CorpusSettings.model_validate({"language": "eu", **entry}) for entry in entries]
    return Corpora(settings, [], workspace(*licences))


OWN = {"name": "own", "wikis": ["wiki"], "texts": [{"source": "news", "split": True}]}


def test_a_corpus_has_a_folder_for_each_source():
    planned = corpora(OWN)
    assert planned.folders("own") == [
        "results/x/corpora/wikis/wiki",
        "results/x/corpora/texts/news",
    ]
    assert planned.text("news").reading == {"fields": [], "split": True, "tokenised": False}
    assert planned.file("own", "sentences", "config x") == (
        "results/x/corpora/own/sentences.parquet"
    )


def test_a_source_with_a_refused_licence_is_left_out():
    planned = corpora(OWN, licences=("CC BY-SA",))
    assert planned.folders("own") == ["results/x/corpora/wikis/wiki"]
    assert planned.refused("own") == ["news"]


def test_sources_are_resolved_on_first_use():
    planned = corpora({"name": "own", "wikis": ["no such wiki"]})
    assert planned.file("own", "sentences", "config x").endswith("own/sentences.parquet")
    for ask in (lambda: planned.folders("own"), lambda: planned.files):
        with pytest.raises(KasuError, match=r"^config corpora own: no such wiki: no such source"):
            ask()


def test_a_corpus_with_a_mistake_does_not_stand_in_the_way_of_another():
    planned = corpora({"name": "wrong", "wikis": ["no such wiki"]}, OWN)
    assert planned.wiki("wiki").language == "eu"


def test_an_unknown_corpus_names_the_section_that_asked():
    with pytest.raises(KasuError) as raised:
        corpora(OWN).file("other", "sentences", "config agreement")
    assert str(raised.value) == "config agreement: corpus 'other'; expected one of own"


def test_an_unknown_treebank_is_reported(tmp_path):
    settings = TreebankSettings.model_validate({"name": "a", "language": "ka", "files": ["news"]})
    treebanks = Treebanks([settings], workspace())
    assert treebanks.files("a", "config x") == ["results/x/treebanks/news.parquet"]
    with pytest.raises(KasuError) as raised:
        treebanks.files("b", "config minimal_sets")
    assert str(raised.value) == (
        "config minimal_sets: treebank 'b': no such treebank; expected one of a"
    )
