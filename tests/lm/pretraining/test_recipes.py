import pytest
import torch
from transformers import BertForMaskedLM

from kasu.base.errors import KasuError
from kasu.lm.pretraining.recipes import complete, facts, operations
from kasu.lm.pretraining.trainer import bert_config

SIZES = {"layers": 1, "hidden": 64, "steps": 10}


@pytest.mark.parametrize(
    ("layers", "hidden", "millions"), [(4, 256, 16), (8, 512, 51), (12, 768, 124)]
)
def test_models_have_the_printed_number_of_weights(layers, hidden, millions):
    settings = complete({"recipe": "paper", "layers": layers, "hidden": hidden, "steps": 1})
    config = bert_config(50_000, settings)
    assert config.num_attention_heads == layers
    assert (config.intermediate_size, config.max_position_embeddings) == (4 * hidden, 512)
    with torch.device("meta"):
        network = BertForMaskedLM(config)
    # The papers count the encoder, which shares its embeddings with the head
    weights = sum(weight.numel() for weight in network.bert.parameters())
    assert abs(weights / (millions * 1e6) - 1) < 0.01


def test_epochs_make_steps():
    given = {"layers": 1, "hidden": 64, "epochs": 8192, "steps_per_epoch": 50}
    assert complete(given)["steps"] == 409_600


def test_given_settings_override_the_recipe():
    whole = complete(SIZES | {"recipe": "paper", "length": 256})
    assert (whole["length"], whole["tokens_per_batch"], whole["copies"]) == (256, 131_072, 10)
    assert whole["warmup"] * 409_600 == 25_600


def test_a_pass_has_whole_rows():
    assert complete(SIZES | {"length": 48, "tokens_per_batch": 4800})["tokens_per_pass"] == 4080
    assert complete(SIZES | {"length": 16, "tokens_per_batch": 160})["tokens_per_pass"] == 160


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"recipe": "long"}, "recipe: 'long'; expected paper or short"),
        ({"hiden": 64}, "unknown 'hiden'"),
        ({"hidden": 100}, "hidden: 100; expected a multiple of 64, the width of a head"),
        ({"tokens_per_batch": 100}, "tokens_per_batch: 100; expected a multiple of 128"),
        ({"masking": "span"}, "masking: 'span'; expected whole_word or token"),
        ({"precision": "fp8"}, "precision: 'fp8'"),
        ({"steps": 0}, "no steps"),
        (
            {"compile": True, "tokens_per_pass": 1280},
            "tokens_per_pass: 1280; expected a divisor of tokens_per_batch, 4096",
        ),
    ],
)
def test_a_wrong_setting_is_one_line(changes, message):
    with pytest.raises(KasuError, match=message):
        complete(SIZES | changes)


def test_operations_of_a_token():
    settings = {"layers": 2, "hidden": 64, "length": 16}
    assert operations(settings, 100, 0.5) == 645_888


def test_the_recipes():
    paper = {
        "length": 512, "tokens_per_batch": 256 * 512, "tokens_per_pass": 64 * 512,
        "learning_rate": 0.0001, "beta2": 0.999, "weight_decay": 0.01, "warmup": 25_600 / 409_600,
        "masking": "whole_word", "copies": 10, "dropout": 0.1, "precision": "bfloat16",
        "compile": True, "validation_tokens": 1_000_000,
    }  # fmt: skip
    short = {
        "length": 128, "tokens_per_batch": 4096, "tokens_per_pass": 4096, "learning_rate": 0.001,
        "beta2": 0.98, "dropout": 0.0, "precision": "float32", "compile": False,
        "validation_tokens": 20_000,
    }  # fmt: skip
    rest = {"threads": 1, "checkpoint_every": 600} | SIZES
    assert complete(SIZES | {"recipe": "paper"}) == paper | rest | {"recipe": "paper"}
    assert complete(SIZES) == paper | short | rest


def test_facts_are_what_a_result_depends_on():
    assert facts({"threads": 1, "checkpoint_every": 600}) == {"threads": 1}


def test_given_passes_are_kept():
    assert complete(SIZES | {"tokens_per_pass": 1280})["tokens_per_pass"] == 1280
    with pytest.raises(KasuError, match="tokens_per_pass: 1000; expected a multiple of 128"):
        complete(SIZES | {"tokens_per_pass": 1000})
