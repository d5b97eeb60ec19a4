"""A network that reads a word together with its context, and writes another word.

It is the baseline of CoNLL-SIGMORPHON 2018 task 2 (Cotterell et al. 2018 §4.2); what the paper
leaves open is as in the released code and its library, DyNet.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from kasu.neural.dropout import keep
from kasu.neural.dynet import draw_matrix, draw_network
from kasu.neural.recurrent.layers import DropoutMasks
from kasu.neural.recurrent.networks import Recurrent
from kasu.transduction.alphabet import PAD, START, Alphabet
from kasu.transduction.batch import Batch, as_unknown
from kasu.transduction.items import Item
from kasu.transduction.layers.encoder import Encoded
from kasu.transduction.layers.state_decoder import (
    DecoderDropoutMasks,
    StateDecoder,
    StateDecoderState,
)
from kasu.transduction.networks.seq2seq import Seq2Seq


def read_before(target: Tensor) -> Tensor:
    """Return what the decoder reads before each symbol of targets (B, M): START, then the target.

    Targets begin with START themselves, and end with it: both are to be learned.
    """
    return torch.cat([torch.full_like(target[:, :1], START), target[:, :-1]], 1)


def summed_loss(log_probs: Tensor, target: Tensor) -> Tensor:
    """Return the loss of targets (B, M) in nats, summed over symbols, mean over items.

    Args:
        log_probs: (B, M, V).
    """
    right = log_probs.gather(2, target.unsqueeze(2)).squeeze(2)
    return -(right * (target != PAD)).sum() / len(target)


class ContextVector(Protocol):
    """A module that gives vectors (B, `width`) of the contexts of items.

    Attributes:
        unknown: for each symbol that it reads of an item, or the last of the axes that they are in,
            the id of an unknown one.
    """

    width: int
    unknown: Tensor

    def ids(self, items: Sequence[Item]) -> Tensor:
        """Return the symbols that it reads of items, (B, …), with PAD after the end of each row."""
        ...

    def __call__(self, ids: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class ContextBatch(Batch):
    """A batch with what is read of the items' contexts."""

    context: Tensor


class ContextualSeq2Seq(Seq2Seq):
    """A bidirectional LSTM reads characters, each joined with the context; another attends to it.

    One boundary, START, begins and ends what it reads and writes.

    Args:
        characters: the alphabet of source and target.
        context: gives vectors of contexts.
        embedding: width of embedded characters.
        size: width of states, in each direction in the encoder.
        dropout: share of what LSTMs read, inputs and previous outputs, that training drops; the
            same units at all steps.
        unknown: share of the symbols of contexts that training reads as unknown ones.
    """

    PADDING: ClassVar = {"decoder.vocabulary.bias": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""
    end = START

    def __init__(
        self,
        characters: Alphabet,
        context: ContextVector,
        *,
        embedding: int,
        size: int,
        dropout: float,
        unknown: float,
    ) -> None:
        super().__init__(characters, Alphabet(()))
        self.dropout, self.unknown = dropout, unknown
        self.context = context
        self.table, table = (
            nn.Embedding(len(characters), embedding, sparse=True) for _ in range(2)
        )
        self.encoder = Recurrent("lstm", embedding, size, directions=2)
        # The context is the same at every step, so the encoder reads it by separate weights
        self.around = nn.ParameterList(torch.empty(4 * size, context.width) for _ in range(2))
        self.decoder: StateDecoder = StateDecoder(table, size, 2 * size)
        _draw_as_dynet(self)

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> ContextBatch:
        """Number the symbols of items and of their contexts; the epoch makes no difference."""
        batch = super().batch(items, seed, epoch)
        ids = self.context.ids(items).to(batch.source.device)
        return ContextBatch(**vars(batch), context=ids)

    def limits(self, items: Sequence[Item]) -> list[int]:
        """Return the most symbols of each answer; START, which it writes first, counts."""
        return [max(2 * len(item.source), 1) for item in items]

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return source, target and context of a batch, and its dropout masks."""
        assert isinstance(batch, ContextBatch)
        assert batch.target is not None
        draw = torch.Generator().manual_seed(batch.seed)
        device, training = batch.source.device, self.training
        embedding, size = self.table.embedding_dim, self.encoder.size
        share = self.unknown * training
        context = as_unknown(batch.context, self.context.unknown, share, draw)
        shapes = [
            (2, embedding), (2, size), (2, self.context.width),
            (embedding,), (self.encoder.width,), (size,),
        ]  # fmt: skip
        masks = [keep(shape, self.dropout * training, draw).to(device) for shape in shapes]
        return [batch.source, batch.target, context, *masks]

    def forward(self, source: Tensor, target: Tensor, context: Tensor, *masks: Tensor) -> Tensor:
        """Return the loss of `inputs` in nats: summed over symbols, mean over items."""
        return self._loss(source, target, self.context(context), *masks)

    def _loss(self, source: Tensor, target: Tensor, context: Tensor, *masks: Tensor) -> Tensor:
        """Return the loss as `forward` does, from the vectors of contexts."""
        encoded = self._encode(source, context, *masks[:3])
        dropout = DecoderDropoutMasks(*masks[3:])
        state = self.decoder.start(encoded, dropout)
        return summed_loss(self.decoder.teacher(state, read_before(target), dropout), target)

    def start(self, batch: Batch) -> StateDecoderState:
        """Return the state of the decoder before the first symbol of an answer."""
        assert isinstance(batch, ContextBatch)
        return self.decoder.start(self._encode(batch.source, self.context(batch.context)))

    def _encode(self, source: Tensor, context: Tensor, *masks: Tensor) -> Encoded:
        mask = source != PAD
        around = context.expand(2, -1, -1)
        dropout: list[DropoutMasks] = []
        if masks:
            dropout, around = [DropoutMasks(*masks[:2])], around * masks[2].unsqueeze(1)
        # Not by bmm: for a batch of one, its gradient of the context takes ten times as long
        added = torch.stack([linear(*each) for each in zip(around, self.around, strict=True)])
        outputs, *_ = self.encoder(self.table(source), mask, masks=dropout, added=added)
        return Encoded(outputs, mask, ())


def _draw_as_dynet(network: ContextualSeq2Seq) -> None:
    draw_network(network)
    # What the encoder reads is one vector to DyNet, too
    kernel = network.encoder.layers[0].kernel
    directions = (kernel.weight_ih_l0, kernel.weight_ih_l0_reverse)
    for symbols, around in zip(directions, network.around, strict=True):
        draw_matrix(symbols, around, rows=len(symbols))
