"""Encoders: from the symbols of a sequence to a vector at every position, and a final state."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import Kind, Recurrent
from kasu.transduction.alphabet import PAD

Order = Literal["forward", "backward", "outside_in"]
"""In which order a sequence is read. `outside_in`: first, last, second, last but one, and so on."""


class Encoded(NamedTuple):
    """An encoded sequence.

    Attributes:
        outputs: (B, L, D).
        mask: (B, L), false where padding was passed over.
        final: h and c (of a GRU, h alone) after the last symbol; (B, W), both directions joined.
    """

    outputs: Tensor
    mask: Tensor
    final: tuple[Tensor, ...]


class Encoder(nn.Module):
    """An embedding table and a recurrent network that reads it.

    Args:
        table: embeddings of the alphabet; a decoder may share it.
        masked: whether the network passes over padding.
    """

    def __init__(self, table: nn.Embedding, network: Recurrent, *, masked: bool = True) -> None:
        super().__init__()
        self.table, self.network, self.masked = table, network, masked

    def forward(
        self, ids: Tensor, embedded: Tensor | float = 1.0, outputs: Tensor | float = 1.0
    ) -> Encoded:
        """Encode sequences of ids (B, L).

        Args:
            embedded: dropout mask of the embeddings, (B, L, E).
            outputs: dropout mask of the outputs, (B, L, D).
        """
        mask = (ids != PAD) | (not self.masked)
        values, *finals = self.network(self.table(ids) * embedded, mask)
        final = tuple(final[-1] for final in finals if final is not None)
        return Encoded(values * outputs, mask, final)

    def summed(self, final: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Return final states with the directions added up, (B, size) each."""
        return tuple(part.unflatten(1, (-1, self.network.size)).sum(1) for part in final)


def places(mask: Tensor, order: Order) -> Tensor:
    """Return the position (B, L) that is read at each step; padding stays where it is.

    Args:
        mask: (B, L), true where a sequence is real.
    """
    steps = torch.arange(mask.shape[1], device=mask.device).expand(mask.shape)
    last = mask.sum(1, keepdim=True) - 1
    if order == "forward":
        return steps
    if order == "backward":
        read = last - steps
    else:
        read = torch.where(steps % 2 == 0, steps // 2, last - steps // 2)
    return torch.where(mask, read, steps)


def add_directions(joined: Tensor, size: int) -> Tensor:
    """Add up two directions of `size` each, which stand side by side: (…, size)."""
    return joined.unflatten(-1, (2, size)).sum(-2)


def by_direction(final: Tensor, size: int) -> Tensor:
    """Return final states (layers, B, 2 size) as (2 layers, B, size), sorted by layer."""
    return final.unflatten(2, (2, size)).transpose(1, 2).flatten(0, 1)


class OrderedEncoder(nn.Module):
    """Networks that read a sequence in several orders, each with its weights.

    Outputs at one position of the sequence are joined, and so are final states.

    Args:
        table: embeddings of the alphabet, the same for all.
        size: width of each network.
    """

    def __init__(self, kind: Kind, table: nn.Embedding, size: int, orders: Sequence[Order]) -> None:
        super().__init__()
        self.table, self.orders = table, orders
        self.width = size * len(orders)
        self.networks = nn.ModuleList(Recurrent(kind, table.embedding_dim, size) for _ in orders)

    def forward(self, ids: Tensor) -> Encoded:
        """Encode sequences of ids (B, L)."""
        mask = ids != PAD
        embedded = self.table(ids)
        read, finals = [], []
        for order, network in zip(self.orders, self.networks, strict=True):
            at = places(mask, order)
            outputs, *final = network(_taken(embedded, at), mask)
            # Every order is undone by sorting its places
            read.append(_taken(outputs, at.argsort(1)))
            finals.append([part[-1] for part in final if part is not None])
        joined = tuple(torch.cat(parts, 1) for parts in zip(*finals, strict=True))
        return Encoded(torch.cat(read, 2), mask, joined)


def _taken(values: Tensor, at: Tensor) -> Tensor:
    """Return the values (B, L, D) at positions (B, L)."""
    return values.gather(1, at.unsqueeze(2).expand(-1, -1, values.shape[2]))
