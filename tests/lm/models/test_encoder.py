"""Sentence vectors from a tiny random network."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

from kasu.base.errors import KasuError
from kasu.lm.models.encoder import Encoder
from kasu.lm.models.loading import load_tokenizer
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


@pytest.mark.parametrize("layer", [-3, -2, -1, 0, 1, 2])
@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_vectors_are_those_of_each_sentence_alone(folder, layer, pooling):
    vectors = Encoder(folder, CPU, layer, pooling).encode(SENTENCES, 64)
    expected = [
        states[0] if pooling == "cls" else states.mean(0) for states in one_by_one(folder, layer)
    ]
    assert (vectors.shape, vectors.dtype) == ((6, 16), np.float32)
    np.testing.assert_allclose(vectors, torch.stack(expected), atol=2e-6)


def test_vectors_do_not_depend_on_order_or_other_sentences(folder):
    encoder = Encoder(folder, CPU)
    alone = dict(zip(SENTENCES, encoder.encode(SENTENCES, 48), strict=True))

    @settings(max_examples=15)
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
    assert encoder.count_gaps([long, "Oui .", long]) == (0, 2)


def test_sentences_with_unknown_text_are_counted_also_what_is_cut(folder):
    encoder = Encoder(folder, CPU)
    late = "Le chat dort . " * 9 + "☃"
    assert encoder.count_gaps(["Oui .", "Le ☃ dort .", "☃ ☃", late]) == (3, 1)
    assert encoder.count_gaps(["Oui .", "Le ☃ dort ."]) == (1, 0)


def test_text_for_which_there_is_no_token_at_all_is_unknown(gpt2, tmp_path):
    folder = tmp_path / "gpt2"
    shutil.copytree(gpt2, folder)
    letters = Tokenizer(models.BPE({letter: at for at, letter in enumerate("adiktu")}, []))
    letters.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=letters).save_pretrained(folder)
    encoder = Encoder(folder, CPU, pooling="mean")
    assert encoder.count_gaps(["katua da", "katua da.", "katuak"]) == (1, 0)


def test_a_token_that_the_network_lacks_is_one_line(folder):
    encoder = Encoder(folder, CPU)
    encoder.tokenizer.add_tokens("Zut")
    number = len(encoder.tokenizer) - 1
    line = rf"'Zut .': token 'Zut' has the number {number}; expected one below {number}, the number"
    with pytest.raises(KasuError, match=line):
        encoder.encode(["Oui .", "Zut ."], 64)


def test_a_literal_special_token_is_text(folder):
    encoder = Encoder(folder, CPU, -1, "mean")
    [ids] = encoder._ids(["le [SEP] chat"])
    tokens = encoder.tokenizer.convert_ids_to_tokens(ids)
    assert (tokens[0], tokens[-1], tokens.count("[SEP]")) == ("[CLS]", "[SEP]", 1)


def test_without_sentences_there_are_no_vectors(folder):
    assert Encoder(folder, CPU).encode([], 16).shape == (0, 16)


@pytest.mark.parametrize(
    "options, line",
    [
        ({"pooling": "max"}, "pooling: 'max'; expected auto, cls, mean"),
        ({"layer": 3}, "layer: 3; expected one of 2"),
        ({"layer": -4}, "layer: -4"),
    ],
)
def test_unknown_settings_are_one_line(folder, options, line):
    with pytest.raises(KasuError, match=line):
        Encoder(folder, CPU, **options)


def test_the_first_token_of_a_causal_model_is_no_vector_of_a_sentence(gpt2):
    with pytest.raises(KasuError, match=r"cls of a causal model, .* expected pooling: mean"):
        Encoder(gpt2, CPU, pooling="cls")
    auto, mean = (
        Encoder(gpt2, CPU, pooling=pooling).encode(["katua da", "a"], 16)
        for pooling in ("auto", "mean")
    )
    np.testing.assert_array_equal(auto, mean)


def test_a_causal_model_may_give_the_mean_of_its_tokens_even_without_padding(gpt2, tmp_path):
    folder = tmp_path / "gpt2"
    shutil.copytree(gpt2, folder)
    path = folder / "tokenizer_config.json"
    named = json.loads(path.read_text())
    path.write_text(json.dumps(named | {"pad_token": None}))
    sentences = ["katua da", "katua dira", "a"]
    found = Encoder(folder, CPU, pooling="mean").encode(sentences, 16)
    expected = Encoder(gpt2, CPU, pooling="mean").encode(sentences, 16)
    assert load_tokenizer(folder).pad_token_id is None
    assert not np.allclose(found[0], found[1])
    np.testing.assert_array_equal(found, expected)
