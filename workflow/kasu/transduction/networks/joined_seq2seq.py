"""GRUs that read features and source as one sequence, and a decoder that attends to it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import Recurrent
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.batch import Batch, joined, pad
from kasu.transduction.items import Item
from kasu.transduction.layers.encoder import Encoder
from kasu.transduction.layers.luong import LuongDecoder, LuongDecoderState
from kasu.transduction.networks.seq2seq import Seq2Seq, mean_loss


class JoinedSeq2Seq(Seq2Seq):
    """A bidirectional GRU reads the features and then the source; two layers of a GRU write.

    They start from zeros, so that all they know of the source they attend to. Attention is additive
    and normalised. A character of the source that the alphabet lacks is written where the network
    writes an unknown one, each once and in their order.

    Args:
        embedding: width of embedded symbols and features.
        size: width of the encoder in one direction, and of the decoder.
        bound: embeddings are drawn uniform within it.
    """

    PADDING: ClassVar = {"decoder.vocabulary.bias": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    def __init__(
        self, characters: Alphabet, tags: Alphabet, *, embedding: int, size: int, bound: float
    ) -> None:
        super().__init__(characters, tags)
        read = nn.Embedding(len(characters) + len(tags), embedding)
        self.encoder = Encoder(read, Recurrent("gru", embedding, size, directions=2))
        written = nn.Embedding(len(characters), embedding)
        self.decoder: LuongDecoder = LuongDecoder(
            written, size, [2 * size], layers=2, kind="gru", additive=True
        )

        for table in (read, written):
            nn.init.uniform_(table.weight, -bound, bound)

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> Batch:
        """Number the symbols of items; sources begin with the features."""
        batch = super().batch(items, seed, epoch)
        rows = [joined(item, self.characters, self.tags, tags_first=True) for item in items]
        return replace(batch, source=pad(rows, batch.source.device))

    def spell(self, ids: Sequence[int], item: Item, foreign: Sequence[str]) -> Sequence[str]:
        """Return the symbols of an answer, unknown ones as those that the source has."""
        return self.characters.requeue(ids, item.source)

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return source and target of a batch."""
        assert batch.target is not None
        return [batch.source, batch.target]

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the loss of what `inputs` returns."""
        log_probs = self.decoder.teacher(self._start(source), target[:, :-1])
        return mean_loss(log_probs, target[:, 1:])

    def start(self, batch: Batch) -> LuongDecoderState:
        """Return the state of the decoder before the first symbol of an answer."""
        return self._start(batch.source)

    def _start(self, source: Tensor) -> LuongDecoderState:
        encoded = self.encoder(source)
        return self.decoder.start(self.decoder.cell.zeros(len(source)), [encoded])
