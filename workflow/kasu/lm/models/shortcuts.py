"""Less work for the same logits: what a network may leave out, and a faster product on the CPU.

Nothing here is taken on trust: the caller compares logits with those of the plain network.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Cut(NamedTuple):
    """A module behind which every position goes its own way, so that others can be left out.

    below: it is the whole network below the vocabulary head, and its output is cut; otherwise its
    inputs are.
    """

    module: nn.Module
    below: bool


def find_cuts(network: nn.Module) -> list[Cut]:
    """From the deepest: output and feed-forward of the last layer in BERT and its kin; the head."""
    outputs = [
        module for name, module in network.named_modules() if name.endswith("attention.output")
    ]
    below = getattr(network, "base_model", network)
    cuts = [Cut(module, below=False) for module in outputs[-1:]]
    return cuts + ([Cut(below, below=True)] if below is not network else [])


@contextmanager
def cutting(cut: Cut | None, rows: Tensor, positions: Tensor) -> Iterator[list[bool]]:
    """Let only the states at some positions pass, shape (1, n, width), as float32.

    Yields:
        A list that is not empty once that has happened.
    """
    passed: list[bool] = []

    def keep(states: Tensor) -> Tensor:
        passed.append(True)
        torch.set_autocast_enabled(states.device.type, False)  # until the caller's context ends
        return states[rows, positions].unsqueeze(0).float()

    def before(module: nn.Module, arguments: tuple) -> tuple:
        return tuple(map(keep, arguments))

    def after(module: nn.Module, arguments: tuple, output: tuple | Mapping) -> tuple | Mapping:
        if isinstance(output, tuple):
            return (keep(output[0]), *output[1:])
        output.last_hidden_state = keep(output.last_hidden_state)
        return output

    if cut is None:
        yield passed
        return
    module = cut.module
    hook = (
        module.register_forward_hook(after)
        if cut.below
        else module.register_forward_pre_hook(before)
    )
    try:
        yield passed
    finally:
        hook.remove()


class PackedLinear(nn.Module):
    """A linear layer of oneDNN, its weights in oneDNN's own order.

    Torch multiplies with MKL, which leaves half of an AMD processor's width unused; on Intel's the
    two are alike.
    """

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.weight = torch.ops.mkldnn._reorder_linear_weight(linear.weight.detach(), None)
        self.bias = None if linear.bias is None else linear.bias.detach()

    def forward(self, inputs: Tensor) -> Tensor:
        """(..., in) to (..., out)."""
        return torch.ops.mkldnn._linear_pointwise(inputs, self.weight, self.bias, "none", [], "")


Replaced = list[tuple[nn.Module, str, nn.Module]]


def pack_linears(network: nn.Module) -> Replaced:
    """Put a PackedLinear for every linear layer; what `restore` needs to undo it."""
    replaced = [
        (module, name, child)
        for module in network.modules()
        for name, child in module.named_children()
        if type(child) is nn.Linear
    ]
    packed = [(module, name, PackedLinear(child)) for module, name, child in replaced]
    restore(packed)
    return replaced


def restore(layers: Replaced) -> None:
    """Put the layers in their places."""
    for module, name, child in layers:
        setattr(module, name, child)
