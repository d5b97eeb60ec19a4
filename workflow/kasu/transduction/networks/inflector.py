"""GRUs that read a word and then its features, and another that attends to both and writes.

Source: Liu et al. (2018 §3.2.2), after Silfverberg et al. (2017).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import Recurrent
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.batch import Batch, joined, pad
from kasu.transduction.items import Item
from kasu.transduction.layers.attention_decoder import AttentionDecoder, AttentionDecoderState
from kasu.transduction.layers.encoder import Encoder
from kasu.transduction.networks.seq2seq import Seq2Seq, mean_loss


class Inflector(Seq2Seq):
    """A bidirectional GRU reads source and features as one sequence; a GRU attends to it.

    The sequence has no boundaries. The GRU that writes starts from a vector that is learnt.

    Args:
        characters: the alphabet of source and target.
        tags: the alphabet of features.
        embedding: width of embedded symbols and features.
        size: width of states, of the encoder in each direction.
    """

    PADDING: ClassVar = {"decoder.vocabulary.bias": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    def __init__(self, characters: Alphabet, tags: Alphabet, *, embedding: int, size: int) -> None:
        super().__init__(characters, tags)
        read = nn.Embedding(len(characters) + len(tags), embedding)
        self.encoder = Encoder(read, Recurrent("gru", embedding, size, directions=2))
        written = nn.Embedding(len(characters), embedding)
        self.decoder: AttentionDecoder = AttentionDecoder("gru", written, size, 2 * size)
        self.first = nn.Parameter(torch.randn(size))

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> Batch:
        """Number the symbols of items; sources end with the features."""
        batch = super().batch(items, seed, epoch)
        rows = [joined(item, self.characters, self.tags, tags_first=False) for item in items]
        # Without END, but where it stands alone
        return replace(batch, source=pad([row[:-1] or row for row in rows], batch.source.device))

    def limits(self, items: Sequence[Item]) -> list[int]:
        """Return the most characters of each answer."""
        return [2 * len(item.source) + 10 for item in items]

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return source and target of a batch."""
        assert batch.target is not None
        return [batch.source, batch.target]

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the mean loss of `inputs` per symbol, in nats."""
        read = target[:, :-1]
        undropped = torch.ones_like(read, dtype=self.first.dtype).unsqueeze(2)
        log_probs = self.decoder.teacher(self._start(source), read, undropped)
        return mean_loss(log_probs, target[:, 1:])

    def start(self, batch: Batch) -> AttentionDecoderState:
        """Return the state of the decoder before the first symbol of an answer."""
        return self._start(batch.source)

    def _start(self, source: Tensor) -> AttentionDecoderState:
        return self.decoder.start((self.first.expand(len(source), -1),), self.encoder(source))
