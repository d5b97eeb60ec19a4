"""The coupled LSTM trained on one short sequence at a time, as Makarov & Clematide (2018) do."""

import copy
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from measuring import row
from products import count_operations, product_rate, share_row
from torch import Tensor, nn

from kasu.neural.device import make_deterministic
from kasu.neural.recurrent.networks import Recurrent, use_plain

STEPS, INPUTS, SIZE = 15, 100, 200
TURNS, TIMES = 20, 10


def least(ways: Sequence[Callable[[], object]]) -> list[float]:
    """CPU seconds of one call of each way, the least of TURNS; they take turns."""
    best = [float("inf")] * len(ways)
    for _ in range(TURNS):
        for number, way in enumerate(ways):
            began = time.process_time()
            for _ in range(TIMES):
                way()
            best[number] = min(best[number], (time.process_time() - began) / TIMES)
    return best


def update(network: nn.Module, x: Tensor) -> Callable[[], None]:
    """A forward and a backward pass."""

    def run() -> None:
        network.zero_grad()
        network(x)[0].sum().backward()

    return run


def rows(mirror: Path | None) -> list[dict[str, object]]:
    """Figures on random numbers, with or without a mirror.

    The coupled LSTM has two peers: itself in plain operations, and torch's LSTM, which is another
    network, of fewer weights. At batch 1 most products are of a matrix and a vector, which the
    reading of the matrix bounds, so their share of the rate is small.
    """
    make_deterministic(threads=1)
    torch.manual_seed(1)
    found = []
    for directions in (1, 2):
        x = torch.randn(1, STEPS, INPUTS)
        ours = Recurrent("coupled", INPUTS, SIZE, directions=directions)
        plain = copy.deepcopy(ours)
        use_plain(plain)
        torch.testing.assert_close(ours(x)[0], plain(x)[0])
        torchs = nn.LSTM(INPUTS, SIZE, batch_first=True, bidirectional=directions == 2)
        mine, *others = least([update(network, x) for network in (ours, plain, torchs)])
        item = f"coupled LSTM, batch 1, {directions} directions, forward and backward"
        for name, peer in zip(("plain operations", "nn.LSTM"), others, strict=True):
            shown = f"{name}, {1 / peer:.0f}"
            found.append(row(item, 1 / mine, "sequences/CPU-s", shown, peer / mine))
        operations = count_operations(update(ours, x))
        found.append(share_row(item, operations, mine, product_rate()))
    return found
