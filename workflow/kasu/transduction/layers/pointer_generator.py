"""A decoder that attends to sequences, and generates or copies symbols (See et al. 2017)."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import RecurrentCell
from kasu.transduction.alphabet import UNKNOWN
from kasu.transduction.layers.attention import Additive, Memory
from kasu.transduction.layers.copying import mixture
from kasu.transduction.layers.encoder import Encoded


class PointerGeneratorState(NamedTuple):
    """The state of a PointerGenerator.

    Attributes:
        hidden: the state of its cell; the first tensor is its output, (B, size).
        memories: what it attends to, the source first.
        read: for each memory what the cell makes of its values, (B, L, G).
        copied: (B, L), ids of the source, those of foreign symbols included.
    """

    hidden: tuple[Tensor, ...]
    memories: tuple[Memory, ...]
    read: tuple[Tensor, ...]
    copied: Tensor


class PointerGenerator(nn.Module):
    """An LSTM that attends to sequences, and generates symbols or copies them from the first.

    Its previous output queries each sequence for a context. It reads the previous symbol and the
    contexts. Its output and the contexts give the probabilities of the alphabet; together with the
    symbol it has read, they give the probability of generating rather than copying.

    Args:
        table: embeddings of the alphabet.
        size: width of the output.
        values: width of each sequence that it attends to.
        width: of the hidden layer of attention.
    """

    def __init__(self, table: nn.Embedding, size: int, values: Sequence[int], width: int) -> None:
        super().__init__()
        symbols, embedding = table.weight.shape
        self.table, self.values = table, list(values)
        self.attentions = nn.ModuleList(Additive(size, each, width) for each in values)
        self.cell = RecurrentCell("lstm", embedding, size, constant=sum(values))
        self.vocabulary = nn.Linear(size + sum(values), symbols)
        self.generate = nn.Linear(size + sum(values) + embedding, 1)

    def start(
        self, hidden: tuple[Tensor, ...], encoded: Sequence[Encoded], copied: Tensor
    ) -> PointerGeneratorState:
        """Return the state before the first symbol."""
        pairs = zip(self.attentions, encoded, strict=True)
        memories = tuple(attention.memory(each.outputs, each.mask) for attention, each in pairs)
        # The cell is linear in a context, a weighted sum of values. So the values go through the
        # cell's weights once, here, and each step only sums the results
        weights = self.cell.constant.split(self.values, 1)
        read = (m.values @ weight.mT for m, weight in zip(memories, weights, strict=True))
        return PointerGeneratorState(hidden, memories, tuple(read), copied)

    def step(
        self, state: PointerGeneratorState, previous: Tensor
    ) -> tuple[Tensor, PointerGeneratorState]:
        """Return log probabilities (B, V and foreign symbols) after the symbols `previous` (B,)."""
        # The next step reads a copied foreign symbol as UNKNOWN
        known = self.table.num_embeddings
        read = self.table(previous.where(previous < known, UNKNOWN))
        output, weights, state = self._advance(state, self.cell.products(read))
        size = max(known, int(state.copied.max()) + 1)
        parts = (part.unsqueeze(1) for part in (read, output, *weights))
        return self._predict(state, size, *parts).squeeze(1), state

    def teacher(
        self, state: PointerGeneratorState, target: Tensor, mask: Tensor | float = 1.0
    ) -> Tensor:
        """Return log probabilities (B, M, V) of what follows each symbol of `target` (B, M).

        Args:
            mask: (B, M, E), dropout of the embedded target.
        """
        read = self.table(target) * mask
        outputs, *weights = self._run(state, self.cell.products(read))
        # Stacked networks have the weights of the largest alphabet
        return self._predict(state, len(self.table.weight), read, outputs, *weights)

    def _run(self, state: PointerGeneratorState, products: Tensor) -> list[Tensor]:
        """Return all outputs (B, M, size), and the attention to each memory (B, M, L).

        Args:
            products: (B, M, G), of the symbols read.
        """
        steps = []
        for each in products.unbind(1):
            output, weights, state = self._advance(state, each)
            steps.append((output, *weights))
        return [torch.stack(part, 1) for part in zip(*steps, strict=True)]

    def _advance(
        self, state: PointerGeneratorState, products: Tensor
    ) -> tuple[Tensor, list[Tensor], PointerGeneratorState]:
        """Go one step, from the products (B, G) of the symbol read.

        Returns:
            The output (B, size), the attention to each memory (B, L), and the next state.
        """
        pairs = zip(self.attentions, state.memories, strict=True)
        weights = [attention(state.hidden[0], memory) for attention, memory in pairs]
        for each, read in zip(weights, state.read, strict=True):
            products = torch.baddbmm(products.unsqueeze(1), each.unsqueeze(1), read).squeeze(1)
        output, hidden = self.cell.advance(products, state.hidden)
        return output, weights, state._replace(hidden=hidden)

    def _predict(
        self,
        state: PointerGeneratorState,
        size: int,
        read: Tensor,
        output: Tensor,
        *weights: Tensor,
    ) -> Tensor:
        """Return log probabilities (B, M, size) of what follows.

        Args:
            read: (B, M, E), the symbols read.
            output: (B, M, size), the outputs.
            weights: (B, M, L), the attention to each memory.
        """
        contexts = [
            torch.bmm(each, memory.values)
            for each, memory in zip(weights, state.memories, strict=True)
        ]
        seen = torch.cat([output, *contexts], 2)
        vocabulary = self.vocabulary(seen).softmax(2)
        generate = self.generate(torch.cat([seen, read], 2)).sigmoid()
        return mixture(vocabulary, weights[0], state.copied, generate, size)
