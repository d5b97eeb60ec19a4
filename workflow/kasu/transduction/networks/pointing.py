"""Transducers whose pointer moves by an action of its own."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import Recurrent, RecurrentCell
from kasu.transduction.alphabet import PAD, UNKNOWN, Alphabet
from kasu.transduction.batch import pad
from kasu.transduction.edits.actions import MOVE, ActionAlphabet, pointing, pointing_oracle
from kasu.transduction.items import Item
from kasu.transduction.networks.action_transducer import ActionTransducer, PointerBatch

ALIKE = 128
"""Lessons of similar length that are computed together."""


def alike(batch: PointerBatch, number: int) -> Iterator[PointerBatch]:
    """Yield parts of `number` items, fewest actions first, without columns of mere padding."""
    for rows in (batch.actions != PAD).sum(1).argsort(stable=True).split(number):
        source, tags, actions = (
            part[rows, : int((part[rows] != PAD).sum(1).max())]
            for part in (batch.source, batch.tags, batch.actions)
        )
        pointers = batch.pointers[rows, : actions.shape[1]]
        yield PointerBatch(source, actions, batch.seed, tags, pointers)


class PointerTransducer(ActionTransducer):
    """What transducers whose pointer moves by MOVE have in common: the lessons.

    Args:
        alphabet: of symbols and actions.
        tags: of features.

    Attributes:
        move: the id of MOVE.
        output: the layer that scores actions.
    """

    output: nn.Linear

    def __init__(self, alphabet: ActionAlphabet, tags: Alphabet) -> None:
        super().__init__()
        self.alphabet, self.tags = alphabet, tags
        (self.move,) = alphabet.encode([MOVE])
        self._known: dict[Item, list[int]] = {}

    def oracle(self, item: Item) -> list[str]:
        """Return the actions to learn."""
        raise NotImplementedError

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> PointerBatch:
        """Return items with their actions; neither the seed nor the epoch makes a difference."""
        actions = pad([self._actions(item) for item in items], self.output.weight.device)
        source, tags = self._asked(items)
        moves = (actions == self.move).long()
        # The pointer before an action: the moves of all earlier ones
        return PointerBatch(source, actions, seed, tags, moves.cumsum(1) - moves)

    def _actions(self, item: Item) -> list[int]:
        if item not in self._known:
            self._known[item] = self.alphabet.encode(self.oracle(item))
        return self._known[item]

    def _asked(self, items: Sequence[Item]) -> tuple[Tensor, Tensor]:
        # An empty lemma has a place to read, too
        sources = [self.alphabet.encode(item.source) or [UNKNOWN] for item in items]
        tags = [self.tags.encode(item.tags) or [PAD] for item in items]
        device = self.output.weight.device
        return pad(sources, device), pad(tags, device)

    def inputs(self, batch: PointerBatch) -> list[Tensor]:
        """Return the tensors of a batch."""
        return [batch.source, batch.tags, batch.actions, batch.pointers]


class PointingTransducerState(NamedTuple):
    """The state of a PointingTransducer.

    Attributes:
        hidden: the state of its cell, tensors of (B, size).
        pointer: places in the sources, (B).
        last: the last place of each source, (B).
        contexts: (B, L, G), what the cell makes of the encodings and the features.
    """

    hidden: tuple[Tensor, ...]
    pointer: Tensor
    last: Tensor
    contexts: Tensor


class PointingTransducer(PointerTransducer):
    """A bidirectional encoder of the source, and a decoder that reads it where its pointer is.

    At each step the decoder reads the encoding at the pointer and the sum of the embedded features;
    it does not see what it writes. MOVE moves the pointer, up to the last symbol; COPY and
    insertions do not.

    Source: Dumitrescu & Boroș (2018) §2.

    Args:
        alphabet: of symbols and actions.
        tags: of features.
        embedding: width of embedded symbols and features.
        size: width of the encoder in one direction, and of the decoder.
        layers: of encoder and decoder.
    """

    def __init__(
        self, alphabet: ActionAlphabet, tags: Alphabet, *, embedding: int, size: int, layers: int
    ) -> None:
        super().__init__(alphabet, tags)
        self.table = nn.Embedding(len(alphabet), embedding)
        self.features = nn.Embedding(len(tags), embedding)
        self.encoder = Recurrent("lstm", embedding, size, layers=layers, directions=2)
        self.cell = RecurrentCell(
            "lstm", self.encoder.width, size, layers=layers, constant=embedding
        )
        self.output = nn.Linear(size, len(alphabet))

    def oracle(self, item: Item) -> list[str]:
        """Return the actions to learn."""
        return pointing_oracle(item.source, item.target or "")

    def loss(self, batch: PointerBatch) -> Tensor:
        """Return the mean loss per item, in nats; an item's loss is the sum over its actions.

        Much of a large batch is padding. In parts of similar length, a batch of 1,000 takes half of
        the time.
        """
        parts = alike(batch, ALIKE)
        losses = [self(*self.inputs(part)) * len(part) for part in parts]
        return torch.stack(losses).sum() / len(batch)

    def forward(self, source: Tensor, tags: Tensor, actions: Tensor, pointers: Tensor) -> Tensor:
        """Return the loss of what `inputs` returns."""
        state = self.start(source, tags)
        places = pointers.unsqueeze(2).expand(-1, -1, state.contexts.shape[2])
        # The pointers of known actions are known, so all steps are computed at once: (B, M, G)
        outputs, _ = self.cell.advance_all(state.contexts.gather(1, places), state.hidden)
        log_probs = self.output(outputs).log_softmax(2)
        right = log_probs.gather(2, actions.unsqueeze(2)).squeeze(2)
        return -(right * (actions != PAD)).sum() / len(source)

    def start(self, source: Tensor, tags: Tensor) -> PointingTransducerState:
        """Return the state before the first action."""
        encodings, *_ = self.encoder(self.table(source), source != PAD)
        features = self.cell.project(self._sum(tags))
        # What each place of the source adds to the gates, (B, L, G), computed once
        contexts = self.cell.products(encodings, features.unsqueeze(1))
        last = (source != PAD).sum(1) - 1
        return PointingTransducerState(
            self.cell.zeros(len(source)), torch.zeros_like(last), last, contexts
        )

    def _sum(self, tags: Tensor) -> Tensor:
        """Return the sum of each item's embedded features (B, T): (B, E)."""
        # `vmap` has no sums that leave out padding, as nn.EmbeddingBag makes them
        return (self.features(tags) * (tags != PAD).unsqueeze(2)).sum(1)

    def step(
        self, state: PointingTransducerState, previous: Tensor
    ) -> tuple[Tensor, PointingTransducerState]:
        """Return log probabilities (B, V) after the actions `previous` (B,), and the next state."""
        moved = state.pointer + (previous == self.move).long()
        pointer = torch.minimum(moved, state.last)
        read = state.contexts[torch.arange(len(pointer), device=pointer.device), pointer]
        output, hidden = self.cell.advance(read, state.hidden)
        return self.output(output).log_softmax(1), state._replace(hidden=hidden, pointer=pointer)

    def spell(self, item: Item, actions: Sequence[str]) -> str:
        """Return the form that actions make of an item's source."""
        return pointing(item.source, actions)
