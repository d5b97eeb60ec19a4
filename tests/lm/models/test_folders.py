"""What the folder of a model tells before it is loaded: its name, its kind, what it lacks."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from kasu.base.errors import KasuError
from kasu.lm import CAUSAL, MASKED
from kasu.lm.models.folders import (
    check_names,
    contradicts,
    count_weights,
    expect_model,
    find_kind,
    kind_of,
    model_name,
)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("georgian-bert", "georgian-bert"),
        ("/models/gpt", "gpt"),
        ("./gpt", "gpt"),
        ("../gpt", "gpt"),
        ("//model/", "model"),
        ("/models/GPT 2/model", "GPT 2"),
        ("results/x/models/georgian-bert/model", "georgian-bert"),
        ("results/x/pretraining/models/bert4l-eu1200k/1/64/model", "bert4l-eu1200k-1-64"),
        ("runs/mine/checkpoint-500", "mine-checkpoint-500"),
        (f"hub/models--a--b/snapshots/{'0a' * 20}", f"models--a--b-{'0a' * 20}"),
        ("/model", "model"),
    ],
)
def test_the_name_of_a_model_follows_from_its_path_alone(path, name):
    assert model_name(path) == name


def test_two_models_of_one_name_are_refused():
    check_names(["gpt", "gpt", "/a/bert/model", "/b/gpt2/model"], "config x")
    with pytest.raises(KasuError) as error:
        check_names(["gpt", "/a/gpt"], "config x")
    assert str(error.value) == (
        "config x: /a/gpt has the name 'gpt', like gpt; "
        "expected one by name, under `models`: {name: ..., folder: ...}"
    )


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        ({"architectures": ["BertForPreTraining"]}, MASKED),
        ({"architectures": ["FlaubertWithLMHeadModel"]}, MASKED),
        ({"architectures": ["XLMWithLMHeadModel"]}, MASKED),
        ({"architectures": ["DistilBertForMaskedLM"]}, MASKED),
        ({"architectures": ["XLMRobertaForMaskedLM"]}, MASKED),
        ({"architectures": ["GPT2LMHeadModel"]}, CAUSAL),
        ({"architectures": ["LlamaForCausalLM"]}, CAUSAL),
        ({"architectures": ["BertForMaskedLM"], "is_decoder": True}, CAUSAL),
        # Neither the end of a name nor `architectures` say it, and the type does
        ({"architectures": ["BertModel"], "model_type": "bert"}, MASKED),
        ({"model_type": "llama"}, CAUSAL),
        ({"model_type": "distilbert"}, MASKED),
        ({"architectures": ["Gemma3ForConditionalGeneration"]}, CAUSAL),
        ({"architectures": ["T5ForConditionalGeneration"], "model_type": "t5"}, None),
        ({"architectures": ["ViTModel"], "model_type": "vit"}, None),
        ({}, None),
    ],
)
def test_the_kind_of_a_model_is_that_of_its_architecture_or_type(config, kind):
    assert find_kind(config) == kind


def test_a_kind_that_nothing_states_is_one_line(model_folder):
    folder = model_folder("vit", model_type="vit", architectures=["ViTModel"])
    with pytest.raises(KasuError) as error:
        kind_of(folder, "; name a --definition")
    assert str(error.value) == (
        f"{folder}/config.json: architectures ViTModel; "
        "expected masked or causal; name a --definition"
    )


@pytest.mark.parametrize("check", [expect_model, kind_of])
@pytest.mark.parametrize(
    ("config", "found"),
    [
        (
            {"architectures": ["T5ForConditionalGeneration"], "is_encoder_decoder": True},
            "an encoder-decoder model",
        ),
        # As it is saved alone
        (
            {"architectures": ["T5EncoderModel"], "is_encoder_decoder": False},
            "half of an encoder-decoder model",
        ),
    ],
)
def test_an_encoder_decoder_is_refused(model_folder, check, config, found):
    folder = model_folder("t5", model_type="t5", **config)
    with pytest.raises(KasuError) as error:
        check(folder)
    assert str(error.value) == f"{folder}: {found}; expected a masked or causal one"


def test_an_encoder_decoder_that_predicts_masked_words_is_masked(model_folder):
    bart = {"model_type": "bart", "architectures": ["BartForConditionalGeneration"]}
    folder = model_folder("bart", is_encoder_decoder=True, **bart)
    assert expect_model(folder)["model_type"] == "bart"
    assert kind_of(folder) == MASKED


@pytest.mark.parametrize(
    ("config", "kind", "contrary"),
    [
        ({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2"}, MASKED, True),
        ({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2"}, CAUSAL, False),
        ({"architectures": ["BertForMaskedLM"], "model_type": "bert"}, CAUSAL, True),
        # Without `is_decoder` it sees what comes later, whatever its class is called
        ({"architectures": ["BertLMHeadModel"], "model_type": "bert"}, MASKED, False),
        ({"architectures": ["Unheard"], "model_type": "unheard"}, CAUSAL, False),
    ],
)
def test_what_a_configuration_contradicts(config, kind, contrary):
    assert contradicts(config, kind) is contrary


def test_a_folder_has_what_a_model_needs(model_folder):
    assert expect_model(model_folder("gpt"))["model_type"] == "gpt2"


def test_parts_of_weights_need_each_other(model_folder):
    folder = Path(model_folder("gpt"))
    parts = {"a": "model-1.safetensors", "b": "model-2.safetensors"}
    for name in ("model.safetensors.index.json", "tf_model.h5.index.json"):
        (folder / name).write_text(json.dumps({"weight_map": parts}))
    expect_model(folder)  # one file with all weights comes first
    (folder / "model.safetensors").rename(folder / "model-1.safetensors")
    with pytest.raises(KasuError, match=r"gpt: no model-2\.safetensors; expected the weights that"):
        expect_model(folder)
    shutil.copy(folder / "model-1.safetensors", folder / "model-2.safetensors")
    expect_model(folder)


def test_a_file_and_a_missing_folder_are_no_models(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(KasuError, match="file: a file; expected the folder of a model"):
        expect_model(tmp_path / "file")
    with pytest.raises(KasuError, match=r"gone: no such folder; expected the folder of a model$"):
        expect_model(tmp_path / "gone")


@pytest.mark.parametrize("name", ["gpt2", "ixa-ehu/berteus-base-cased"])
def test_a_name_of_the_hub_is_told_how_to_become_a_folder(name):
    line = f"{name}: no such folder; expected the folder of a model, as `hf download {name} "
    with pytest.raises(KasuError) as error:
        expect_model(name)
    assert str(error.value) == f"{line}--local-dir FOLDER` fetches one from the hub"


def test_a_plan_reads_a_folder_without_torch(model_folder):
    read = f"from kasu.lm.models.folders import *; kind_of({model_folder('gpt')!r})"
    check = (
        f"import sys; {read}; expect_model({model_folder('g2')!r}); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_vocabulary_head_is_not_counted(tmp_path):
    weights = {"bert.a": np.zeros((3, 4)), "bert.b": np.zeros(5), "cls.head": np.zeros(7)}
    save_file(weights, tmp_path / "model.safetensors")
    assert count_weights(tmp_path) == 17
