"""Attention to positions by their numbers: it does not see what stands there."""

import torch
from torch import Tensor, nn


class Positions(nn.Module):
    """One score for each position up to a limit, from the query alone.

    Source: PyTorch's tutorial on translation with a sequence to sequence network and attention,
    which Liu et al. (2018 §3.1) name.

    Args:
        query: width of a query.
        limit: the number of positions that have a score.
        masked: positions without a symbol have no weight. Else they take theirs from the others,
            so that a sum of what is attended to lacks it, as in the tutorial.
    """

    def __init__(self, query: int, limit: int, *, masked: bool = True) -> None:
        super().__init__()
        self.limit, self.masked = limit, masked
        self.score = nn.Linear(query, limit)

    def forward(self, query: Tensor, mask: Tensor) -> Tensor:
        """Return the attention of queries (B, Q) to positions, (B, L).

        Args:
            mask: (B, L), true where there is a symbol; L is the limit at most.
        """
        length, scores = mask.shape[1], self.score(query)
        if not self.masked:
            return scores.softmax(1)[:, :length] * mask
        return scores[:, :length].masked_fill(~mask, -torch.inf).softmax(1)
