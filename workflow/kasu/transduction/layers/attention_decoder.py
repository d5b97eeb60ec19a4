"""A decoder that attends to a sequence by its previous output (Bahdanau, Cho & Bengio 2015)."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import Kind, RecurrentCell
from kasu.transduction.layers.attention import Additive, Memory
from kasu.transduction.layers.encoder import Encoded


class AttentionDecoderState(NamedTuple):
    """The state of an AttentionDecoder.

    Attributes:
        hidden: the state of its cell; the first tensor is its output, (B, size).
        memory: what it attends to.
    """

    hidden: tuple[Tensor, ...]
    memory: Memory


class AttentionDecoder(nn.Module):
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

    def step(
        self, state: AttentionDecoderState, previous: Tensor
    ) -> tuple[Tensor, AttentionDecoderState]:
        """Return log probabilities (B, V) after the symbols `previous` (B,), and the next state."""
        return self.read(state, self.table(previous))

    def read(
        self, state: AttentionDecoderState, embedded: Tensor
    ) -> tuple[Tensor, AttentionDecoderState]:
        """Go one step as `step` does, from the embedded symbols (B, E)."""
        weights = self.attention(state.hidden[0], state.memory)
        context = torch.bmm(weights.unsqueeze(1), state.memory.values).squeeze(1)
        output, hidden = self.cell.step(torch.cat([embedded, context], 1), state.hidden)
        return self.vocabulary(output).log_softmax(1), state._replace(hidden=hidden)

    def teacher(self, state: AttentionDecoderState, target: Tensor, mask: Tensor) -> Tensor:
        """Return log probabilities (B, M, V) of what follows each symbol of `target` (B, M).

        Args:
            mask: (B, M, E), dropout of the embedded target.
        """
        found = []
        for embedded in (self.table(target) * mask).unbind(1):
            log_probs, state = self.read(state, embedded)
            found.append(log_probs)
        return torch.stack(found, 1)
