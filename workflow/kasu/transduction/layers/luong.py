"""A decoder that attends with its output, and writes by what it has seen (Luong et al. 2015)."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent import Cell
from kasu.transduction.layers.attention import Luong, Memory
from kasu.transduction.layers.encoder import Encoded


class Looking(NamedTuple):
    """The state of a LuongDecoder.

    Attributes:
        hidden: the state of its cell, tensors of (B, size).
        memories: what it attends to.
        seen: (B, size), the attentional vector of the last step.
    """

    hidden: tuple[Tensor, ...]
    memories: tuple[Memory, ...]
    seen: Tensor


class LuongDecoder(nn.Module):
    """An LSTM whose output queries sequences; output and contexts make an attentional vector.

    Args:
        table: embeddings of the alphabet.
        size: width of the output, and of the attentional vector.
        values: width of each sequence that it attends to.
        bias: of the keys of attention.
        feeding: each step also reads the attentional vector of the step before.
    """

    def __init__(
        self,
        table: nn.Embedding,
        size: int,
        values: Sequence[int],
        *,
        layers: int = 1,
        bias: bool = False,
        feeding: bool = False,
    ) -> None:
        super().__init__()
        symbols, embedding = table.weight.shape
        self.table, self.feeding = table, feeding
        self.attentions = nn.ModuleList(Luong(size, each, bias=bias) for each in values)
        self.cell = Cell("lstm", embedding + size * feeding, size, layers=layers)
        self.see = nn.Linear(size + sum(values), size)
        self.vocabulary = nn.Linear(size, symbols)

    def start(self, hidden: tuple[Tensor, ...], encoded: Sequence[Encoded]) -> Looking:
        """The state before the first symbol."""
        pairs = zip(self.attentions, encoded, strict=True)
        memories = tuple(attention.memory(each.outputs, each.mask) for attention, each in pairs)
        return Looking(hidden, memories, torch.zeros_like(hidden[0]))

    def step(self, state: Looking, previous: Tensor) -> tuple[Tensor, Looking]:
        """Log probabilities (B, V) after the symbols `previous` (B,), and the next state."""
        return self.read(state, self.table(previous))

    def read(self, state: Looking, embedded: Tensor) -> tuple[Tensor, Looking]:
        """As `step`, from the embedded symbols (B, E)."""
        after = self._advance(state, embedded)
        return self.vocabulary(after.seen).log_softmax(1), after

    def teacher(
        self,
        state: Looking,
        target: Tensor,
        mask: Tensor | float = 1.0,
        between: Sequence[Tensor] = (),
    ) -> Tensor:
        """Log probabilities (B, M, V) of what follows each symbol of `target` (B, M).

        Args:
            mask: (B, M, E), dropout of the embedded target.
            between: dropout masks between layers (see kasu.neural.recurrent.Cell.run).
        """
        return self.vocabulary(self.vectors(state, target, mask, between)).log_softmax(2)

    def vectors(
        self,
        state: Looking,
        target: Tensor,
        mask: Tensor | float = 1.0,
        between: Sequence[Tensor] = (),
    ) -> Tensor:
        """The attentional vectors (B, M, size) after each symbol of `target` (B, M)."""
        read = self.table(target) * mask
        if not self.feeding:
            outputs, _ = self.cell.run(read, state.hidden, between=between)
            return self._see(outputs, state.memories)
        vectors = []
        for each in read.unbind(1):
            state = self._advance(state, each)
            vectors.append(state.seen)
        return torch.stack(vectors, 1)

    def _advance(self, state: Looking, read: Tensor) -> Looking:
        """Read an embedded symbol (B, E)."""
        x = torch.cat([read, state.seen], 1) if self.feeding else read
        output, hidden = self.cell.step(x, state.hidden)
        seen = self._see(output.unsqueeze(1), state.memories).squeeze(1)
        return state._replace(hidden=hidden, seen=seen)

    def _see(self, outputs: Tensor, memories: Sequence[Memory]) -> Tensor:
        """Attentional vectors (B, M, size) of outputs (B, M, size)."""
        contexts = [
            attention(outputs, memory) @ memory.values
            for attention, memory in zip(self.attentions, memories, strict=True)
        ]
        return self.see(torch.cat([outputs, *contexts], 2)).tanh()
