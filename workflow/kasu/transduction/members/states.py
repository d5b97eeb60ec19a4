"""Files of what members have learnt: tensors as safetensors, texts in the file's metadata."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from kasu.base.errors import KasuError
from kasu.base.limits import reraise_limit
from kasu.files.regular import expect_regular
from kasu.files.tables import landing
from kasu.transduction.members.learning import State

TEXTS = "texts"


def write_state(path: Path, state: State) -> None:
    """Write a state, whole or not at all; its bytes depend on nothing else.

    A tensor that has several names, as a table that two networks share, is written once.
    """
    tensors: dict[str, Tensor] = {}
    for name, each in state.items():
        if isinstance(each, Tensor) and not any(_same(each, other) for other in tensors.values()):
            tensors[name] = each.contiguous()
    texts = {name: each for name, each in state.items() if isinstance(each, str)}
    # One entry, as safetensors writes several in any order
    metadata = {TEXTS: json.dumps(texts, sort_keys=True)} if texts else None
    with landing(path) as part:
        save_file(tensors, part, metadata)


def read_state(path: Path, expected: str) -> State:
    """Read what `write_state` wrote.

    Raises:
        KasuError: the file is missing or damaged; `expected` says what it should be.
    """
    expect_regular(path, expected)
    try:
        with safe_open(path, "pt") as file:
            texts = json.loads((file.metadata() or {}).get(TEXTS, "{}"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, ValueError, RecursionError) as error:
        reraise_limit(error)
        raise KasuError(path, "missing or damaged", expected) from error
    if not isinstance(texts, dict) or not all(isinstance(each, str) for each in texts.values()):
        raise KasuError(path, "missing or damaged", expected)
    return tensors | texts


def set_weights(network: object, state: State) -> None:
    """Give a network the weights of a state, all of them, and end its training.

    Raises:
        RuntimeError: the state lacks a weight, has a further one, or one of another shape.
    """
    module = cast(nn.Module, network)
    missing, unexpected = module.load_state_dict(cast(Mapping[str, Tensor], state), strict=False)
    own = module.state_dict()
    given = [own[name] for name in own if name in state]
    lost = [name for name in missing if not any(_same(own[name], each) for each in given)]
    if lost or unexpected:
        raise RuntimeError(f"weights {', '.join([*lost, *unexpected])}")
    module.eval()


def _same(one: Tensor, other: Tensor) -> bool:
    """Return whether two tensors are the same memory."""
    return bool(one.numel()) and (one.data_ptr(), one.shape) == (other.data_ptr(), other.shape)
