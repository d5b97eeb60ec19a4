"""An LSTM that attends at every step, over a known sequence at once.

Step by step, autograd would keep a graph of some 60 operations for each symbol, and add up large
gradients of what is attended to at every step. Here they are one product each, after the last step.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

PER_MEMORY = 4  # tensors given for each memory


class AttendedSequence(torch.autograd.Function):
    """All outputs of an LSTM whose previous output queries memories, and its attention to them.

    For each memory, additive attention gives weights, and the cell's gates get a weighted sum of
    what they make of the values. The backward pass is written by hand.
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
        gates = products.clone()
        outputs = torch.cat([output[None], output.new_empty(len(gates), *output.shape)])
        cells = torch.cat([cell[None], cell.new_empty(len(gates), *cell.shape)])
        asks, *asks_cell = query.split(output.shape[1], 1)
        parts = _by_memory(memories)
        weights = [keys.new_empty(len(gates), *keys.shape[:2]) for keys, *_ in parts]
        hiddens = [keys.new_empty(len(gates), *keys.shape) for keys, *_ in parts]
        for step, gate in enumerate(gates):
            asked = torch.addmm(bias, outputs[step], asks.mT)
            for each in asks_cell:
                asked.addmm_(cells[step], each.mT)
            queries = asked.chunk(len(parts), 1)
            gate.addmm_(outputs[step], recurrent.mT)
            for at, (keys, padding, score, read) in enumerate(parts):
                hidden = torch.add(keys, queries[at].unsqueeze(1), out=hiddens[at][step]).tanh_()
                scores = torch.add(padding, hidden @ score)
                torch.softmax(scores, 1, out=weights[at][step])
                gate += torch.bmm(weights[at][step].unsqueeze(1), read).squeeze(1)
            i, f, g, o = gate.chunk(4, 1)
            i.sigmoid_()
            f.sigmoid_()
            g.tanh_()
            o.sigmoid_()
            torch.mul(f, cells[step], out=cells[step + 1]).addcmul_(i, g)
            torch.tanh(cells[step + 1], out=outputs[step + 1]).mul_(o)
        # Kept as attributes, the weights would never be freed: they are outputs, which refer to ctx
        ctx.save_for_backward(
            outputs, cells, gates, recurrent, query, *weights, *hiddens, *memories
        )
        return outputs[1:], *weights

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, from_outputs: Tensor, *from_weights: Tensor
    ) -> tuple[Tensor | None, ...]:
        """The gradients of what `forward` takes."""
        outputs, cells, gates, recurrent, query, *saved = ctx.saved_tensors
        number = len(from_weights)
        asks, *asks_cell = query.split(outputs.shape[2], 1)
        weights, hiddens = saved[:number], saved[number : 2 * number]
        parts = _by_memory(saved[2 * number :])
        d_gates = torch.empty_like(gates)  # before the gates' sigmoid and tanh
        d_queries = gates.new_empty(len(gates), gates.shape[1], len(query))
        d_scores = [torch.empty_like(each) for each in weights]
        d_keys = [torch.zeros_like(keys) for keys, *_ in parts]
        d_output, d_cell = torch.zeros_like(outputs[0]), torch.zeros_like(cells[0])
        for step in reversed(range(len(gates))):
            i, f, g, o = gates[step].chunk(4, 1)
            d_i, d_f, d_g, d_o = d_gates[step].chunk(4, 1)
            d_output += from_outputs[step]
            squashed = cells[step + 1].tanh()
            d_cell += d_output * o * (1 - squashed * squashed)
            torch.mul(d_output * squashed, o * (1 - o), out=d_o)
            torch.mul(d_cell * g, i * (1 - i), out=d_i)
            torch.mul(d_cell * cells[step], f * (1 - f), out=d_f)
            torch.mul(d_cell * i, 1 - g * g, out=d_g)
            d_cell *= f
            d_output = d_gates[step] @ recurrent
            for at, (_, _, score, read) in enumerate(parts):
                d_weight = torch.bmm(read, d_gates[step].unsqueeze(2)).squeeze(2)
                d_weight += from_weights[at][step]
                weight = weights[at][step]
                d_weight -= (weight * d_weight).sum(1, keepdim=True)
                torch.mul(weight, d_weight, out=d_scores[at][step])
                hidden = hiddens[at][step]
                d_hidden = (1 - hidden * hidden).mul_(score).mul_(d_scores[at][step].unsqueeze(2))
                d_keys[at] += d_hidden
                torch.sum(d_hidden, 1, out=d_queries[step].chunk(len(parts), 1)[at])
            d_output += d_queries[step] @ asks
            for each in asks_cell:
                d_cell += d_queries[step] @ each
        before = outputs[:-1].flatten(0, 1)
        asked_by = [before, cells[:-1].flatten(0, 1)][: 1 + len(asks_cell)]
        d_memories: list[Tensor | None] = []
        for at in range(len(parts)):
            d_score = hiddens[at].flatten(0, 2).mT @ d_scores[at].flatten()
            d_read = torch.bmm(weights[at].permute(1, 2, 0), d_gates.transpose(0, 1))
            d_memories += [d_keys[at], None, d_score, d_read]
        d_queries = d_queries.flatten(0, 1)
        return (
            d_gates, d_output, d_cell, d_gates.flatten(0, 1).mT @ before,
            d_queries.mT @ torch.cat(asked_by, 1), d_queries.sum(0), *d_memories,
        )  # fmt: skip


def _by_memory(tensors: Sequence[Tensor]) -> list[tuple[Tensor, ...]]:
    return [tuple(tensors[at : at + PER_MEMORY]) for at in range(0, len(tensors), PER_MEMORY)]
