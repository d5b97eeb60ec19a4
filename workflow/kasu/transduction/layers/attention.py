"""Attention: weights over the positions of a sequence."""

from typing import NamedTuple

import torch
from torch import Tensor, nn


class Memory(NamedTuple):
    """A sequence to attend to.

    Attributes:
        values: (B, L, D).
        keys: (B, L, A), what an attention has made of the values.
        padding: (B, L), minus infinity where there is padding, 0 elsewhere.
    """

    values: Tensor
    keys: Tensor
    padding: Tensor


class Additive(nn.Module):
    """Additive attention (Bahdanau, Cho & Bengio 2015, appendix A.1.2).

    Args:
        query: width of a query.
        values: width of the values.
        width: of the hidden layer.
        bias: of the queries.
        normalised: the weights of scores are a direction and a length, which starts at the inverse
            root of the width (Salimans & Kingma 2016, as in the translation program of Luong et al.
            2017).
    """

    def __init__(
        self, query: int, values: int, width: int, *, bias: bool = True, normalised: bool = False
    ) -> None:
        super().__init__()
        self.query = nn.Linear(query, width, bias=bias)
        self.key = nn.Linear(values, width, bias=False)
        self.score = nn.Linear(width, 1, bias=False)
        self.length = nn.Parameter(torch.tensor(width**-0.5)) if normalised else None

    def memory(self, values: Tensor, mask: Tensor) -> Memory:
        """Project the values, once for all queries."""
        padding = torch.zeros_like(values[..., 0]).masked_fill(~mask, -torch.inf)
        return Memory(values, self.key(values), padding)

    def forward(self, query: Tensor, memory: Memory) -> Tensor:
        """Return the attention of queries (B, Q) or (B, M, Q) to positions: (B, L) or (B, M, L)."""
        keys, padding = memory.keys, memory.padding
        if query.dim() == 3:
            keys, padding = keys.unsqueeze(1), padding.unsqueeze(1)
        # One hidden layer for each position, (…, L, A)
        hidden = torch.tanh(self.query(query).unsqueeze(-2) + keys)
        scores = self.score(hidden).squeeze(-1)
        if self.length is not None:
            scores = scores * (self.length / self.score.weight.norm())
        return (scores + padding).softmax(-1)


class Luong(nn.Module):
    """Attention by products (Luong, Pham & Manning 2015 §3.1, `general`).

    Args:
        query: width of a query.
        values: width of the values.
        bias: of the keys.
    """

    def __init__(self, query: int, values: int, *, bias: bool = False) -> None:
        super().__init__()
        self.key = nn.Linear(values, query, bias=bias)

    def memory(self, values: Tensor, mask: Tensor) -> Memory:
        """Project the values, once for all queries."""
        padding = torch.zeros_like(values[..., 0]).masked_fill(~mask, -torch.inf)
        return Memory(values, self.key(values), padding)

    def forward(self, query: Tensor, memory: Memory) -> Tensor:
        """Return the attention of queries (B, M, Q) to each position, (B, M, L)."""
        return (query @ memory.keys.mT + memory.padding.unsqueeze(1)).softmax(2)
