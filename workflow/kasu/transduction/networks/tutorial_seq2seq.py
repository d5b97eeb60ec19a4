"""A network that reads a word together with its context, and attends to positions by number.

It is that of PyTorch's tutorial on translation, but for the context (Liu et al. 2018 §3.1).
"""

from collections.abc import Sequence
from typing import ClassVar

import torch
from torch import Tensor, nn

from kasu.neural.dropout import keep
from kasu.neural.recurrent.networks import Recurrent
from kasu.transduction.alphabet import PAD, Alphabet
from kasu.transduction.batch import Batch, as_unknown
from kasu.transduction.items import Item
from kasu.transduction.layers.encoder import Encoded
from kasu.transduction.layers.tutorial_decoder import TutorialDecoder, TutorialDecoderState
from kasu.transduction.networks.contextual_seq2seq import ContextBatch, ContextVector
from kasu.transduction.networks.seq2seq import Seq2Seq, loss_until_over, read_in_part


class TutorialSeq2Seq(Seq2Seq):
    """A GRU reads characters, each joined with the context; another attends to positions, writes.

    Args:
        characters: the alphabet of source and target.
        context: gives vectors of contexts.
        embedding: width of embedded characters.
        size: width of states.
        dropout: share of the embeddings that the decoder reads that training drops.
        unknown: share of the symbols of contexts that training reads as unknown ones.
        forced: share of the items for which the decoder reads the target. For the others it reads
            its own answer, and learns as far as that goes.
        limit: positions of the source that are attended to, boundaries included, and the most
            characters of an answer.
        masked: see kasu.transduction.layers.position_attention.
    """

    PADDING: ClassVar = {"decoder.vocabulary.bias": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    def __init__(
        self,
        characters: Alphabet,
        context: ContextVector,
        *,
        embedding: int,
        size: int,
        dropout: float,
        unknown: float,
        forced: float,
        limit: int,
        masked: bool,
    ) -> None:
        super().__init__(characters, Alphabet(()), longest=limit)
        self.dropout, self.unknown, self.forced = dropout, unknown, forced
        self.context = context
        self.table, table = (nn.Embedding(len(characters), embedding) for _ in range(2))
        self.encoder = Recurrent("gru", embedding + context.width, size)
        self.decoder: TutorialDecoder = TutorialDecoder(table, size, limit, masked=masked)

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> ContextBatch:
        """Number the symbols of items and of their contexts; the epoch makes no difference."""
        batch = super().batch(items, seed, epoch)
        ids = self.context.ids(items).to(batch.source.device)
        return ContextBatch(**vars(batch), context=ids)

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return source, target and context of a batch, what the decoder reads, dropout mask."""
        assert isinstance(batch, ContextBatch)
        assert batch.target is not None
        draw = torch.Generator().manual_seed(batch.seed)
        share = self.unknown * self.training
        context = as_unknown(batch.context, self.context.unknown, share, draw)
        rows, symbols = batch.target.shape
        shape = (rows, symbols - 1, self.decoder.table.embedding_dim)
        mask = keep(shape, self.dropout * self.training, draw).to(batch.target.device)
        batch = ContextBatch(**(vars(batch) | {"context": context}))
        read = read_in_part(self, batch, mask, self.forced, draw)
        return [batch.source, batch.target, context, read, mask]

    def forward(
        self, source: Tensor, target: Tensor, context: Tensor, read: Tensor, mask: Tensor
    ) -> Tensor:
        """Return the loss of `inputs` in nats: summed over symbols, mean over items."""
        log_probs = self.decoder.teacher(self._start(source, context), read, mask)
        return loss_until_over(log_probs, target, read)

    def start(self, batch: Batch) -> TutorialDecoderState:
        """Return the state of the decoder before the first symbol of an answer."""
        assert isinstance(batch, ContextBatch)
        return self._start(batch.source, batch.context)

    def _start(self, source: Tensor, context: Tensor) -> TutorialDecoderState:
        mask = source != PAD
        around = self.context(context).unsqueeze(1).expand(-1, source.shape[1], -1)
        outputs, final, _ = self.encoder(torch.cat([self.table(source), around], 2), mask)
        return self.decoder.start(Encoded(outputs, mask, (final[0],)))
