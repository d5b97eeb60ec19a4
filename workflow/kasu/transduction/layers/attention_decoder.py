"""A decoder that attends to a sequence by its previous output (Bahdanau, Cho & Bengio 2015)."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import Kind, RecurrentCell
from kasu.transduction.layers.attention import Additive, Memory
from kasu.transduction.layers.encoder import Encoded
from kasu.transduction.search import State


class AttentionDecoderState(NamedTuple):
    """The state of an AttentionDecoder.

    Attributes:
        hidden: the state of its cell; the first tensor is its output, (B, size).
        memory: what it attends to.
    """

    hidden: tuple[Tensor, ...]
    memory: Memory


class SteppingDecoder(nn.Module):
    """A decoder that reads one embedded symbol at a time, also of a known target.

    Attributes:
        table: embeddings of the alphabet.
    """

    table: nn.Embedding

    def read(self, state: State, embedded: Tensor) -> tuple[Tensor, State]:
        """Return log probabilities (B, V) after embedded symbols (B, E), and the next state."""
        raise NotImplementedError

    def step(self, state: State, previous: Tensor) -> tuple[Tensor, State]:
        """Return log probabilities (B, V) after the symbols `previous` (B,), and the next state."""
        return self.read(state, self.table(previous))

    def teacher(self, state: State, read: Tensor, mask: Tensor) -> Tensor:
        """Return log probabilities (B, M, V) of what follows each symbol of `read` (B, M).

        Args:
            read: targets, or its own answers.
            mask: (B, M, E), dropout of the embedded symbols.
        """
        found = []
        for embedded in (self.table(read) * mask).unbind(1):
            log_probs, state = self.read(state, embedded)
            found.append(log_probs)
        return torch.stack(found, 1)


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

    def read(
        self, state: AttentionDecoderState, embedded: Tensor
    ) -> tuple[Tensor, AttentionDecoderState]:
        """Go one step."""
        weights = self.attention(state.hidden[0], state.memory)
        context = torch.bmm(weights.unsqueeze(1), state.memory.values).squeeze(1)
        output, hidden = self.cell.step(torch.cat([embedded, context], 1), state.hidden)
        return self.vocabulary(output).log_softmax(1), state._replace(hidden=hidden)
