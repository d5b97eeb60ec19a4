"""What language models exist for a config."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.corpora.plan import Corpora
from kasu.corpora.settings import CorpusSettings
from kasu.lm.plan import Models, Trained
from kasu.lm.settings import ModelSettings
from kasu.sources.workspace import Workspace

COMMIT = "0123456789abcdef0123456789abcdef01234567"
HUB = {"name": "xlmr", "id": "owner/xlmr", "revision": COMMIT, "licence": "MIT"}
TRAINING = {"vocabulary": 500, "layers": 1, "hidden": 64, "steps": 20}
OWN = {"name": "own", "corpus": "text", "training": TRAINING}

BERT = Trained("results/x/pretraining/last", "results/x/pretraining/4k.parquet")


def models(*given, trained=dict) -> Models:
    settings = [ModelSettings.model_validate(model) for model in given]
    return Models(settings, Workspace("results/x", {}, Path("downloads")), trained)


def test_a_model_is_of_a_hub_trained_here_or_a_folder(tmp_path):
    known = models(HUB, OWN, trained=lambda: {"bert-4k": BERT})
    assert known.folder("xlmr", "config blm") == f"downloads/models/owner/xlmr/{COMMIT}"
    assert known.folder("own", "config blm") == "results/x/models/own/model"
    assert known.folder("bert-4k", "config blm") == "results/x/pretraining/last"
    assert known.folder(str(tmp_path), "config blm") == str(tmp_path)


def test_a_folder_is_no_model_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    assert models(OWN).folder("./own", "config blm") == "own"


def test_an_unknown_model_names_the_section_that_asks():
    line = (
        r"config blm encoder: model 'georgian-bert': no such model; "
        r"expected one of xlmr, bert-4k or a folder"
    )
    with pytest.raises(KasuError, match=line):
        models(HUB, trained=lambda: {"bert-4k": BERT}).folder("georgian-bert", "config blm encoder")


def test_models_that_a_study_trains_are_asked_for_only_when_needed():
    def fails():
        raise KasuError("config pretraining", "a mistake")

    known = models(HUB, OWN, trained=fails)
    assert known.folder("own", "config blm") == "results/x/models/own/model"
    with pytest.raises(KasuError, match="config pretraining: a mistake"):
        known.folder("bert-4k", "config blm")


def test_the_training_text_of_a_model_trained_here():
    known = models(HUB, OWN, trained=lambda: {"bert-4k": BERT})
    text = CorpusSettings.model_validate({"name": "text", "language": "ka", "wikis": ["kawiki"]})
    corpora = Corpora([text], [], known.workspace)
    names = ("xlmr", "own", "bert-4k", "elsewhere/model")
    assert [known.training_text(name, corpora) for name in names] == [
        None, "results/x/corpora/text/sentences.parquet", BERT.text, None,
    ]  # fmt: skip
    with pytest.raises(KasuError, match="config models own: corpus 'text'"):
        known.training_text("own", Corpora([], [], known.workspace))


def test_kind_and_code_of_a_model():
    known = models(HUB | {"kind": "causal", "remote_code": True}, OWN)
    assert (known.kind("xlmr"), known.kind("own"), known.kind("elsewhere")) == (
        "causal",
        "masked",
        "masked",
    )
    assert known.loading("xlmr") == {"remote_code": COMMIT, "untrained": False}
    assert known.loading("own") == {"remote_code": None, "untrained": False}
    assert (known.hub_id("xlmr"), known.hub_id("own")) == ("owner/xlmr", None)


def test_tables_name_a_model_as_the_paper_does_and_say_if_it_is_untrained():
    known = models(HUB | {"untrained": True}, HUB | {"name": "trained"}, OWN)
    assert known.loading("xlmr") == {"remote_code": None, "untrained": True}
    names = [known.system(name, {HUB["id"]: "XLM-R"}) for name in ("xlmr", "trained", "own")]
    assert names == ["XLM-R (untrained)", "XLM-R", "own"]


def test_how_a_model_is_fetched_by_its_path():
    known = models(HUB, HUB | {"name": "again"}, OWN)
    assert known.hub_paths == [f"models/owner/xlmr/{COMMIT}"]
    assert known.fetched(f"models/owner/xlmr/{COMMIT}").name == "xlmr"


def test_one_model_with_two_lists_of_files_names_both():
    known = models(HUB, HUB | {"name": "again", "files": {"config.json": ""}})
    with pytest.raises(KasuError, match="'xlmr' and 'again' are one model with other files"):
        known.fetched(f"models/owner/xlmr/{COMMIT}")


def test_how_a_model_is_trained():
    known = models(HUB, OWN)
    assert known.pretrained == ["own"]
    assert known.training("own").steps == 20


def test_the_sources_of_models_are_those_of_the_hub_once():
    (entry,) = models(HUB, OWN).sources(["own", "xlmr", "xlmr", "folder"])
    assert (entry.slug, str(entry.file)) == ("xlmr", f"downloads/models/owner/xlmr/{COMMIT}")
    assert entry.source is not None
    assert (entry.source.name, entry.source.licence) == (f"owner/xlmr@{COMMIT}", "MIT")
    assert entry.source.path == f"models/owner/xlmr/{COMMIT}"
