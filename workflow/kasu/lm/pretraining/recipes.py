"""Recipes of pretraining: the paper's, and a short one.

What Urbizu et al. (2024) do not state follows BERT (Devlin et al. 2019): dropout, clipping, and no
weight decay for biases and layer norms.

The module imports no network library: the settings of the config read it whenever a run is planned.
"""

from collections.abc import Mapping
from typing import Any

from kasu.base.errors import KasuError
from kasu.lm import MASKINGS, PRECISIONS

HEAD = 64  # the width of an attention head in every size of BERT
# BL2MP-4: 256 rows of 512 tokens per step
_PAPER: dict[str, Any] = {
    "length": 512,
    "tokens_per_batch": 131_072,
    "tokens_per_pass": 32_768,
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
}
# The same in a small budget; there are too few steps to overfit, so there is no dropout
_SHORT = _PAPER | {
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
RECIPES = {"paper": _PAPER, "short": _SHORT}
# What holds in every recipe
JOB = {"threads": 1, "checkpoint_every": 600}
REQUIRED = ("layers", "hidden", "steps")  # in no recipe
OPTIONAL = ("recipe", "vocabulary", "held_out", "evaluate_every", "epochs", "steps_per_epoch")
NO_FACTS = ("checkpoint_every",)  # settings on which no result depends


def complete(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Fill in the settings of a training run from their `recipe` (`short` if they name none).

    Besides the keys of a recipe: layers, hidden (a multiple of 64), and either steps or epochs and
    steps_per_epoch. tokens_per_batch is the size of a step, tokens_per_pass that of a forward pass;
    copies is BERT's duplication factor, and None masks anew in every epoch.

    Raises:
        KasuError: unknown recipe, setting or value; missing setting; sizes that do not fit.
    """
    name = settings.get("recipe", "short")
    if name not in RECIPES:
        raise KasuError("settings, recipe", repr(name), " or ".join(RECIPES))
    whole = {**RECIPES[name], **JOB, **settings}
    if "epochs" in whole:
        whole.setdefault("steps", whole["epochs"] * whole.get("steps_per_epoch", 0))
    known = {*RECIPES[name], *JOB}
    if unknown := sorted(whole.keys() - {*known, *REQUIRED, *OPTIONAL}):
        raise KasuError("settings", f"unknown {unknown[0]!r}", ", ".join(sorted(known)))
    if missing := [key for key in REQUIRED if not whole.get(key)]:
        raise KasuError("settings", f"no {missing[0]}", "a number")
    # A pass that comes from the recipe is cut to the batch, and to whole rows
    length = whole["length"]
    if "tokens_per_pass" not in settings and length <= whole["tokens_per_batch"]:
        most = min(whole["tokens_per_pass"], whole["tokens_per_batch"])
        whole["tokens_per_pass"] = max(most // length, 1) * length
    _check(whole)
    return whole


def _check(settings: Mapping[str, Any]) -> None:
    length = settings["length"]
    for key, unit in (("hidden", HEAD), ("tokens_per_batch", length), ("tokens_per_pass", length)):
        if settings[key] % unit or not settings[key]:
            why = "the width of a head" if key == "hidden" else "the length of a row"
            raise KasuError(f"settings, {key}", str(settings[key]), f"a multiple of {unit}, {why}")
    # A compiled network takes passes of one size only
    if settings["compile"] and settings["tokens_per_batch"] % settings["tokens_per_pass"]:
        batch = settings["tokens_per_batch"]
        expected = f"a divisor of tokens_per_batch, {batch}, when it compiles"
        raise KasuError("settings, tokens_per_pass", str(settings["tokens_per_pass"]), expected)
    for key, values in (("masking", MASKINGS), ("precision", PRECISIONS)):
        if settings[key] not in values:
            raise KasuError(f"settings, {key}", repr(settings[key]), " or ".join(values))


def facts(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings on which a result depends."""
    return {key: value for key, value in settings.items() if key not in NO_FACTS}


def operations(settings: Mapping[str, Any], vocabulary: int, guesses: float) -> float:
    """Return floating-point operations per training token: two per weight, for three passes.

    Counts dense products only: the layers, attention, and the head at the share `guesses` of the
    positions.
    """
    hidden, length = settings["hidden"], settings["length"]
    layer = 12 * hidden**2 + 2 * length * hidden
    head = guesses * (hidden**2 + vocabulary * hidden)
    return 6 * (settings["layers"] * layer + head)
