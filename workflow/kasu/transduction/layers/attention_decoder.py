"""Decoders that attend by their previous output (Bahdanau, Cho & Bengio 2015)."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import Kind, RecurrentCell
from kasu.transduction.layers.attention import Additive, Memory
from kasu.transduction.layers.encoder import Encoded
from kasu.transduction.search import State


class SteppingDecoder(nn.Module):
    """A decoder that reads one embedded symbol at a time, also of a known target.

    Attributes:
        table: embeddings of the alphabet.
        vocabulary: from outputs to scores of symbols.
    """

    table: nn.Embedding
    vocabulary: nn.Linear

    def advance(self, state: State, embedded: Tensor) -> tuple[Tensor, State]:
        """Return the output (B, S) after embedded symbols (B, E), and the next state."""
        raise NotImplementedError

    def read(self, state: State, embedded: Tensor) -> tuple[Tensor, State]:
        """Return log probabilities (B, V) after embedded symbols (B, E), and the next state."""
        output, after = self.advance(state, embedded)
        return self.write(output), after

    def write(self, output: Tensor) -> Tensor:
        """Return log probabilities (B, V) from an output (B, S)."""
        return self.vocabulary(output).log_softmax(1)

    def step(self, state: State, previous: Tensor) -> tuple[Tensor, State]:
        """Return log probabilities (B, V) after the symbols `previous` (B,), and the next state."""
        return self.read(state, self.table(previous))

    def teacher(
        self, state: State, read: Tensor, mask: Tensor, kept: Tensor | None = None
    ) -> Tensor:
        """Return log probabilities (B, M, V) of what follows each symbol of `read` (B, M).

        Args:
            read: targets, or its own answers.
            mask: (B, M, E), dropout of the embedded symbols.
            kept: (B, M, S), dropout of the outputs that write. The next step has the whole output.
        """
        found = []
        for step, embedded in enumerate((self.table(read) * mask).unbind(1)):
            output, state = self.advance(state, embedded)
            found.append(self.write(output if kept is None else output * kept[:, step]))
        return torch.stack(found, 1)


class AttentionDecoderState(NamedTuple):
    """The state of an AttentionDecoder.

    Attributes:
        hidden: the state of its cell; the first tensor is its output, (B, size).
        memory: what it attends to.
    """

    hidden: tuple[Tensor, ...]
    memory: Memory


class AttentionDecoder(SteppingDecoder):
    """A recurrent network that reads the previous symbol and what its last output attends to.

    Args:
        table: embeddings of the alphabet.
        size: width of the output, and of the hidden layer of attention.
        values: width of the sequence that it attends to.
    """

    def __init__(self, kind: Kind, table: nn.Embedding, size: int, values: int) -> None:
        super().__init__()
        symbols, embedding = table.weight.shape
        self.table = table
        self.attention = Additive(size, values, size)
        self.cell = RecurrentCell(kind, embedding + values, size)
        self.vocabulary = nn.Linear(size, symbols)

    def start(self, hidden: tuple[Tensor, ...], encoded: Encoded) -> AttentionDecoderState:
        """Return the state before the first symbol."""
        return AttentionDecoderState(hidden, self.attention.memory(encoded.outputs, encoded.mask))

    def advance(
        self, state: AttentionDecoderState, embedded: Tensor
    ) -> tuple[Tensor, AttentionDecoderState]:
        """Go one step."""
        weights = self.attention(state.hidden[0], state.memory)
        context = torch.bmm(weights.unsqueeze(1), state.memory.values).squeeze(1)
        output, hidden = self.cell.step(torch.cat([embedded, context], 1), state.hidden)
        return output, state._replace(hidden=hidden)


class MemoriesDecoderState(NamedTuple):
    """The state of a MemoriesDecoder.

    Attributes:
        hidden: output and cell, (B, size) each.
        memories: what it attends to; their values are what the gates make of them, (B, L, G).
    """

    hidden: tuple[Tensor, ...]
    memories: tuple[Memory, ...]


class MemoriesDecoder(SteppingDecoder):
    """An LSTM that reads the previous symbol and what its last output attends to in each sequence.

    On one sequence it computes what an AttentionDecoder does. It is meant for wide ones: autograd
    would add up a gradient of all weights of the contexts at every step, most of its time.

    Args:
        table: embeddings of the alphabet.
        size: width of the output, and of the hidden layers of attention.
        values: width of each sequence that it attends to.
    """

    def __init__(self, table: nn.Embedding, size: int, values: Sequence[int]) -> None:
        super().__init__()
        symbols, embedding = table.weight.shape
        self.table, self.values = table, [*values]
        self.attentions = nn.ModuleList(Additive(size, each, size) for each in values)
        self.cell = RecurrentCell("lstm", embedding, size, constant=sum(values))
        self.vocabulary = nn.Linear(size, symbols)

    def start(self, hidden: tuple[Tensor, ...], encoded: Sequence[Encoded]) -> MemoriesDecoderState:
        """Return the state before the first symbol."""
        memories = []
        parts = self.cell.constant.split(self.values, 1)
        for attention, part, each in zip(self.attentions, parts, encoded, strict=True):
            memory = attention.memory(each.outputs, each.mask)
            # The gates are linear in a context, a weighted sum of values: their product, once
            memories.append(memory._replace(values=memory.values @ part.mT))
        return MemoriesDecoderState(hidden, tuple(memories))

    def advance(
        self, state: MemoriesDecoderState, embedded: Tensor
    ) -> tuple[Tensor, MemoriesDecoderState]:
        """Go one step."""
        products = self.cell.products(embedded).unsqueeze(1)
        for attention, memory in zip(self.attentions, state.memories, strict=True):
            weights = attention(state.hidden[0], memory)
            products = torch.baddbmm(products, weights.unsqueeze(1), memory.values)
        output, hidden = self.cell.advance(products.squeeze(1), state.hidden)
        return output, state._replace(hidden=hidden)
