"""An LSTM that attends at every step, over a known sequence at once.

Autograd would keep a graph of some 60 operations for each symbol, and at every step add up large
gradients of what is attended to. Here each of these gradients is one product, after the last step.
On single items, training takes about 0.6 of the time; on batches of 20 or more, about as long
(`bench/backward.py`).
"""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from kasu.neural.recurrent.coupled import by_step
from kasu.neural.recurrent.lstm import (
    backward_step,
    forward_step,
    gate_parts,
    gradient_parts,
    slopes,
)


class AttendedSequence(torch.autograd.Function):
    """An LSTM whose previous output and cell query a memory: all its outputs and its attention.

    Additive attention gives weights. The gates get the weighted sum of what they make of the
    memory's values. The backward pass is written by hand.
    """

    @staticmethod
    def forward(
        ctx: Any,
        products: Tensor,
        output: Tensor,
        cell: Tensor,
        recurrent: Tensor,
        query: Tensor,
        keys: Tensor,
        padding: Tensor,
        score: Tensor,
        read: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Run the LSTM over M steps.

        Args:
            products: (M, B, G), what the symbols read add to the gates i, f, g, o, biases added.
            output, cell: (B, S), the state before the first step.
            recurrent: (G, S), the weights of the previous output.
            query: (A, 2 S), from output and cell to the query.
            keys: (B, L, A), of the memory.
            padding: (B, L), scores of padding, 0 or -inf.
            score: (A), the weights of scores.
            read: (B, L, G), what the gates make of the memory's values.

        Returns:
            The outputs (M, B, S), and the attention (M, B, L).
        """
        ask_output, ask_cell = query.chunk(2, 1)
        # The previous output adds to the gates and makes the query by one product
        joint = torch.cat([recurrent, ask_output])
        # (M, B, G + A): at each step, the sums of the gates and of the query
        sums = torch.cat([products, products.new_zeros(*products.shape[:2], len(query))], 2)
        gates, asked = sums.split((len(recurrent), len(query)), 2)
        # Row 0 is the state before the first step: (M + 1, B, S)
        outputs, cells = (
            torch.cat([start[None], start.new_empty(len(sums), *start.shape)])
            for start in (output, cell)
        )
        # By step: attention (M, B, L), and the hidden layers of its scores (M, B, L, A)
        weights = keys.new_empty(len(sums), *keys.shape[:2])
        hiddens = keys.new_empty(len(sums), *keys.shape)
        steps = by_step(
            sums, asked, asked.unsqueeze(2), gates.unsqueeze(2), hiddens, weights,
            outputs[:-1], cells[:-1], outputs[1:], cells[1:], *gate_parts(gates),
        )  # fmt: skip
        for (
            total, ask, asked_for, gate, hidden, weight,
            output, cell, new_output, new_cell, *rest,
        ) in steps:  # fmt: skip
            # What the previous state adds to gates and query
            total.addmm_(output, joint.mT)
            ask.addmm_(cell, ask_cell.mT)
            # Additive attention: softmax of score · tanh(keys + query)
            torch.add(keys, asked_for, out=hidden).tanh_()
            torch.softmax(padding + hidden @ score, 1, out=weight)
            # The gates read the context, a weighted sum of what they make of the values
            gate.baddbmm_(weight.unsqueeze(1), read)
            # All sums of the gates are known: the LSTM's own step
            forward_step(rest, cell, new_output, new_cell)
        # Kept as attributes, the weights would never be freed: they are outputs, which refer to ctx
        ctx.save_for_backward(outputs, cells, gates, joint, ask_cell, weights, hiddens, score, read)
        return outputs[1:], weights

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, from_outputs: Tensor, from_weights: Tensor) -> tuple[Tensor | None, ...]:
        """Return the gradients of the arguments of `forward`."""
        outputs, cells, gates, joint, ask_cell, weights, hiddens, score, read = ctx.saved_tensors
        # What comes back to a query is multiplied with the weights of scores. These are the same at
        # every step, so they become a part of the weights that made the query
        width = len(score)
        joint = torch.cat([joint[:-width], joint[-width:] * score.unsqueeze(1)])
        ask_cell = ask_cell * score.unsqueeze(1)
        one = gates.new_ones(())
        # Filled in step by step: gradients of the sums of gates and query, (M, B, G + A)
        grads = gates.new_empty(*gates.shape[:2], len(joint))
        d_gates, d_asked = grads.split((gates.shape[2], width), 2)
        # Of the scores before softmax by step, (M, B, L), and of the keys, summed over steps
        d_scores, d_keys = torch.empty_like(weights), torch.zeros_like(hiddens[0])
        d_output, d_cell = torch.zeros_like(outputs[0]), torch.zeros_like(cells[0])
        steps = by_step(
            grads, d_gates.unsqueeze(3), d_asked, d_asked.unsqueeze(2), from_outputs,
            d_scores, weights, from_weights, hiddens,
            *gradient_parts(d_gates), *slopes(gates, cells),
        )  # fmt: skip
        for (
            grad, d_gate, d_ask, d_query, from_output,
            d_score, weight, from_weight, hidden, *rest,
        ) in reversed([*steps]):  # fmt: skip
            # The output is a result of its step, and an input of the next
            d_output += from_output
            backward_step(d_output, d_cell, rest)
            # Of attention (B, L): as a result itself, and through the context
            d_weight = torch.baddbmm(from_weight.unsqueeze(2), read, d_gate).squeeze(2)
            # Back through softmax
            d_weight -= (weight * d_weight).sum(1, keepdim=True)
            torch.mul(weight, d_weight, out=d_score)
            # Back through tanh, whose slope is 1 - tanh²; (B, L, A)
            slope = torch.addcmul(one, hidden, hidden, value=-1)
            torch.bmm(d_score.unsqueeze(1), slope, out=d_query)
            d_keys.addcmul_(slope, d_score.unsqueeze(2))
            # To the state before the step: d_output is now of the previous output
            torch.mm(grad, joint, out=d_output)
            d_cell.addmm_(d_ask, ask_cell)
        # The weights of scores, left out so far, belong to the query's own gradients
        d_asked *= score
        before, cell_before = outputs[:-1].flatten(0, 1), cells[:-1].flatten(0, 1)
        # Summed over steps by one product for each item: (B, L, G)
        d_read = torch.bmm(weights.permute(1, 2, 0), d_gates.transpose(0, 1))
        d_score_weights = hiddens.flatten(0, 2).mT @ d_scores.flatten()
        d_gates, d_asked = d_gates.contiguous(), d_asked.flatten(0, 1)
        return (
            d_gates, d_output, d_cell, d_gates.flatten(0, 1).mT @ before,
            d_asked.mT @ torch.cat([before, cell_before], 1),
            d_keys * score, None, d_score_weights, d_read,
        )  # fmt: skip
