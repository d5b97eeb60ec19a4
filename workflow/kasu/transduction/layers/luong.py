"""A decoder that attends with its output; output and context write (Luong et al. 2015)."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import Kind, RecurrentCell
from kasu.transduction.layers.attention import Additive, Luong, Memory
from kasu.transduction.layers.encoder import Encoded


class LuongDecoderState(NamedTuple):
    """The state of a LuongDecoder.

    Attributes:
        hidden: the state of its cell, tensors of (B, size).
        memories: what it attends to.
        contexts: (B, D), those of the last step, joined.
    """

    hidden: tuple[Tensor, ...]
    memories: tuple[Memory, ...]
    contexts: Tensor


class LuongDecoder(nn.Module):
    """A recurrent network whose output queries sequences; output and contexts write a symbol.

    Args:
        table: embeddings of the alphabet.
        size: width of the output, and of the vector that output and contexts become.
        values: width of each sequence that it attends to.
        bias: of the keys of attention.
        feeding: each step also reads the contexts of the step before.
        kind: of the network.
        additive: attention is additive and normalised, with a hidden layer as wide as the output.
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
        kind: Kind = "lstm",
        additive: bool = False,
    ) -> None:
        super().__init__()
        symbols, embedding = table.weight.shape
        self.table, self.feeding, self.width = table, feeding, sum(values)
        self.attentions = nn.ModuleList(
            Additive(size, each, size, normalised=True)
            if additive
            else Luong(size, each, bias=bias)
            for each in values
        )
        self.cell = RecurrentCell(kind, embedding + self.width * feeding, size, layers=layers)
        self.see = nn.Linear(size + self.width, size)
        self.vocabulary = nn.Linear(size, symbols)

    def start(self, hidden: tuple[Tensor, ...], encoded: Sequence[Encoded]) -> LuongDecoderState:
        """Return the state before the first symbol."""
        pairs = zip(self.attentions, encoded, strict=True)
        memories = tuple(attention.memory(each.outputs, each.mask) for attention, each in pairs)
        return LuongDecoderState(hidden, memories, hidden[0].new_zeros(len(hidden[0]), self.width))

    def step(self, state: LuongDecoderState, previous: Tensor) -> tuple[Tensor, LuongDecoderState]:
        """Return log probabilities (B, V) after the symbols `previous` (B,), and the next state."""
        return self.read(state, self.table(previous))

    def read(self, state: LuongDecoderState, embedded: Tensor) -> tuple[Tensor, LuongDecoderState]:
        """Go one step as `step` does, from the embedded symbols (B, E)."""
        vectors, after = self._advance(state, embedded)
        return self.write(vectors), after

    def teacher(
        self,
        state: LuongDecoderState,
        target: Tensor,
        mask: Tensor | float = 1.0,
        between: Sequence[Tensor] = (),
    ) -> Tensor:
        """Return log probabilities (B, M, V) of what follows each symbol of `target` (B, M).

        Args:
            mask: (B, M, E), dropout of the embedded target.
            between: dropout masks between layers (see
                kasu.neural.recurrent.networks.RecurrentCell.run).
        """
        return self.write(self.attend(state, target, mask, between))

    def attend(
        self,
        state: LuongDecoderState,
        target: Tensor,
        mask: Tensor | float = 1.0,
        between: Sequence[Tensor] = (),
        kept: Tensor | float = 1.0,
    ) -> Tensor:
        """Return output and contexts (B, M, size + D) after each symbol of `target` (B, M).

        Args:
            mask, between: see `teacher`.
            kept: (B, M, size), dropout of the outputs that query and write. The next step reads the
                whole output.
        """
        read = self.table(target) * mask
        # Unless a step reads the contexts of the one before, all steps are computed at once
        if not self.feeding:
            outputs, _ = self.cell.run(read, state.hidden, between=between)
            return self._join_contexts(outputs * kept, state.memories)
        attended = []
        masks = kept.unbind(1) if isinstance(kept, Tensor) else [kept] * read.shape[1]
        for each, dropped in zip(read.unbind(1), masks, strict=True):
            vectors, state = self._advance(state, each, dropped)
            attended.append(vectors)
        return torch.stack(attended, 1)

    def write(self, vectors: Tensor) -> Tensor:
        """Return log probabilities (…, V) from outputs and contexts (…, size + D)."""
        return self.vocabulary(self.see(vectors).tanh()).log_softmax(-1)

    def _advance(
        self, state: LuongDecoderState, read: Tensor, kept: Tensor | float = 1.0
    ) -> tuple[Tensor, LuongDecoderState]:
        """Read an embedded symbol (B, E); return output and contexts, and the next state."""
        x = torch.cat([read, state.contexts], 1) if self.feeding else read
        output, hidden = self.cell.step(x, state.hidden)
        vectors = self._join_contexts((output * kept).unsqueeze(1), state.memories).squeeze(1)
        return vectors, state._replace(hidden=hidden, contexts=vectors[:, self.cell.size :])

    def _join_contexts(self, outputs: Tensor, memories: Sequence[Memory]) -> Tensor:
        """Join outputs (B, M, size) with their contexts: (B, M, size + D)."""
        contexts = [
            attention(outputs, memory) @ memory.values
            for attention, memory in zip(self.attentions, memories, strict=True)
        ]
        return torch.cat([outputs, *contexts], 2)
