"""Settings of pretraining: the paper's recipe, a short one, and the sizes of BERT.

What Urbizu et al. (2024) do not state follows BERT (Devlin et al. 2019): dropout, clipping, and no
weight decay for biases and layer norms.
"""

from collections.abc import Mapping

from transformers import BertConfig

from kasu.base.errors import KasuError
from kasu.lm import PRECISIONS
from kasu.lm.pretraining.masking import MASKINGS
from kasu.lm.pretraining.tokenizer import PAD

HEAD = 64  # width of an attention head in every size of BERT
# BL2MP-4: 256 sequences of 512 tokens a step
PAPER = {
    "length": 512,
    "tokens_per_batch": 131_072,
    "tokens_per_pass": 16_384,
    "learning_rate": 1e-4,
    "beta2": 0.999,
    "weight_decay": 0.01,
    "warmup": 0.0625,
    "masking": "whole_word",
    "copies": 10,
    "dropout": 0.1,
    "precision": "bfloat16",
    "compile": True,
    "validation_tokens": 1_000_000,
    "threads": 1,
    "checkpoint_every": 600,
}
# The same in a small budget; there are too few steps to overfit, so there is no dropout
SHORT = PAPER | {
    "length": 128,
    "tokens_per_batch": 4096,
    "tokens_per_pass": 4096,
    "learning_rate": 1e-3,
    "beta2": 0.98,
    "dropout": 0.0,
    "precision": "float32",
    "compile": False,
    "validation_tokens": 20_000,
}
RECIPES = {"paper": PAPER, "short": SHORT}
REQUIRED = ("layers", "hidden", "steps")  # in no recipe
OPTIONAL = ("recipe", "vocabulary", "held_out", "evaluate_every", "epochs", "steps_per_epoch")
NO_FACT = ("checkpoint_every",)  # settings that no result depends on


def complete(settings: Mapping) -> dict:
    """Fill in the settings that are not given from their `recipe` (`short` if not named).

    Keys are those of PAPER, and layers, hidden (a multiple of 64), and steps, or epochs and
    steps_per_epoch. tokens_per_batch is the size of a step, tokens_per_pass what is in memory at
    once; copies is BERT's duplication factor, None masks anew in every epoch.

    Raises:
        KasuError: an unknown recipe, setting or value; a missing setting; sizes that do not fit.
    """
    name = settings.get("recipe", "short")
    if name not in RECIPES:
        raise KasuError("settings, recipe", repr(name), " or ".join(RECIPES))
    whole = {**RECIPES[name], **settings}
    if "epochs" in whole:
        whole.setdefault("steps", whole["epochs"] * whole.get("steps_per_epoch", 0))
    if unknown := sorted(whole.keys() - {*PAPER, *REQUIRED, *OPTIONAL}):
        raise KasuError("settings", f"unknown {unknown[0]!r}", ", ".join(sorted(PAPER)))
    if missing := [key for key in REQUIRED if not whole.get(key)]:
        raise KasuError("settings", f"no {missing[0]}", "a number")
    length = whole["length"]
    # A recipe's pass must fit the given batch and rows
    if "tokens_per_pass" not in settings and length <= whole["tokens_per_batch"]:
        most = min(whole["tokens_per_pass"], whole["tokens_per_batch"])
        whole["tokens_per_pass"] = max(most // length, 1) * length
    for key, unit in (("hidden", HEAD), ("tokens_per_batch", length), ("tokens_per_pass", length)):
        if whole[key] % unit or not whole[key]:
            why = "the width of a head" if key == "hidden" else "the length of a row"
            raise KasuError(f"settings, {key}", str(whole[key]), f"a multiple of {unit}, {why}")
    if whole["compile"] and whole["tokens_per_batch"] % whole["tokens_per_pass"]:
        expected = f"a divisor of tokens_per_batch, {whole['tokens_per_batch']}, when it compiles"
        raise KasuError("settings, tokens_per_pass", str(whole["tokens_per_pass"]), expected)
    for key, values in (("masking", MASKINGS), ("precision", PRECISIONS)):
        if whole[key] not in values:
            raise KasuError(f"settings, {key}", repr(whole[key]), " or ".join(values))
    return whole


def facts(settings: Mapping) -> dict:
    """The settings that a result depends on."""
    return {key: value for key, value in settings.items() if key not in NO_FACT}


def bert_config(vocabulary: int, settings: Mapping) -> BertConfig:
    """BERT in the proportions of BL2MP-4: heads of width 64, feed-forward layers of 4 × hidden."""
    hidden = settings["hidden"]
    return BertConfig(
        vocab_size=vocabulary,
        hidden_size=hidden,
        num_hidden_layers=settings["layers"],
        num_attention_heads=hidden // HEAD,
        intermediate_size=4 * hidden,
        max_position_embeddings=settings["length"],
        hidden_dropout_prob=settings["dropout"],
        attention_probs_dropout_prob=settings["dropout"],
        pad_token_id=PAD,
        attn_implementation="sdpa",
    )


def operations(settings: Mapping, vocabulary: int, guesses: float) -> float:
    """Floating-point operations per training token: two per weight, for three passes.

    Counts dense products only: the layers, attention, and the head at the share `guesses` of
    positions.
    """
    hidden, length = settings["hidden"], settings["length"]
    layer = 12 * hidden**2 + 2 * length * hidden
    head = guesses * (hidden**2 + vocabulary * hidden)
    return 6 * (settings["layers"] * layer + head)
