"""A transducer whose pointer moves by an action, and that changes the marks of letters.

Source: Schröder et al. (2018) §5.2 and §5.3.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import Recurrent, RecurrentCell
from kasu.transduction.alignments.edit_distance import levenshtein
from kasu.transduction.alphabet import PAD, START, Alphabet
from kasu.transduction.edits.actions import (
    COPY,
    MOVE,
    PATCH,
    ActionAlphabet,
    patching,
    patching_oracle,
)
from kasu.transduction.edits.glyphs import Patches
from kasu.transduction.features import ManyHot
from kasu.transduction.items import Item
from kasu.transduction.networks.action_transducer import PointerBatch
from kasu.transduction.networks.pointing import PointerTransducer


class PatchingState(NamedTuple):
    """The state of a PatchingTransducer.

    Attributes:
        hidden: the state of its cell, one tensor of (B, size).
        pointer: places in the sources, (B).
        last: the place after the last symbol of each source, (B).
        encodings: (B, L + 1, size).
        features: (B, G), what the features add to the gates.
    """

    hidden: tuple[Tensor, ...]
    pointer: Tensor
    last: Tensor
    encodings: Tensor
    features: Tensor


class PatchingTransducer(PointerTransducer):
    """A bidirectional encoder of the source, and a decoder that reads it where its pointer is.

    At each step the decoder reads the encoding at the pointer, the sum of both directions, zeros
    past the end; the features, and its last action. It starts from the final state of the forward
    direction.

    Args:
        symbols: of sources and targets.
        tags: of features.
        patches: those that it may apply.
        embedding: width of embedded symbols and actions.
        size: width of the encoder in one direction, and of the decoder.
    """

    def __init__(
        self, symbols: Iterable[str], tags: Alphabet, patches: Patches, *, embedding: int, size: int
    ) -> None:
        special = [COPY, MOVE, *(f"{PATCH}{number}" for number in range(len(patches)))]
        super().__init__(ActionAlphabet(symbols, special), tags)
        self.patches = patches
        self.symbols = nn.Embedding(len(self.alphabet), embedding)
        self.actions = nn.Embedding(len(self.alphabet), embedding)
        self.features = ManyHot(tags)
        self.encoder = Recurrent("gru", embedding, size, directions=2)
        self.cell = RecurrentCell("gru", embedding + size, size, constant=self.features.width)
        self.output = nn.Linear(size, len(self.alphabet))

    def oracle(self, item: Item) -> list[str]:
        """Return the actions to learn."""
        columns = levenshtein(item.source, item.target or "", self.patches.alike)
        return patching_oracle(columns, self.patches)

    def spell(self, item: Item, actions: Sequence[str]) -> str:
        """Return the form that actions make of an item's source."""
        return patching(item.source, actions, self.patches)

    def forward(self, source: Tensor, tags: Tensor, actions: Tensor, pointers: Tensor) -> Tensor:
        """Return the loss of what `inputs` returns.

        An item's loss is the sum over its actions, by the logarithm of one more than their number.
        """
        return self._loss(source, source != PAD, tags, actions, pointers)

    def loss(self, batch: PointerBatch) -> Tensor:
        """Return the mean loss per item."""
        # A single item has no padding, and the encoder is faster without a mask
        mask = batch.source != PAD if len(batch) > 1 else None
        return self._loss(batch.source, mask, batch.tags, batch.actions, batch.pointers)

    def _loss(
        self, source: Tensor, mask: Tensor | None, tags: Tensor, actions: Tensor, pointers: Tensor
    ) -> Tensor:
        state = self._start(source, tags, mask)
        places = pointers.unsqueeze(2).expand(-1, -1, state.encodings.shape[2])
        before = nn.functional.pad(actions[:, :-1], (1, 0), value=START)
        x = torch.cat([self.actions(before), state.encodings.gather(1, places)], 2)
        outputs, _ = self.cell.run(x, state.hidden, state.features)
        log_probs = self.output(outputs).log_softmax(2)
        right = log_probs.gather(2, actions.unsqueeze(2)).squeeze(2)
        real = actions != PAD
        return -((right * real).sum(1) / (1 + real.sum(1)).log()).mean()

    def start(self, source: Tensor, tags: Tensor) -> PatchingState:
        """Return the state before the first action."""
        return self._start(source, tags, source != PAD)

    def _start(self, source: Tensor, tags: Tensor, mask: Tensor | None) -> PatchingState:
        encodings, final, _ = self.encoder(self.symbols(source), mask)
        size = self.cell.size
        summed = encodings[:, :, :size] + encodings[:, :, size:]
        last = (source != PAD).sum(1)
        return PatchingState(
            (final[-1, :, :size],), torch.zeros_like(last), last,
            nn.functional.pad(summed, (0, 0, 0, 1)), self.cell.project(self.features(tags)),
        )  # fmt: skip

    def step(self, state: PatchingState, previous: Tensor) -> tuple[Tensor, PatchingState]:
        """Return log probabilities (B, V) after the actions `previous` (B,), and the next state."""
        pointer = torch.minimum(state.pointer + (previous == self.move).long(), state.last)
        rows = torch.arange(len(pointer), device=pointer.device)
        x = torch.cat([self.actions(previous), state.encodings[rows, pointer]], 1)
        output, hidden = self.cell.step(x, state.hidden, state.features)
        return self.output(output).log_softmax(1), state._replace(hidden=hidden, pointer=pointer)
