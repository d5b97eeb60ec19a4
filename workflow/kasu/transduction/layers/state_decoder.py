"""A decoder that attends to a sequence by its whole state, as the baseline of task 2 does."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import RecurrentCell
from kasu.transduction.alphabet import END, START
from kasu.transduction.layers.attended_sequence import AttendedSequence
from kasu.transduction.layers.attention import Additive, Memory
from kasu.transduction.layers.encoder import Encoded


class DecoderDropoutMasks(NamedTuple):
    """Dropout masks, the same for all items and steps.

    Attributes:
        embedded: (E), of the symbols read.
        attended: (D), of what is attended to.
        previous: (S), of the previous output, where the cell reads it.
    """

    embedded: Tensor
    attended: Tensor
    previous: Tensor


class StateDecoderState(NamedTuple):
    """The state of a StateDecoder.

    Attributes:
        hidden: output and cell, (B, S) each.
        memory: what it attends to.
        read: what the cell makes of the values, (B, L, G).
        boundaries: how many START its steps have read, (B,).
    """

    hidden: tuple[Tensor, ...]
    memory: Memory
    read: Tensor
    boundaries: Tensor


class StateDecoder(nn.Module):
    """An LSTM that reads the previous symbol and what its last output and cell attend to.

    Its output alone gives the probabilities. It has read START once, attending to nothing, before
    its first step. It writes START before and after an answer: the second one is END to a search.

    Args:
        table: embeddings of the alphabet.
        size: width of the output, and of the hidden layer of attention.
        values: width of the sequence that it attends to.
    """

    def __init__(self, table: nn.Embedding, size: int, values: int) -> None:
        super().__init__()
        symbols, embedding = table.weight.shape
        self.table = table
        self.attention = Additive(2 * size, values, size, bias=False)
        self.cell = RecurrentCell("lstm", embedding, size, constant=values)
        self.vocabulary = nn.Linear(size, symbols)

    def start(
        self, encoded: Encoded, masks: DecoderDropoutMasks | None = None
    ) -> StateDecoderState:
        """Return the state before the first symbol."""
        memory = self.attention.memory(encoded.outputs, encoded.mask)
        first = self.table(torch.full_like(encoded.mask[:, 0], START, dtype=torch.long))
        values = memory.values
        if masks:
            first, values = first * masks.embedded, values * masks.attended
        # The cell is linear in a context, a weighted sum of values: its product is taken here, once
        read = values @ self.cell.constant.mT
        # It reads START before its first step, with no context
        zeros = self.cell.zeros(len(first))
        _, hidden = self.cell.advance(self.cell.products(first), zeros)
        boundaries = torch.zeros_like(encoded.mask[:, 0], dtype=torch.long)
        return StateDecoderState(hidden, memory, read, boundaries)

    def step(self, state: StateDecoderState, previous: Tensor) -> tuple[Tensor, StateDecoderState]:
        """Return log probabilities (B, V) after the symbols `previous` (B,), and the next state."""
        output, state = self._advance(state, self.cell.products(self.table(previous)))
        log_probs = self.vocabulary(output).log_softmax(1)
        boundaries = state.boundaries + (previous == START)
        # START given by the search counts once; a second one means that the answer has begun
        begun = (boundaries > 1).unsqueeze(1)
        boundary = log_probs[:, START : START + 1]
        never = torch.full_like(boundary, -torch.inf)
        # Writing START begins an answer; after that, it counts as END
        starts, ends = torch.where(begun, never, boundary), torch.where(begun, boundary, never)
        before, after = log_probs[:, :START], log_probs[:, END + 1 :]
        return torch.cat([before, starts, ends, after], 1), state._replace(boundaries=boundaries)

    def teacher(
        self, state: StateDecoderState, target: Tensor, masks: DecoderDropoutMasks
    ) -> Tensor:
        """Return log probabilities (B, M, V) of what follows each symbol of `target` (B, M)."""
        products = self.cell.products(self.table(target) * masks.embedded).transpose(0, 1)
        outputs = (self._run_plain if self.cell.plain else self._run)(state, products, masks)
        return self.vocabulary(outputs).log_softmax(2)

    def _run(
        self, state: StateDecoderState, products: Tensor, masks: DecoderDropoutMasks
    ) -> Tensor:
        """Return all outputs (B, M, S), from the products (M, B, G) of the symbols read."""
        outputs, _ = AttendedSequence.apply(
            products, *state.hidden, self.cell.recurrent * masks.previous,
            self.attention.query.weight,
            state.memory.keys, state.memory.padding, self.attention.score.weight[0], state.read,
        )  # fmt: skip
        return outputs.transpose(0, 1)

    def _run_plain(
        self, state: StateDecoderState, products: Tensor, masks: DecoderDropoutMasks
    ) -> Tensor:
        """Run as `_run` does, in operations that can be batched over networks."""
        outputs = []
        for each in products.unbind(0):
            output, state = self._advance(state, each, masks)
            outputs.append(output)
        return torch.stack(outputs, 1)

    def _advance(
        self, state: StateDecoderState, products: Tensor, masks: DecoderDropoutMasks | None = None
    ) -> tuple[Tensor, StateDecoderState]:
        """Go one step, from the products (B, G) of the symbol read."""
        weights = self.attention(torch.cat(state.hidden, 1), state.memory)
        products = torch.baddbmm(products.unsqueeze(1), weights.unsqueeze(1), state.read).squeeze(1)
        # Dropout changes what the cell reads of the previous output, not what attention reads
        previous, cell = state.hidden
        read = (previous * masks.previous if masks else previous, cell)
        output, hidden = self.cell.advance(products, read)
        return output, state._replace(hidden=hidden)
