"""Long short-term memories over a whole sequence at once, with weights that may differ by call.

torch's own kernel keeps its weights to itself, so that none of them can be dropped for a batch.
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from kasu.neural.coupled import outer


class LstmSequence(torch.autograd.Function):
    """All states of LSTMs, with a backward pass written by hand. Gates are in the order i, f, g, o.

    Training on one sequence at a time takes a fraction of the time that plain operations take (see
    kasu.neural.coupled).
    """

    @staticmethod
    def forward(
        ctx: Any, inputs: Tensor, hidden: Tensor, cell: Tensor, recurrent: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Run N networks over T steps.

        Args:
            inputs: (T, N, B, 4S), the products of the inputs with their weights, biases added.
            hidden, cell: (N, B, S), the states before the first step.
            recurrent: (N, 4S, S), the weights of the previous output.

        Returns:
            The states h and c after every step, (T, N, B, S) each.
        """
        gates = inputs.clone(memory_format=torch.contiguous_format)
        hiddens, cells = (
            torch.cat([start[None], start.new_empty(len(gates), *start.shape)])
            for start in (hidden, cell)
        )
        forward = recurrent.mT
        parts = (gates, *gates.chunk(4, -1), hiddens[1:], cells[1:])
        steps = zip(*(part.unbind(0) for part in parts), strict=True)
        for gate, i, f, g, o, new_hidden, new_cell in steps:
            gate.baddbmm_(hidden, forward)
            i.sigmoid_()
            f.sigmoid_()
            g.tanh_()
            o.sigmoid_()
            torch.mul(f, cell, out=new_cell).addcmul_(i, g)
            torch.tanh(new_cell, out=new_hidden).mul_(o)
            hidden, cell = new_hidden, new_cell
        ctx.save_for_backward(hiddens, cells, gates, recurrent)
        return hiddens[1:], cells[1:]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, from_hiddens: Tensor, from_cells: Tensor) -> tuple[Tensor, ...]:
        """The gradients of what `forward` takes, from those of all states."""
        hiddens, cells, gates, recurrent = ctx.saved_tensors
        i, f, g, o = gates.chunk(4, -1)
        squashed = cells[1:].tanh()
        # From c' to i, f and g, from h' to o, before sigmoid and tanh; from h' to c'
        to_i, to_f = g * i * (1 - i), cells[:-1] * f * (1 - f)
        to_g, to_o = i * (1 - g.square()), squashed * o * (1 - o)
        to_cell = (1 - squashed.square()) * o
        grads = torch.empty_like(gates)
        d_hidden, d_cell = torch.zeros_like(hiddens[0]), torch.zeros_like(cells[0])
        slopes = (to_i, to_f, to_g, to_o, to_cell, f)
        parts = (grads, *grads.chunk(4, -1), from_hiddens, from_cells, *slopes)
        for step in reversed(list(zip(*(part.unbind(0) for part in parts), strict=True))):
            grad, d_i, d_f, d_g, d_o, from_hidden, from_cell, *slope = step
            i_slope, f_slope, g_slope, o_slope, new_slope, old_slope = slope
            d_hidden += from_hidden
            torch.mul(d_hidden, o_slope, out=d_o)
            d_cell += from_cell
            d_cell.addcmul_(d_hidden, new_slope)
            torch.mul(d_cell, i_slope, out=d_i)
            torch.mul(d_cell, f_slope, out=d_f)
            torch.mul(d_cell, g_slope, out=d_g)
            # From here on those of the states before the step
            d_cell *= old_slope
            torch.bmm(grad, recurrent, out=d_hidden)
        return grads, d_hidden, d_cell, outer(grads, hiddens[:-1])
