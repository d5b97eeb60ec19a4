"""Sums of the rows of a large table."""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn.functional import embedding_bag


class SummedRows(torch.autograd.Function):
    """The sum of some rows of a table for each bag; the gradient has each row that is read once.

    The gradient of `nn.EmbeddingBag` has a row for each time that one is read. Adding these up
    later takes longer than everything else that a bag costs.
    """

    @staticmethod
    def forward(ctx: Any, table: Tensor, rows: Tensor, begins: Tensor) -> Tensor:
        """Sum up rows: (bags, width).

        Args:
            table: (rows of the table, width).
            rows: numbers of rows, bag after bag.
            begins: (bags,) where each bag begins in `rows`.
        """
        ctx.save_for_backward(rows, begins)
        ctx.shape = table.shape
        return embedding_bag(rows, table, begins, mode="sum")

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        """Return the gradient of the table, sparse and coalesced."""
        rows, begins = ctx.saved_tensors
        ends = torch.cat([begins[1:], begins.new_tensor([len(rows)])])
        # The bag that each read row belongs to
        bag = torch.repeat_interleave(ends - begins)
        # The gradient of a row is the sum of the gradients of the bags that it is in
        by_row, order = rows.sort(stable=True)
        read, counts = by_row.unique_consecutive(return_counts=True)
        sums = embedding_bag(bag[order], gradient, counts.cumsum(0) - counts, mode="sum")
        known = {"is_coalesced": True, "check_invariants": False}
        return torch.sparse_coo_tensor(read[None], sums, ctx.shape, **known), None, None
