"""Long short-term memories over a whole sequence at once, with weights that may differ by call.

torch's own kernel keeps its weights to itself, so that none of them can be dropped for a batch.

A step takes the products of its gates, in the order i, f, g, o, and the cell c to h' and c':

    c' = sigmoid(f) c + sigmoid(i) tanh(g)
    h' = sigmoid(o) tanh(c')

On single sequences, launching operations takes most of the time, so a step has as few as possible.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from kasu.neural.recurrent.coupled import by_step, outer


def gate_parts(gates: Tensor) -> tuple[Tensor, ...]:
    """Split gates (…, 4S): i and f as one, then each of the four."""
    i, f, g, o = gates.chunk(4, -1)
    return gates[..., : 2 * i.shape[-1]], i, f, g, o


def forward_step(
    gates: Sequence[Tensor], cell: Tensor, new_hidden: Tensor, new_cell: Tensor
) -> None:
    """Apply a step's nonlinearities to its gates in place; write the next state.

    Args:
        gates: what `gate_parts` has for the step.
    """
    both, i, f, g, o = gates
    # i and f lie side by side, so one call serves both
    both.sigmoid_()
    g.tanh_()
    o.sigmoid_()
    torch.mul(f, cell, out=new_cell).addcmul_(i, g)
    torch.tanh(new_cell, out=new_hidden).mul_(o)


def gradient_parts(grads: Tensor) -> tuple[Tensor, Tensor]:
    """Split the gradients of gates (…, 4S): of i, f and g as (…, 3, S), and of o."""
    size = grads.shape[-1] // 4
    return grads[..., : 3 * size].unflatten(-1, (3, size)), grads[..., 3 * size :]


def slopes(gates: Tensor, cells: Tensor) -> tuple[Tensor, ...]:
    """Return the local derivatives of every step, which the backward pass multiplies with.

    Args:
        gates: (T, …, 4S), after `forward_step`.
        cells: (T + 1, …, S), the first one before the first step.

    Returns:
        From c' to i, f and g before their nonlinearities, (T, …, 3, S); from h' to o; from h' to
        c'; from c' to c.
    """
    i, f, g, o = gates.chunk(4, -1)
    squashed = cells[1:].tanh()
    to_gates = [g * i * (1 - i), cells[:-1] * f * (1 - f), i * (1 - g.square())]
    return torch.stack(to_gates, -2), squashed * o * (1 - o), (1 - squashed.square()) * o, f


def backward_step(d_hidden: Tensor, d_cell: Tensor, parts: Sequence[Tensor]) -> None:
    """Write the gradients of a step's gates; turn d_cell from that of c' into that of c.

    Args:
        parts: what `gradient_parts` and `slopes` have for the step.
    """
    d_ifg, d_o, to_gates, to_o, to_cell, to_before = parts
    torch.mul(d_hidden, to_o, out=d_o)
    # c' also reaches the loss through h'
    d_cell.addcmul_(d_hidden, to_cell)
    torch.mul(d_cell.unsqueeze(-2), to_gates, out=d_ifg)
    d_cell *= to_before


class LstmSequence(torch.autograd.Function):
    """All states of LSTMs, with a backward pass written by hand.

    On one sequence at a time, training takes about 0.6 of the time that plain operations take; on
    batches of 20 or more, about as long (`bench/backward.py`).
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
        # The gates are computed in place, so that the backward pass finds their values
        gates = inputs.clone(memory_format=torch.contiguous_format)
        # Row 0 is the state before the first step: (T + 1, N, B, S)
        hiddens, cells = (
            torch.cat([start[None], start.new_empty(len(gates), *start.shape)])
            for start in (hidden, cell)
        )
        forward = recurrent.mT
        for gate, *parts, hidden, cell, new_hidden, new_cell in by_step(
            gates, *gate_parts(gates), hiddens[:-1], cells[:-1], hiddens[1:], cells[1:]
        ):
            gate.baddbmm_(hidden, forward)
            forward_step(parts, cell, new_hidden, new_cell)
        ctx.save_for_backward(hiddens, cells, gates, recurrent)
        return hiddens[1:], cells[1:]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, from_hiddens: Tensor, from_cells: Tensor) -> tuple[Tensor, ...]:
        """Return the gradients of the arguments of `forward`, from those of all states."""
        hiddens, cells, gates, recurrent = ctx.saved_tensors
        grads = torch.empty_like(gates)
        d_hidden, d_cell = torch.zeros_like(hiddens[0]), torch.zeros_like(cells[0])
        steps = by_step(
            grads, from_hiddens, from_cells, *gradient_parts(grads), *slopes(gates, cells)
        )
        for grad, from_hidden, from_cell, *parts in reversed([*steps]):
            # The state is an output of its step, and an input of the next
            d_hidden += from_hidden
            d_cell += from_cell
            backward_step(d_hidden, d_cell, parts)
            torch.bmm(grad, recurrent, out=d_hidden)
        # The weights' gradient is one product over all steps
        return grads, d_hidden, d_cell, outer(grads, hiddens[:-1])
