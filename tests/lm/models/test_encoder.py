"""Encoders of a tiny random network, and what may not be loaded."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from transformers import BertConfig, BertForMaskedLM

from kasu.base.errors import KasuError
from kasu.lm.models.encoder import Encoder
from kasu.lm.models.loading import MASKED, load_network, load_tokenizer
from kasu.lm.pretraining.tokenizer import train_tokenizer

CPU = torch.device("cpu")
SENTENCES = (
    "Le chat dort .",
    "Les chats de la voisine dorment .",
    "Jean dit que le chat des voisins dort .",
    "La voisine dont le chat dort rit .",
    "Le chat dort",
    "Oui .",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A random network of two layers with a tokenizer, as a hub would hold it."""
    path = tmp_path_factory.mktemp("models") / "tiny"
    tokenizer = train_tokenizer(SENTENCES * 3, 60, 16)
    tokenizer.save_pretrained(path)
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=16, initializer_range=0.5,
    )  # fmt: skip
    BertForMaskedLM(config).save_pretrained(path)
    return path


@pytest.fixture
def copy(folder, tmp_path) -> Path:
    return shutil.copytree(folder, tmp_path / "copy")


def one_by_one(folder: Path, layer: int) -> list[torch.Tensor]:
    """The states of each sentence alone, unpadded, by the library itself."""
    tokenizer = load_tokenizer(folder)
    network = BertForMaskedLM.from_pretrained(folder).bert.eval()
    with torch.inference_mode():
        return [
            network(
                **tokenizer(text, return_tensors="pt", truncation=True), output_hidden_states=True
            ).hidden_states[layer][0]
            for text in SENTENCES
        ]


@pytest.mark.parametrize("layer", [-1, 0, 1, 2])
@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_vectors_are_those_of_each_sentence_alone(folder, layer, pooling):
    vectors = Encoder(folder, CPU, layer, pooling).encode(SENTENCES, 64)
    expected = [
        states[0] if pooling == "cls" else states.mean(0) for states in one_by_one(folder, layer)
    ]
    assert (vectors.shape, vectors.dtype) == ((6, 16), np.float32)
    np.testing.assert_allclose(vectors, torch.stack(expected), atol=2e-6)


def test_no_vector_depends_on_order_or_company(folder):
    encoder = Encoder(folder, CPU)
    alone = dict(zip(SENTENCES, encoder.encode(SENTENCES, 48), strict=True))

    @settings(max_examples=15, deadline=None)
    @given(st.lists(st.sampled_from(SENTENCES), max_size=12))
    def check(chosen: list[str]) -> None:
        vectors = encoder.encode(chosen, 48)
        assert all(np.array_equal(v, alone[s]) for v, s in zip(vectors, chosen, strict=True))

    check()


def test_progress_counts_each_sentence_once(folder):
    counted = []
    Encoder(folder, CPU).encode(SENTENCES, 32, counted.append)
    assert sum(counted) == 6


def test_a_sentence_too_long_is_cut_before_the_end_marker_and_counted(folder):
    encoder = Encoder(folder, CPU)
    long = "Le chat dort . " * 9
    ids = encoder._ids([long])[0]
    assert (len(ids), ids[-1]) == (16, encoder.tokenizer.sep_token_id)
    assert encoder.encode([long, "Oui ."], 16).shape == (2, 16)
    assert encoder.truncated == 2


def test_no_sentence_has_no_vector(folder):
    assert Encoder(folder, CPU).encode([], 16).shape == (0, 16)


@pytest.mark.parametrize(
    "options, line",
    [
        ({"pooling": "max"}, "pooling: 'max'; expected cls or mean"),
        ({"layer": 3}, "layer: 3; expected one of 2"),
        ({"layer": -4}, "layer: -4"),
    ],
)
def test_unknown_settings_are_one_line(folder, options, line):
    with pytest.raises(KasuError, match=line):
        Encoder(folder, CPU, **options)


def test_a_name_of_the_hub_is_no_folder():
    with pytest.raises(KasuError, match=r"bert-base-cased: no config\.json"):
        Encoder("bert-base-cased", CPU)


def test_a_folder_without_weights_is_one_line(copy):
    (copy / "model.safetensors").unlink()
    with pytest.raises(KasuError, match=r"copy: no \*\.safetensors or pytorch_model\*\.bin"):
        Encoder(copy, CPU)


def test_torn_weights_are_one_line(copy):
    weights = copy / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(KasuError, match=r"copy: .*expected weights for AutoModel to be read"):
        Encoder(copy, CPU)


def test_missing_weights_are_named(copy):
    weights = load_file(copy / "model.safetensors")
    del weights["bert.encoder.layer.1.output.dense.weight"]
    save_file(weights, copy / "model.safetensors", {"format": "pt"})
    with pytest.raises(KasuError, match=r"no weights encoder\.layer\.1\.output\.dense\.weight"):
        Encoder(copy, CPU)


def test_older_weights_are_read_as_weights_only(folder, copy):
    weights = load_file(copy / "model.safetensors")
    torch.save(weights, copy / "pytorch_model.bin")
    (copy / "model.safetensors").unlink()
    expected = Encoder(folder, CPU).encode(SENTENCES, 64)
    assert np.array_equal(Encoder(copy, CPU).encode(SENTENCES, 64), expected)


class Trap:
    def __reduce__(self):
        return Path.touch, (Path("sprung"),)


def test_a_pickle_that_runs_code_is_refused(copy, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    torch.save({"bert.embeddings.word_embeddings.weight": Trap()}, copy / "pytorch_model.bin")
    (copy / "model.safetensors").unlink()
    with pytest.raises(KasuError, match=r"copy: .*to be read without its code"):
        Encoder(copy, CPU)
    assert not Path("sprung").exists()


def test_code_of_a_model_is_refused(copy, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    config = json.loads((copy / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "m.C", "AutoModel": "m.M"}}
    (copy / "config.json").write_text(json.dumps(config))
    (copy / "m.py").write_text("open('sprung', 'w')\n")
    with pytest.raises(KasuError, match=r"copy: .*to be read without its code"):
        load_network(copy, MASKED, CPU)
    load_tokenizer(copy)
    assert not Path("sprung").exists()
