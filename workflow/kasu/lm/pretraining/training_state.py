"""The state of a run between two jobs: tensors and plain facts in one safetensors file."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from kasu.base.errors import KasuError
from kasu.base.limits import reraise_limit
from kasu.files.tables import landing

PLAIN = "plain"


def save_state(path: str | Path, tensors: Mapping[str, Tensor], plain: Mapping) -> None:
    """Write tensors and plain facts, which JSON must be able to hold; same state, same bytes."""
    text = json.dumps(plain, sort_keys=True)
    # One key: safetensors writes several in any order
    stored = {PLAIN: f"{_digest(tensors, text)}\n{text}"}
    with landing(path) as part:
        save_file({key: value.contiguous() for key, value in tensors.items()}, part, stored)


def load_state(path: str | Path, made_of: Mapping) -> tuple[dict[str, Tensor], dict]:
    """Read the tensors and the plain facts of a state.

    Args:
        made_of: what the plain facts must have as `made_of`.

    Raises:
        KasuError: the file is missing, damaged, or of another run.
    """
    try:
        with safe_open(path, "pt") as file:
            digest, _, text = (file.metadata() or {})[PLAIN].partition("\n")
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
        if digest != _digest(tensors, text):
            raise ValueError("its checksum is another")
        plain = json.loads(text)
    except (SafetensorError, OSError, KeyError, ValueError) as error:
        reraise_limit(error)
        raise KasuError(path, f"not the state of a run ({error})") from error
    _expect_same(path, plain.get("made_of", {}), json.loads(json.dumps(made_of)))
    return tensors, plain


def _digest(tensors: Mapping[str, Tensor], plain: str) -> str:
    """Return the sha256 of names, types, shapes and values of tensors, and of the plain facts."""
    digest = hashlib.sha256(plain.encode())
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.detach().cpu().reshape(-1).view(torch.uint8).numpy())
    return digest.hexdigest()


def _expect_same(path: str | Path, found: Mapping, expected: Mapping, within: str = "") -> None:
    for key in sorted(found.keys() | expected.keys()):
        one, other = found.get(key), expected.get(key)
        if isinstance(one, dict) and isinstance(other, dict):
            _expect_same(path, one, other, f"{key}, ")
        elif one != other:
            raise KasuError(path, f"a checkpoint of another run: {within}{key} {one!r}",
                            repr(other))  # fmt: skip


def training_tensors(network: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """Return the weights and the optimiser's moments by name, on the CPU."""
    tensors: dict[str, Tensor] = {}
    for name, weight in network.named_parameters():
        tensors[f"weight.{name}"] = weight.detach().cpu()
        for key, value in optimizer.state[weight].items():
            tensors[f"{key}.{name}"] = value.cpu()
    return tensors


def restore_training(
    network: nn.Module, optimizer: torch.optim.Optimizer, tensors: Mapping[str, Tensor]
) -> None:
    """Restore what `training_tensors` returned."""
    for name, weight in network.named_parameters():
        weight.data.copy_(tensors[f"weight.{name}"])
        optimizer.state[weight] = {
            key: tensors[f"{key}.{name}"].to(weight.device, copy=True)
            for key in ("step", "exp_avg", "exp_avg_sq")
            if f"{key}.{name}" in tensors
        }
        if not optimizer.state[weight]:
            del optimizer.state[weight]
