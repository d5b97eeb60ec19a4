"""The backward passes written by hand, against autograd on the same networks in plain operations.

Both sides compute the same losses and gradients, of random numbers. Sizes are those of the systems
that use the passes: LSTMs of 100 and 200 units over 10 to 30 symbols, on single items (the baseline
of task 2) and batches. Ratios are of CPU time on one thread.
"""

import copy
from collections.abc import Callable
from pathlib import Path

import torch
from measuring import row
from recurrent import least
from torch import Tensor, nn

from kasu.neural.device import make_deterministic
from kasu.neural.recurrent.networks import RecurrentCell, use_plain
from kasu.transduction.layers.encoder import Encoded
from kasu.transduction.layers.state_decoder import DecoderDropoutMasks, StateDecoder

SYMBOLS = 40  # of the alphabet
SHAPES = ((1, 100, 15), (20, 100, 10), (20, 100, 30), (32, 100, 15), (64, 200, 15))
"""Batch, width of a state, and symbols of a sequence."""


def random_encoding(batch: int, length: int, size: int) -> Encoded:
    """Return outputs of two directions that need gradients, without padding."""
    outputs = torch.randn(batch, length, 2 * size, requires_grad=True)
    return Encoded(outputs, torch.ones(batch, length, dtype=torch.bool), ())


def lstm(batch: int, size: int, length: int) -> tuple[nn.Module, Callable[[nn.Module], Tensor]]:
    """Return an LSTM, and its loss on sequences that are known as a whole."""
    x = torch.randn(batch, length, size, requires_grad=True)

    def loss(cell: nn.Module) -> Tensor:
        outputs, _ = cell.run(x, cell.zeros(batch))
        return outputs.square().mean()

    return RecurrentCell("lstm", size, size), loss


def state(batch: int, size: int, length: int) -> tuple[nn.Module, Callable[[nn.Module], Tensor]]:
    """Return a decoder that attends by output and cell, and its loss."""
    encoded = random_encoding(batch, length, size)
    ids = torch.randint(4, SYMBOLS, (batch, length))
    masks = DecoderDropoutMasks(torch.ones(size), torch.ones(2 * size), torch.ones(size))

    def loss(decoder: nn.Module) -> Tensor:
        return -decoder.teacher(decoder.start(encoded, masks), ids, masks).mean()

    return StateDecoder(nn.Embedding(SYMBOLS, size), size, 2 * size), loss


NETWORKS = {"LSTM": lstm, "state decoder": state}


def update(
    network: nn.Module, loss: Callable[[nn.Module], Tensor]
) -> Callable[[], dict[str, Tensor]]:
    """Return a forward and a backward pass, which gives the gradients of all weights."""

    def run() -> dict[str, Tensor]:
        network.zero_grad()
        loss(network).backward()
        return {name: weight.grad for name, weight in network.named_parameters()}

    return run


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Figures on random numbers, with or without a mirror."""
    make_deterministic(threads=1)
    torch.manual_seed(1)
    found = []
    for name, make in NETWORKS.items():
        for batch, size, length in SHAPES:
            ours, loss = make(batch, size, length)
            plain = copy.deepcopy(ours)
            use_plain(plain)
            ways = [update(ours, loss), update(plain, loss)]
            for (weight, gradient), peer in zip(ways[0]().items(), ways[1]().values(), strict=True):
                torch.testing.assert_close(gradient, peer, atol=1e-5, rtol=1e-3, msg=weight)
            mine, other = least(ways)
            item = f"{name}, batch {batch}, {size} units, {length} symbols, forward and backward"
            shown = f"autograd, {1 / other:.0f}"
            found.append(row(item, 1 / mine, "updates/CPU-s", shown, other / mine))
    return found
