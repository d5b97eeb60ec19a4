"""The corpora and treebanks of a config."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.plan import Corpora, Treebanks
from kasu.corpora.settings import AnalyserSettings, CorpusSettings, TreebankSettings
from kasu.sources.registry import Entry, Source
from kasu.sources.workspace import Workspace, describe

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
    assert planned.source_sentences("own") == [
        "results/x/corpora/wikis/wiki/sentences.parquet",
        "results/x/corpora/texts/news/sentences.parquet",
    ]
    assert planned.text("news").reading == {"fields": [], "split": True, "tokenised": False}
    assert planned.file("own", "sentences", "config x") == (
        "results/x/corpora/own/sentences.parquet"
    )


def test_a_source_with_a_refused_licence_is_left_out():
    planned = corpora(OWN, licences=("CC BY-SA",))
    assert planned.source_sentences("own") == ["results/x/corpora/wikis/wiki/sentences.parquet"]
    assert planned.refused("own") == ["news"]


def test_sources_are_resolved_on_first_use():
    planned = corpora({"name": "own", "wikis": ["no such wiki"]})
    assert planned.file("own", "sentences", "config x").endswith("own/sentences.parquet")
    for ask in (lambda: planned.source_sentences("own"), lambda: planned.files):
        with pytest.raises(KasuError, match=r"^config corpora own: no such wiki: no such source"):
            ask()


def test_a_dictionary_that_is_missing_is_no_input(tmp_path):
    """So the runs of other studies are planned, and the job that needs it says what is missing."""
    file = tmp_path / "eu.bin"
    eus = AnalyserSettings.model_construct(name="eus", dictionary=str(file), tagset="eus.yaml")
    own = CorpusSettings.model_validate({**OWN, "language": "eu", "analyser": "eus"})
    planned = Corpora([own], [eus], workspace())
    assert planned.dictionary("own") == []
    file.touch()
    assert planned.dictionary("own") == [str(file)]


def test_a_corpus_with_a_mistake_does_not_stand_in_the_way_of_another():
    planned = corpora({"name": "wrong", "wikis": ["no such wiki"]}, OWN)
    assert planned.wiki("wiki").language == "eu"


def test_a_wiki_and_a_text_may_have_one_name_and_two_texts_may_not(tmp_path):
    for name in ("eu.xml", "eu.txt", "more/eu.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    one, other = ({"source": str(tmp_path / name)} for name in ("eu.txt", "more/eu.txt"))
    own = {"name": "own", "wikis": [str(tmp_path / "eu.xml")], "texts": [one]}
    planned = corpora(own)
    assert (planned.wiki("eu").kind, planned.text("eu").kind) == ("wikis", "texts")
    with pytest.raises(KasuError, match=r"eu\.txt"):
        corpora(own, {"name": "other", "texts": [other]}).text("eu")


@pytest.mark.parametrize("twice", [{"wikis": ["wiki", "wiki"]}, {"texts": 2 * OWN["texts"]}])
def test_a_source_twice_in_a_corpus_is_one_line(twice):
    with pytest.raises(KasuError, match=r"^config corpora own: .* already.*; expected each file"):
        corpora(OWN | twice).sources("own")


def test_a_file_twice_in_a_treebank_is_one_line():
    with pytest.raises(KasuError, match=r"^config treebanks bdt: .* already.*; expected each file"):
        of_treebank(*FILES, FILES[0]).sources("bdt")


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


def treebanks(path: Path, licence: str = "", *licences: str) -> list[Entry]:
    own = {"name": "own", "language": "ka", "files": [str(path), "news"], "licence": licence}
    planned = Treebanks([TreebankSettings.model_validate(own)], workspace(*licences))
    return planned.entries("own", "config x")


def test_the_config_states_the_licence_of_own_files_and_the_registry_of_others(tmp_path):
    path = tmp_path / "own.conllu"
    path.touch()
    stated = [describe(entry)["licence"] for entry in treebanks(path, "CC BY 4.0")]
    assert stated == ["CC BY 4.0", "CC BY-NC 4.0"]
    assert describe(treebanks(path)[0])["licence"] == "local file"


def test_a_licence_that_is_stated_must_be_admitted(tmp_path):
    path = tmp_path / "own.conllu"
    path.touch()
    assert [entry.file for entry in treebanks(path, "", "CC BY")] == [path]
    assert [entry.file for entry in treebanks(path, "CC BY 4.0", "CC BY")] == [path]
    assert treebanks(path, "CC BY-SA 4.0", "CC BY") == []


def test_the_config_states_the_licence_at_an_address():
    own = {"name": "own", "language": "ka", "files": ["https://h.example/a.conllu"]}
    settings = TreebankSettings.model_validate(own | {"licence": "CC BY 4.0"})
    space = workspace("CC BY")
    (entry,) = Treebanks([settings], space).entries("own", "config x")
    assert describe(entry)["licence"] == "CC BY 4.0"
    assert space.source_at("url/h.example/a.conllu").licence == "CC BY 4.0"


TREES = {"name": "bdt", "treebank": "bdt", "tagset": "ud.yaml"}


def of_treebank(*names: str, licences: tuple[str, ...] = ()) -> Corpora:
    """A corpus made from a treebank of these files, and one of text."""
    registry = {name: Source(name, name, licence="CC BY-SA 4.0") for name in names}
    space = Workspace("results/x", REGISTRY | registry, Path("downloads"), (), licences)
    trees = TreebankSettings.model_validate({"name": "bdt", "language": "eu", "files": names})
    entries = [CorpusSettings.model_validate({"language": "eu", **each}) for each in (TREES, OWN)]
    return Corpora(entries, [], space, Treebanks([trees], space))


FILES = ("eu-ud-test.conllu", "eu-ud-train.conllu", "eu-ud-dev.conllu")


def test_a_corpus_may_be_a_treebank():
    planned = of_treebank(*FILES)
    assert (planned.of_treebanks, planned.of_text) == (["bdt"], ["own"])
    assert planned.source_sentences("bdt")[0] == (
        "results/x/corpora/treebanks/eu-ud-test/sentences.parquet"
    )
    assert planned.treebank_files("bdt")[0] == "results/x/treebanks/eu-ud-test.parquet"
    assert planned.tagset("bdt") == "ud.yaml"
    assert planned.files[0] == "results/x/corpora/bdt/analyses.parquet"
    assert "analysis of bdt" in planned.reports("bdt", "counts")


def test_files_of_a_treebank_are_splits_if_it_has_all_three():
    splits = {"eu-ud-test": "test", "eu-ud-train": "train", "eu-ud-dev": "validation"}
    assert of_treebank(*FILES).own_splits("bdt") == splits
    assert of_treebank(*FILES[:2]).own_splits("bdt") == {}
    assert of_treebank(*FILES, "eu-more.conllu").own_splits("bdt") == {}
    assert of_treebank(*FILES).own_splits("own") == {}


def test_files_of_a_treebank_under_a_refused_licence_are_left_out():
    planned = of_treebank(*FILES, licences=("CC0",))
    assert (planned.source_sentences("bdt"), planned.refused("bdt")) == ([], list(FILES))


def test_a_file_of_the_users_own_under_a_refused_licence_is_named(tmp_path):
    path = tmp_path / "mine.conllu"
    path.touch()
    own = {"name": "bdt", "language": "eu", "files": [str(path)], "licence": "CC BY-NC 4.0"}
    space = workspace("CC0")
    entry = CorpusSettings.model_validate({"name": "b", "language": "eu", "treebank": "bdt"})
    trees = Treebanks([TreebankSettings.model_validate(own)], space)
    planned = Corpora([entry], [], space, trees)
    assert (planned.source_sentences("b"), planned.refused("b")) == ([], [str(path)])


def test_a_corpus_of_a_treebank_without_a_tagset_is_one_line():
    trees = TreebankSettings.model_validate({"name": "bdt", "language": "eu", "files": ["news"]})
    entry = CorpusSettings.model_validate({"name": "b", "language": "eu", "treebank": "bdt"})
    planned = Corpora([entry], [], workspace(), Treebanks([trees], workspace()))
    with pytest.raises(KasuError) as raised:
        planned.tagset("b")
    assert str(raised.value) == "config corpora b: a treebank without a tagset; expected a tagset"
