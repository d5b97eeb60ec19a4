"""DyNet's coupled LSTM with peepholes, over a whole sequence at once.

It is the default in the released program of Makarov & Clematide (2018). A step takes an input x and
the state h, c to h', c':

    i  = sigmoid(Wi x + Ui h + Pi c + bi)    the input gate; the forget gate is 1 - i
    g  = tanh(Wg x + Ug h + bg)
    c' = (1 - i) c + i g
    o  = sigmoid(Wo x + Uo h + Po c' + bo)   reads the new cell
    h' = o tanh(c')

The peepholes Pi and Po are full matrices. DyNet draws every matrix by Glorot & Bengio (2010),
uniform in ±sqrt(6 / (rows + columns)), and sets the biases to 0.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


class CoupledSequence(torch.autograd.Function):
    """All states of coupled LSTMs, with a backward pass written by hand.

    Training on one sequence at a time takes a third of the time that plain operations take: no
    graph is recorded step by step, the gradient of each weight is one product, and N networks (the
    directions of a layer) share every step. Gates are in the order i, o, g.
    """

    @staticmethod
    def forward(
        ctx: Any, inputs: Tensor, hidden: Tensor, cell: Tensor, recurrent: Tensor, peephole: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Run N networks over T steps.

        Args:
            inputs: (T, N, B, 3S), the products of the inputs with W, biases added.
            hidden, cell: (N, B, S), the states before the first step.
            recurrent: (N, 3S, S), U.
            peephole: (N, 2S, S), Pi and Po.

        Returns:
            The states h and c after every step, (T, N, B, S) each.
        """
        # The gates are computed in place, so that the backward pass finds their values
        gates = inputs.clone(memory_format=torch.contiguous_format)
        size = hidden.shape[-1]
        # Row 0 is the state before the first step: (T + 1, N, B, S)
        hiddens, cells = (
            torch.cat([start[None], start.new_empty(len(gates), *start.shape)])
            for start in (hidden, cell)
        )
        forward, peep = recurrent.mT, peephole.mT
        # One product of a cell serves the output gate of its step and the input gate of the next
        peeped = torch.bmm(cell, peep)
        peeped_i, peeped_o = peeped.split(size, -1)
        parts = (gates, *gates.split(size, -1), hiddens[1:], cells[1:])
        for gate, i, o, g, new_hidden, new_cell in by_step(*parts):
            gate.baddbmm_(hidden, forward)
            i.add_(peeped_i).sigmoid_()
            # c' = (1 - i) c + i g
            torch.lerp(cell, g.tanh_(), i, out=new_cell)
            torch.bmm(new_cell, peep, out=peeped)
            o.add_(peeped_o).sigmoid_()
            torch.tanh(new_cell, out=new_hidden).mul_(o)
            hidden, cell = new_hidden, new_cell
        ctx.save_for_backward(hiddens, cells, gates, recurrent, peephole)
        return hiddens[1:], cells[1:]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, from_hiddens: Tensor, from_cells: Tensor) -> tuple[Tensor, ...]:
        """Return the gradients of the arguments of `forward`, from those of all states."""
        hiddens, cells, gates, recurrent, peephole = ctx.saved_tensors
        size = hiddens.shape[-1]
        # Each step writes the gradients of its gates in place
        grads = torch.empty_like(gates)  # before the gates' sigmoid and tanh
        d_hidden, d_cell = torch.zeros_like(hiddens[0]), torch.zeros_like(cells[0])
        # What reaches a cell by its peepholes: from the next step's i, and from this step's o
        peeped = torch.zeros_like(gates[0, ..., : 2 * size])
        peeped_i, peeped_o = peeped.split(size, -1)
        parts = (grads, *grads.split(size, -1), from_hiddens, from_cells, *_slopes(gates, cells))
        for step in reversed([*by_step(*parts)]):
            grad, d_i, d_o, d_g, from_hidden, from_cell, to_i, to_o, to_g, to_new, to_old = step
            # d_hidden is that of h' once its own use as an output is added
            d_hidden += from_hidden
            torch.mul(d_hidden, to_o, out=d_o)
            peeped_o.copy_(d_o)
            # c' reaches the loss as an output, through h', and through both peepholes
            d_cell += from_cell
            d_cell.addcmul_(d_hidden, to_new).baddbmm_(peeped, peephole)
            torch.mul(d_cell, to_i, out=d_i)
            peeped_i.copy_(d_i)
            torch.mul(d_cell, to_g, out=d_g)
            # From here on, d_cell and d_hidden are of the states before the step
            d_cell *= to_old
            torch.bmm(grad, recurrent, out=d_hidden)
        # The first step's i also read the cell before it
        d_cell.baddbmm_(peeped_i, peephole[:, :size])
        # Weights: i read the old cell, o the new one
        d_i, d_o, _ = grads.split(size, -1)
        d_peephole = torch.cat([outer(d_i, cells[:-1]), outer(d_o, cells[1:])], 1)
        return grads, d_hidden, d_cell, outer(grads, hiddens[:-1]), d_peephole


def _slopes(gates: Tensor, cells: Tensor) -> tuple[Tensor, ...]:
    """Return the local derivatives of every step, (T, N, B, S) each.

    From c' to i and from h' to o before the sigmoid, from c' to g before the tanh, from h' to c',
    and from c' to c.
    """
    i, o, g = gates.chunk(3, -1)
    keep, squashed = 1 - i, cells[1:].tanh()
    return (
        (g - cells[:-1]) * i * keep,
        squashed * o * (1 - o),
        (1 - g.square()) * i,
        (1 - squashed.square()) * o,
        keep,
    )


def by_step(*parts: Tensor) -> Iterator[tuple[Tensor, ...]]:
    """Iterate over the steps of tensors (T, …) together."""
    return zip(*(part.unbind(0) for part in parts), strict=True)


def outer(left: Tensor, right: Tensor) -> Tensor:
    """Sum the outer products of (T, N, B, X) and (T, N, B, Y) over T and B: (N, X, Y)."""
    left, right = (each.transpose(0, 1).flatten(1, 2) for each in (left, right))
    return torch.bmm(left.mT, right)
