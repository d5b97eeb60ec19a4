"""An LSTM that attends at every step, over a known sequence at once.

Autograd would keep a graph of some 60 operations for each symbol, and at every step add up large
gradients of what is attended to. Here each of these gradients is one product, after the last step.
On single items, training takes about 0.6 of the time; on batches of 20 or more, about as long
(`bench/backward.py`).
"""

from collections.abc import Sequence
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

PER_MEMORY = 4  # tensors given for each memory


class AttendedSequence(torch.autograd.Function):
    """An LSTM whose previous output queries memories: all its outputs and its attention.

    For each memory, additive attention gives weights. The gates get the weighted sum of what they
    make of the values. The backward pass is written by hand.
    """

    @staticmethod
    def forward(
        ctx: Any,
        products: Tensor,
        output: Tensor,
        cell: Tensor,
        recurrent: Tensor,
        query: Tensor,
        bias: Tensor,
        *memories: Tensor,
    ) -> tuple[Tensor, ...]:
        """Run the LSTM over M steps.

        Args:
            products: (M, B, G), what the symbols read add to the gates i, f, g, o, biases added.
            output, cell: (B, S), the state before the first step.
            recurrent: (G, S), the weights of the previous output.
            query, bias: (N A, S) and (N A), from an output to the queries of N memories; or, with
                a query of (N A, 2 S), from output and cell.
            memories: for each memory its keys (B, L, A), scores of padding (B, L), 0 or -inf, the
                weights of scores (A), and what the gates make of its values (B, L, G).

        Returns:
            The outputs (M, B, S), and the weights for each memory (M, B, L).
        """
        parts, size = _by_memory(memories), output.shape[1]
        asks, *asks_cell = query.split(size, 1)
        # The previous output adds to the gates and makes the queries by one product
        joint = torch.cat([recurrent, asks])
        # (M, B, G + N A): at each step, the sums of the gates and of the queries
        sums = torch.cat([products, bias.expand(*products.shape[:2], -1)], 2)
        gates, asked = sums.split((len(recurrent), len(asks)), 2)
        # Row 0 is the state before the first step: (M + 1, B, S)
        outputs, cells = (
            torch.cat([start[None], start.new_empty(len(sums), *start.shape)])
            for start in (output, cell)
        )
        # For each memory, by step: attention (M, B, L) and hidden layers of its scores (M, B, L, A)
        weights = [keys.new_empty(len(sums), *keys.shape[:2]) for keys, *_ in parts]
        hiddens = [keys.new_empty(len(sums), *keys.shape) for keys, *_ in parts]
        queries = asked.unsqueeze(2).chunk(len(parts), 3)
        attended = [[*by_step(*each)] for each in zip(queries, hiddens, weights, strict=True)]
        steps = by_step(
            sums, asked, gates.unsqueeze(2), outputs[:-1], cells[:-1], outputs[1:], cells[1:],
            *gate_parts(gates),
        )  # fmt: skip
        for at, (total, ask, gate, output, cell, new_output, new_cell, *rest) in enumerate(steps):
            # What the previous output adds to gates and queries
            total.addmm_(output, joint.mT)
            for each in asks_cell:
                ask.addmm_(cell, each.mT)
            for (keys, padding, score, read), each in zip(parts, attended, strict=True):
                asked_for, hidden, weight = each[at]
                # Additive attention: softmax of score · tanh(keys + query)
                torch.add(keys, asked_for, out=hidden).tanh_()
                torch.softmax(padding + hidden @ score, 1, out=weight)
                # The gates read the context, a weighted sum of what they make of the values
                gate.baddbmm_(weight.unsqueeze(1), read)
            # All sums of the gates are known: the LSTM's own step
            forward_step(rest, cell, new_output, new_cell)
        # Kept as attributes, the weights would never be freed: they are outputs, which refer to ctx
        ctx.save_for_backward(outputs, cells, gates, joint, query, *weights, *hiddens, *memories)
        return outputs[1:], *weights

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, from_outputs: Tensor, *from_weights: Tensor
    ) -> tuple[Tensor | None, ...]:
        """Return the gradients of the arguments of `forward`."""
        outputs, cells, gates, joint, query, *saved = ctx.saved_tensors
        number, size = len(from_weights), outputs.shape[2]
        weights, hiddens = saved[:number], saved[number : 2 * number]
        parts = _by_memory(saved[2 * number :])
        # What comes back to a query is multiplied with the weights of scores. These are the same at
        # every step, so they become a part of the weights that made the query
        scores = torch.cat([score for _, _, score, _ in parts])
        joint = torch.cat([joint[: -len(scores)], joint[-len(scores) :] * scores.unsqueeze(1)])
        asks_cell = [each * scores.unsqueeze(1) for each in query.split(size, 1)[1:]]
        one = gates.new_ones(())
        # Filled in step by step: gradients of the sums of gates and queries, (M, B, G + N A)
        grads = gates.new_empty(*gates.shape[:2], len(joint))
        d_gates, d_asked = grads.split((gates.shape[2], len(scores)), 2)
        # Of the scores before softmax by step, (M, B, L), and of the keys, summed over steps
        d_scores = [torch.empty_like(each) for each in weights]
        d_keys = [torch.zeros_like(keys) for keys, *_ in parts]
        d_output, d_cell = torch.zeros_like(outputs[0]), torch.zeros_like(cells[0])
        queries = d_asked.unsqueeze(2).chunk(number, 3)
        attended = [
            [*by_step(*each)]
            for each in zip(queries, d_scores, weights, from_weights, hiddens, strict=True)
        ]
        steps = by_step(
            grads, d_gates.unsqueeze(3), d_asked, from_outputs,
            *gradient_parts(d_gates), *slopes(gates, cells),
        )  # fmt: skip
        for at, (grad, d_gate, d_ask, from_output, *rest) in reversed([*enumerate(steps)]):
            # The output is a result of its step, and an input of the next
            d_output += from_output
            backward_step(d_output, d_cell, rest)
            for (_, _, _, read), d_key, each in zip(parts, d_keys, attended, strict=True):
                d_query, d_score, weight, from_weight, hidden = each[at]
                # Of attention (B, L): as a result itself, and through the context
                d_weight = torch.baddbmm(from_weight.unsqueeze(2), read, d_gate).squeeze(2)
                # Back through softmax
                d_weight -= (weight * d_weight).sum(1, keepdim=True)
                torch.mul(weight, d_weight, out=d_score)
                # Back through tanh, whose slope is 1 - tanh²; (B, L, A)
                slope = torch.addcmul(one, hidden, hidden, value=-1)
                torch.bmm(d_score.unsqueeze(1), slope, out=d_query)
                d_key.addcmul_(slope, d_score.unsqueeze(2))
            # To the state before the step: d_output is now of the previous output
            torch.mm(grad, joint, out=d_output)
            for each in asks_cell:
                d_cell.addmm_(d_ask, each)
        # The weights of scores, left out so far, belong to the queries' own gradients
        d_asked *= scores
        before = outputs[:-1].flatten(0, 1)
        asked_by = [before, cells[:-1].flatten(0, 1)][: 1 + len(asks_cell)]
        d_memories: list[Tensor | None] = []
        for (_, _, score, _), weight, hidden, d_key, d_score in zip(
            parts, weights, hiddens, d_keys, d_scores, strict=True
        ):
            # Summed over steps by one product for each item: (B, L, G)
            d_read = torch.bmm(weight.permute(1, 2, 0), d_gates.transpose(0, 1))
            d_memories += [d_key * score, None, hidden.flatten(0, 2).mT @ d_score.flatten(), d_read]
        d_gates, d_asked = d_gates.contiguous(), d_asked.flatten(0, 1)
        return (
            d_gates, d_output, d_cell, d_gates.flatten(0, 1).mT @ before,
            d_asked.mT @ torch.cat(asked_by, 1), d_asked.sum(0), *d_memories,
        )  # fmt: skip


def _by_memory(tensors: Sequence[Tensor]) -> list[tuple[Tensor, ...]]:
    return [tuple(tensors[at : at + PER_MEMORY]) for at in range(0, len(tensors), PER_MEMORY)]
