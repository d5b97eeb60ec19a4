"""What a sentence encoder does after its network, as its makers say (sentence-transformers).

`modules.json` lists the steps: the network, a pooling, and perhaps dense layers and a normalisation
(LaBSE has all of them). The files are foreign: steps are chosen from those below and no code is
imported, weights are safetensors, and no path leaves the folder of the model.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from kasu.base.errors import KasuError
from kasu.base.limits import reraise_limit

MODULES = "modules.json"
# In the order in which the library concatenates several
POOLINGS = {"cls_token": "cls", "max_tokens": "max", "mean_tokens": "mean",
            "mean_sqrt_len_tokens": "mean_sqrt_len"}  # fmt: skip
_ACTIVATIONS = {
    "torch.nn.modules.activation.Tanh": nn.Tanh,
    "torch.nn.modules.activation.ReLU": nn.ReLU,
    "torch.nn.modules.activation.GELU": nn.GELU,
    "torch.nn.modules.activation.Sigmoid": nn.Sigmoid,
    "torch.nn.modules.linear.Identity": nn.Identity,
}
_OTHERWISE = ", or pooling: cls or mean, which ignores modules.json"


class SentenceModules(NamedTuple):
    """What follows the network.

    Attributes:
        poolings: ways to pool the last layer, concatenated.
        dimensions: length of a sentence vector.
        after: what is applied to the pooled vectors.
        longest: the most tokens of a sentence; None: as many as the network reads.
        lower: whether sentences are lower-cased first.
    """

    poolings: tuple[str, ...]
    dimensions: int
    after: nn.Module
    longest: int | None = None
    lower: bool = False


class _Normalize(nn.Module):
    def forward(self, vectors: Tensor) -> Tensor:
        """Scale vectors (B, width) to length 1."""
        return functional.normalize(vectors, dim=1)


def pool(states: Tensor, shown: Tensor, poolings: Sequence[str]) -> Tensor:
    """Pool the states of tokens (B, tokens, width): (B, poolings * width).

    Args:
        shown: (B, tokens), true where a token stands, false for padding.
    """
    weights = shown.unsqueeze(2).to(states.dtype)
    total, count = (states * weights).sum(1), weights.sum(1)
    pooled = {
        "cls": lambda: states[:, 0],
        "mean": lambda: total / count,
        "max": lambda: states.masked_fill(weights == 0, -torch.inf).amax(1),
        "mean_sqrt_len": lambda: total / count.sqrt(),
    }
    return torch.cat([pooled[way]() for way in poolings], dim=1)


def read_modules(folder: Path, width: int) -> SentenceModules:
    """Read the steps of `modules.json`.

    Args:
        width: of a state of the network.

    Raises:
        KasuError: a file is malformed, lies outside the folder or asks for what is not built here.
    """
    steps = _steps(folder)
    kinds = [kind for kind, _ in steps]
    if kinds[:2] != ["Transformer", "Pooling"] or {"Transformer", "Pooling"} & {*kinds[2:]}:
        expected = "Transformer, Pooling, then Dense or Normalize"
        raise KasuError(folder / MODULES, f"modules {', '.join(kinds)}", expected + _OTHERWISE)
    if steps[0][1] != folder:
        found = f"the network in {steps[0][1].name}"
        raise KasuError(folder / MODULES, found, "the network at the top" + _OTHERWISE)
    poolings = _poolings(steps[1][1] / "config.json")
    dimensions = width * len(poolings)
    after: list[nn.Module] = []
    for kind, place in steps[2:]:
        if kind == "Dense":
            linear, activation = _dense(place, dimensions)
            after += [linear, activation]
            dimensions = linear.out_features
        elif kind == "Normalize":
            after.append(_Normalize())
        else:
            expected = "Dense or Normalize after the pooling"
            raise KasuError(folder / MODULES, f"a module {kind}", expected + _OTHERWISE)
    _check_prompt(folder / "config_sentence_transformers.json")
    limits = _read_if_there(folder / "sentence_bert_config.json")
    longest = limits.get("max_seq_length")
    return SentenceModules(
        poolings,
        dimensions,
        nn.Sequential(*after).eval().requires_grad_(False),
        longest if isinstance(longest, int) and longest > 0 else None,
        limits.get("do_lower_case") is True,
    )


def _steps(folder: Path) -> list[tuple[str, Path]]:
    """Read kind and folder of each module."""
    path = folder / MODULES
    listed = _read(path)
    if not isinstance(listed, list) or not all(isinstance(module, dict) for module in listed):
        raise KasuError(path, "not a list of modules", "a list of objects with type and path")
    top = folder.resolve()
    steps = []
    for module in listed:
        library, _, kind = str(module.get("type")).rpartition(".")
        if library.partition(".")[0] != "sentence_transformers":
            found = f"a module {module.get('type')!r}"
            raise KasuError(path, found, "modules of sentence_transformers" + _OTHERWISE)
        name = str(module.get("path", ""))
        place = (folder / name).resolve() if "\0" not in name else Path()
        # At the top, or in a folder there: nothing outside is read
        if place != top and place.parent != top:
            raise KasuError(path, f"path {name!r}", "a folder of the model")
        steps.append((kind, folder if place == top else folder / place.name))
    return steps


def _poolings(path: Path) -> tuple[str, ...]:
    config = _read_object(path)
    marked = [key for key, on in config.items() if key.startswith("pooling_mode_") and on is True]
    names = [key.removeprefix("pooling_mode_") for key in marked]
    if not names or set(names) - set(POOLINGS):
        expected = f"some of {', '.join(POOLINGS)}"
        raise KasuError(path, f"pooling {', '.join(names) or 'unknown'}", expected + _OTHERWISE)
    return tuple(way for name, way in POOLINGS.items() if name in names)


def _dense(folder: Path, width: int) -> tuple[nn.Linear, nn.Module]:
    """Read a dense layer and its activation."""
    config, weights = _read_object(folder / "config.json"), folder / "model.safetensors"
    name = str(config.get("activation_function"))
    if name not in _ACTIVATIONS:
        expected = ", ".join(key.rpartition(".")[2] for key in _ACTIVATIONS)
        raise KasuError(folder / "config.json", f"activation {name!r}", expected + _OTHERWISE)
    for key in ("module_input_name", "module_output_name"):
        if config.get(key) not in (None, "sentence_embedding"):
            raise KasuError(folder / "config.json", f"{key} {config[key]!r}", "sentence_embedding")
    if not weights.is_file():
        raise KasuError(folder, "no model.safetensors", "safetensors, nothing pickled" + _OTHERWISE)
    try:
        tensors = load_file(weights)
    except (SafetensorError, OSError, ValueError) as error:
        reraise_limit(error)
        raise KasuError(weights, f"not safetensors ({error})", "weights") from error
    weight, bias = tensors.get("linear.weight"), tensors.get("linear.bias")
    shape = None if weight is None else tuple(weight.shape)
    wanted = (config.get("out_features"), width)
    if weight is None or shape != wanted or (bias is not None) != bool(config.get("bias", True)):
        found = f"linear.weight {shape}, linear.bias {None if bias is None else tuple(bias.shape)}"
        raise KasuError(weights, found, f"linear.weight {wanted}, and the bias of config.json")
    if bias is not None and bias.shape != weight.shape[:1]:
        raise KasuError(weights, f"linear.bias {tuple(bias.shape)}", f"{wanted[:1]}")
    linear = nn.Linear(width, len(weight), bias=bias is not None)
    for parameter, values in ((linear.weight, weight), (linear.bias, bias)):
        if values is not None:
            parameter.data = values.float()
    return linear, _ACTIVATIONS[name]()


def _check_prompt(path: Path) -> None:
    prompt = _read_if_there(path).get("default_prompt_name")
    if prompt is not None:
        raise KasuError(path, f"a default prompt, {prompt!r}", "an encoder without" + _OTHERWISE)


def _read_if_there(path: Path) -> Mapping[str, Any]:
    return _read_object(path) if path.is_file() else {}


def _read_object(path: Path) -> Mapping[str, Any]:
    config = _read(path)
    if not isinstance(config, dict):
        raise KasuError(path, type(config).__name__, "an object")
    return config


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise KasuError(path, error.strerror or "unreadable", "a file of the model") from error
    except (ValueError, RecursionError) as error:
        raise KasuError(path, f"not JSON ({error})", "JSON") from error
