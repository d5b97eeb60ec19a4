"""Sentence encoders in the layout of sentence-transformers, from a tiny random network."""

import json
import logging
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from transformers import BertConfig, BertModel

from kasu.base.errors import KasuError
from kasu.lm.models.encoder import Encoder
from kasu.lm.models.loading import load_tokenizer
from kasu.lm.pretraining.tokenizer import train_tokenizer

CPU = torch.device("cpu")
SENTENCES = ("Le chat dort .", "Les chats de la voisine dorment .", "Oui .")
TYPE = "sentence_transformers.models."
LABSE = (("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Dense", "Dense"),
         ("3_Normalize", "Normalize"))  # fmt: skip


@pytest.fixture(scope="module")
def plain(tmp_path_factory) -> Path:
    """A random network of width 16 with its tokenizer."""
    path = tmp_path_factory.mktemp("models") / "plain"
    tokenizer = train_tokenizer(SENTENCES * 3, 60, 64)
    tokenizer.save_pretrained(path)
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64, initializer_range=0.5,
    )  # fmt: skip
    BertModel(config).save_pretrained(path)
    return path


@pytest.fixture
def labse(plain, tmp_path) -> Path:
    """The same network in the layout of LaBSE: first token, dense layer with tanh, length 1."""
    folder = shutil.copytree(plain, tmp_path / "labse")
    modules = [
        {"idx": at, "name": str(at), "path": path, "type": TYPE + kind}
        for at, (path, kind) in enumerate(LABSE)
    ]
    write(folder / "modules.json", modules)
    write(folder / "1_Pooling/config.json", pooling("cls_token"))
    dense = {"in_features": 16, "out_features": 5, "bias": True,
             "activation_function": "torch.nn.modules.activation.Tanh"}  # fmt: skip
    write(folder / "2_Dense/config.json", dense)
    torch.manual_seed(2)
    weights = {"linear.weight": torch.randn(5, 16), "linear.bias": torch.randn(5)}
    save_file(weights, folder / "2_Dense/model.safetensors")
    return folder


def write(path: Path, content: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content))


def change(path: Path, **changes: object) -> None:
    write(path, json.loads(path.read_text()) | changes)


def pooling(*on: str) -> dict[str, object]:
    modes = ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens")
    return {"word_embedding_dimension": 16} | {f"pooling_mode_{m}": m in on for m in modes}


def states(folder: Path) -> list[np.ndarray]:
    """The last layer of each sentence alone, unpadded, by the library itself."""
    tokenizer, network = load_tokenizer(folder), BertModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        return [
            network(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].numpy()
            for text in SENTENCES
        ]


def test_first_token_dense_layer_and_length_1_as_in_labse(labse, plain):
    from safetensors.numpy import load_file

    dense = load_file(labse / "2_Dense/model.safetensors")
    by_hand = [
        np.tanh(dense["linear.weight"] @ tokens[0] + dense["linear.bias"])
        for tokens in states(plain)
    ]
    expected = [vector / np.sqrt((vector**2).sum()) for vector in by_hand]
    encoder = Encoder(labse, CPU, pooling="auto")
    assert encoder.dimensions == 5
    np.testing.assert_allclose(encoder.encode(SENTENCES, 64), expected, atol=2e-6)


def test_several_poolings_are_concatenated_and_ignore_padding(labse, plain):
    write(labse / "modules.json", json.loads((labse / "modules.json").read_text())[:2])
    marked = pooling("mean_tokens", "max_tokens", "mean_sqrt_len_tokens")
    write(labse / "1_Pooling/config.json", marked)
    expected = [
        np.concatenate([t.max(0), t.mean(0), t.sum(0) / np.sqrt(len(t))]) for t in states(plain)
    ]
    encoder = Encoder(labse, CPU, pooling="auto")
    assert encoder.dimensions == 48
    np.testing.assert_allclose(encoder.encode(SENTENCES, 64), expected, atol=2e-6)


def test_an_encoder_without_modules_is_read_at_its_first_token(plain):
    expected = [tokens[0] for tokens in states(plain)]
    found = Encoder(plain, CPU, pooling="auto").encode(SENTENCES, 64)
    np.testing.assert_allclose(found, expected, atol=2e-6)


def test_one_line_says_that_the_config_overrules_the_makers(labse, plain, caplog):
    with caplog.at_level(logging.WARNING, "kasu"):
        found = Encoder(labse, CPU, pooling="mean").encode(SENTENCES, 64)
    line = "not used as its makers say in modules.json; pooled by mean"
    assert caplog.messages == [f"{labse}: {line}"]
    np.testing.assert_allclose(found, [t.mean(0) for t in states(plain)], atol=2e-6)


def test_limits_of_the_makers_hold(labse):
    write(labse / "sentence_bert_config.json", {"max_seq_length": 4, "do_lower_case": True})
    encoder = Encoder(labse, CPU, pooling="auto")
    vectors = encoder.encode([SENTENCES[1], SENTENCES[1].upper()], 64)
    assert encoder.longest == 4
    assert encoder.count_gaps([SENTENCES[1], SENTENCES[1].upper()]) == (0, 2)
    np.testing.assert_array_equal(*vectors)


def test_nothing_pickled_is_read(labse):
    class Harmful:
        def __reduce__(self):
            return (Path.touch, (labse / "ran",))

    (labse / "2_Dense/model.safetensors").unlink()
    (labse / "2_Dense/pytorch_model.bin").write_bytes(pickle.dumps(Harmful()))
    with pytest.raises(
        KasuError, match=r"2_Dense: no model\.safetensors; expected safetensors, not"
    ):
        Encoder(labse, CPU, pooling="auto")
    assert not (labse / "ran").exists()


@pytest.mark.parametrize("path", ["../outside", "2_Dense/../../outside", "link", "a/b", "\0"])
def test_no_path_leaves_the_folder(labse, path):
    shutil.copytree(labse / "2_Dense", labse.parent / "outside")
    (labse / "link").symlink_to(labse.parent / "outside")
    modules = json.loads((labse / "modules.json").read_text())
    modules[2]["path"] = path
    write(labse / "modules.json", modules)
    with pytest.raises(KasuError, match=r"modules.json: path .*; expected a folder of the model"):
        Encoder(labse, CPU, pooling="auto")


@pytest.mark.parametrize(
    ("file", "changes", "line"),
    [
        ("1_Pooling/config.json", {"pooling_mode_lasttoken": True}, "cls_token, lasttoken"),
        ("1_Pooling/config.json", {"pooling_mode_cls_token": False}, "pooling unknown"),
        ("2_Dense/config.json", {"activation_function": "os.system"}, "activation 'os.system'"),
        ("2_Dense/config.json", {"in_features": 16, "out_features": 6}, r"linear.weight \(5, 16\)"),
        ("2_Dense/config.json", {"bias": False}, "and the bias of config.json"),
        ("2_Dense/config.json", {"module_input_name": "token"}, "module_input_name 'token'"),
    ],
)  # fmt: skip
def test_what_is_not_built_here_is_one_line(labse, file, changes, line):
    change(labse / file, **changes)
    with pytest.raises(KasuError, match=line):
        Encoder(labse, CPU, pooling="auto")


@pytest.mark.parametrize(
    ("types", "line"),
    [
        ([TYPE + "Transformer", "own.code.Pooling"], "a module 'own.code.Pooling'; expected modul"),
        ([TYPE + "Pooling"], "modules Pooling; expected Transformer, Pooling, then"),
        ([TYPE + "Transformer", TYPE + "Pooling", TYPE + "LSTM"], "a module LSTM; expected Dense"),
    ],
)
def test_unknown_modules_are_one_line(labse, types, line):
    paths = ["", "1_Pooling", "2_Dense"] if len(types) > 1 else ["1_Pooling"]
    modules = [{"path": path, "type": kind} for path, kind in zip(paths, types, strict=False)]
    write(labse / "modules.json", modules)
    with pytest.raises(KasuError, match=line):
        Encoder(labse, CPU, pooling="auto")


@pytest.mark.parametrize(
    ("text", "line"), [("[" * 100_000, "not JSON"), ("{}", "not a list"), ("[1]", "not a list")]
)
def test_malformed_lists_are_one_line(labse, text, line):
    (labse / "modules.json").write_text(text)
    with pytest.raises(KasuError, match=line):
        Encoder(labse, CPU, pooling="auto")


def test_a_layer_below_the_last_and_a_default_prompt_are_one_line(labse):
    with pytest.raises(KasuError, match=r"modules.json: layer 1; expected -1, or pooling: cls or"):
        Encoder(labse, CPU, layer=1, pooling="auto")
    write(labse / "config_sentence_transformers.json", {"default_prompt_name": "query"})
    with pytest.raises(KasuError, match="a default prompt, 'query'; expected an encoder without"):
        Encoder(labse, CPU, pooling="auto")
