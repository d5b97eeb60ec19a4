"""A network that reads a lemma and both sides of its sentence, and attends to all three.

Source: Kann, Lauly & Cho (2018 §3).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from kasu.cloze.context.sides import Sides
from kasu.cloze.context.subwords import Subwords
from kasu.neural.dropout import keep
from kasu.neural.recurrent.networks import Recurrent
from kasu.transduction.alphabet import START, Alphabet
from kasu.transduction.batch import Batch
from kasu.transduction.items import Item
from kasu.transduction.layers.attention_decoder import MemoriesDecoder, MemoriesDecoderState
from kasu.transduction.layers.encoder import Encoder
from kasu.transduction.networks.contextual_seq2seq import summed_loss
from kasu.transduction.networks.seq2seq import Seq2Seq


@dataclass(frozen=True)
class SidesBatch(Batch):
    """A batch with the units of the words before and after each item, (B, L) each."""

    before: Tensor
    after: Tensor


class ThreeEncoders(Seq2Seq):
    """Bidirectional LSTMs read the lemma, the words before it and those after; another one writes.

    It attends to each of the three. Words are read as units of them, from left to right on both
    sides; a side without words is one boundary. The LSTM that writes starts from the final states
    of the lemma.

    Args:
        characters: the alphabet of source and target, which have one table.
        subwords: the units of words; both sides have one table.
        embedding: width of embedded characters and units.
        size: width of states, in each direction in encoders.
        dropout: share of what encoders and decoder read, of what is attended to, and of the outputs
            that write, that training drops.
    """

    PADDING: ClassVar = {"decoder.vocabulary.bias": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    together = 16  # three long sequences are attended to by each hypothesis of a beam

    def __init__(
        self,
        characters: Alphabet,
        subwords: Subwords,
        *,
        embedding: int,
        size: int,
        dropout: float,
    ) -> None:
        super().__init__(characters, Alphabet(()))
        self.dropout = dropout
        self.sides = Sides(lambda token: subwords.encode(token.form), empty=[START])
        table = nn.Embedding(len(characters), embedding)
        units = nn.Embedding(len(subwords.alphabet), embedding)
        self.lemma, self.before, self.after = (
            Encoder(each, Recurrent("lstm", embedding, size, directions=2))
            for each in (table, units, units)
        )
        widths = [encoder.network.width for encoder in self._encoders]
        self.decoder: MemoriesDecoder = MemoriesDecoder(table, size, widths)
        self.first = nn.Linear(widths[0], size)

    @property
    def _encoders(self) -> tuple[Encoder, Encoder, Encoder]:
        return self.lemma, self.before, self.after

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> SidesBatch:
        """Number the symbols of items and of their sentences; the epoch makes no difference."""
        batch = super().batch(items, seed, epoch)
        before, after = (ids.to(batch.source.device) for ids in self.sides.ids(items))
        return SidesBatch(**vars(batch), before=before, after=after)

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return source, sides and target of a batch, and its dropout masks.

        Masks are of the embeddings of all four, of the encoders' outputs, and of the decoder's.
        """
        assert isinstance(batch, SidesBatch)
        assert batch.target is not None
        draw = torch.Generator().manual_seed(batch.seed)
        read = [batch.source, batch.before, batch.after]
        size, embedding = self.decoder.cell.size, self.decoder.table.embedding_dim
        steps = batch.target[:, :-1]
        dropped = [
            *((ids, embedding) for ids in (*read, steps)),
            *((ids, 2 * size) for ids in read),
            (steps, size),
        ]
        share = self.dropout * self.training
        masks = [keep((*ids.shape, width), share, draw).to(ids.device) for ids, width in dropped]
        return [*read, batch.target, *masks]

    def forward(
        self, source: Tensor, before: Tensor, after: Tensor, target: Tensor, *masks: Tensor
    ) -> Tensor:
        """Return the loss of `inputs` in nats: summed over symbols, mean over items."""
        *embedded, written, lemma, past, future, kept = masks
        pairs = zip(embedded, (lemma, past, future), strict=True)
        state = self._start([source, before, after], list(pairs))
        log_probs = self.decoder.teacher(state, target[:, :-1], written, kept)
        return summed_loss(log_probs, target[:, 1:])

    def start(self, batch: Batch) -> MemoriesDecoderState:
        """Return the state of the decoder before the first symbol of an answer."""
        assert isinstance(batch, SidesBatch)
        return self._start([batch.source, batch.before, batch.after], [()] * 3)

    def _start(
        self, read: Sequence[Tensor], masks: Sequence[tuple[Tensor, ...]]
    ) -> MemoriesDecoderState:
        each = zip(self._encoders, read, masks, strict=True)
        encoded = [encoder(ids, *dropout) for encoder, ids, dropout in each]
        output = self.first(encoded[0].final[0]).tanh()
        return self.decoder.start((output, torch.zeros_like(output)), encoded)
