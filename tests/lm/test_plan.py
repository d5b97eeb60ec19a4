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


def test_a_model_is_of_a_hub_trained_here_or_a_folder(model_folder):
    gpt = model_folder("gpt")
    known = models(HUB, OWN, {"name": "mine", "folder": gpt}, trained=lambda: {"bert-4k": BERT})
    assert known.folder("xlmr", "config blm") == f"downloads/models/owner/xlmr/{COMMIT}"
    assert known.folder("own", "config blm") == "results/x/models/own/model"
    assert known.folder("bert-4k", "config blm") == "results/x/pretraining/last"
    assert known.folder("mine", "config blm") == gpt
    assert known.folder(gpt, "config blm") == gpt
    assert known.pretrained == ["own"]


def test_a_folder_is_no_model_of_its_name(model_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model_folder("own")
    assert models(OWN).folder("./own", "config blm") == "own"


def test_an_unknown_model_names_the_section_that_asks():
    line = (
        r"config blm encoder: model 'georgian-bert': no such model; "
        r"expected one of xlmr, bert-4k or a folder"
    )
    with pytest.raises(KasuError, match=line):
        models(HUB, trained=lambda: {"bert-4k": BERT}).folder("georgian-bert", "config blm encoder")


def test_an_unknown_model_where_there_is_none():
    line = "config blm encoder: model 'mbert': no such model; expected a folder, or a name of"
    with pytest.raises(KasuError, match=line):
        models().folder("mbert", "config blm encoder")


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


def test_a_folder_without_a_model_names_where_it_is_asked_for(model_folder, tmp_path):
    known = models({"name": "mine", "folder": f"{tmp_path}/gone"})
    (tmp_path / "empty").mkdir()
    for name, line in (
        ("mine", f"config models mine: {tmp_path}/gone: no such folder; expected the folder of a "
         "model"),
        ("./owner/xlmr", "config blm encoder: ./owner/xlmr: no such folder; expected a folder, or "
         "a name of `models`"),
        (f"{tmp_path}/empty", f"config blm encoder: {tmp_path}/empty: no config.json; expected "
         "the folder of a model"),
    ):  # fmt: skip
        with pytest.raises(KasuError) as error:
            known.folder(name, "config blm encoder")
        assert str(error.value) == line


def test_the_folder_of_a_model_does_not_hold_the_results(model_folder, tmp_path):
    folder = model_folder("gpt")
    known = Models([], Workspace(f"{folder}/results", {}, Path("downloads")))
    with pytest.raises(KasuError, match=r"config results: .*results lies in the model"):
        known.folder(folder, "config blm")


BERT_CONFIG = {"model_type": "bert", "architectures": ["BertForMaskedLM"]}


def test_a_folder_is_of_the_kind_that_its_configuration_states(model_folder):
    gpt, bert = model_folder("gpt"), model_folder("bert", **BERT_CONFIG)
    known = models({"name": "a", "folder": gpt}, {"name": "b", "folder": bert, "kind": "masked"})
    kinds = [known.kind(name) for name in ("a", gpt, "b", bert)]
    assert kinds == ["causal", "causal", "masked", "masked"]


def test_a_kind_that_the_configuration_contradicts_is_one_line(model_folder):
    gpt = model_folder("gpt")
    known = models({"name": "a", "folder": gpt, "kind": "masked"})
    for ask in (lambda: known.kind("a"), lambda: known.folder("a", "config blm encoder")):
        with pytest.raises(KasuError) as error:
            ask()
        assert str(error.value) == (
            "config models a: kind 'masked' of a gpt2 network, causal; "
            "expected the kind in config.json, or no `kind`"
        )


@pytest.mark.parametrize("place", ["downloads", "mirror"])
def test_a_model_of_the_hub_is_of_its_own_kind_once_it_is_at_hand(model_folder, tmp_path, place):
    workspace = Workspace("results/x", {}, tmp_path / "downloads", [tmp_path / "mirror"])
    unstated = ModelSettings.model_validate(HUB)
    masked = ModelSettings.model_validate(HUB | {"name": "m", "kind": "masked"})
    known = Models([unstated, masked], workspace)
    assert (known.kind("xlmr"), known.kind("m")) == ("masked", "masked")
    model_folder(f"{place}/models/owner/xlmr/{COMMIT}")
    assert known.kind("xlmr") == "causal"
    with pytest.raises(KasuError, match="config models m: kind 'masked' of a gpt2 network, causal"):
        known.kind("m")


def test_kind_and_code_of_a_model():
    known = models(HUB | {"kind": "causal", "remote_code": True}, OWN)
    assert [known.kind(name) for name in ("xlmr", "own", "elsewhere")] == [
        "causal", "masked", "masked",
    ]  # fmt: skip
    assert known.loading("xlmr") == {"remote_code": COMMIT, "untrained": False}
    assert known.loading("own") == {"remote_code": None, "untrained": False}
    assert (known.hub_id("xlmr"), known.hub_id("own")) == ("owner/xlmr", None)


def test_tables_name_a_model_as_the_paper_does_and_say_if_it_is_untrained():
    known = models(HUB | {"untrained": True}, HUB | {"name": "trained"}, OWN)
    assert known.loading("xlmr") == {"remote_code": None, "untrained": True}
    asked = ("xlmr", "trained", "own", "runs/gpt/model")
    names = [known.system(name, {HUB["id"]: "XLM-R"}) for name in asked]
    assert names == ["XLM-R (untrained)", "XLM-R", "own", "gpt"]


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


def test_the_sources_of_models_are_those_from_elsewhere_once():
    mine = {"name": "mine", "folder": "/models/gpt", "licence": "MIT"}
    known = models(HUB, OWN, mine)
    entry, *own = known.sources(["own", "xlmr", "xlmr", "mine", "/models/bert/model"])
    assert [(each.slug, str(each.file), each.source, each.licence) for each in own] == [
        ("mine", "/models/gpt", None, "MIT"), ("bert", "/models/bert/model", None, ""),
    ]  # fmt: skip
    assert (entry.slug, str(entry.file)) == ("xlmr", f"downloads/models/owner/xlmr/{COMMIT}")
    assert entry.source is not None
    assert (entry.source.name, entry.source.licence) == (f"owner/xlmr@{COMMIT}", "MIT")
    assert entry.source.path == f"models/owner/xlmr/{COMMIT}"
