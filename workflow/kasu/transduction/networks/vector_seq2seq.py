"""A network without attention: an encoder makes one vector of the source, a decoder reads it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import Recurrent
from kasu.transduction.alphabet import PAD, Alphabet
from kasu.transduction.batch import Batch
from kasu.transduction.features import ManyHot, one_hot
from kasu.transduction.items import Item
from kasu.transduction.layers.encoder import Encoded, Encoder
from kasu.transduction.layers.vector_decoder import VectorDecoder, VectorDecoderState
from kasu.transduction.networks.seq2seq import Seq2Seq, mean_loss


class VectorSeq2Seq(Seq2Seq):
    """An LSTM encodes the source, another one writes the target.

    Symbols are unit vectors, features a vector of 0 and 1 that the decoder reads at every step.

    Args:
        size: width of the encoder in one direction, and of the decoder.
        fed: the decoder also reads at every step the final output of the encoder and the source's
            symbol at that place. Else it starts from the encoder's final state, or, of two
            directions, from an affine map of it.
        by_position: the decoder is fed the encoder's output at that place, not the final one.
        truncated: length to which sources and targets are cut, and the most that is answered.
        padded: sources are filled up with zeros to that length, and the encoder reads them.
        directions: of the encoder.
    """

    PADDING: ClassVar = {"decoder.vocabulary.bias": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    def __init__(
        self,
        characters: Alphabet,
        tags: Alphabet,
        size: int,
        *,
        fed: bool,
        by_position: bool = False,
        truncated: int | None = None,
        padded: bool = False,
        directions: int = 2,
    ) -> None:
        super().__init__(characters, tags, truncated)
        self.padded = padded
        self.features = ManyHot(tags)
        network = Recurrent("lstm", len(characters), size, directions=directions)
        self.encoder = Encoder(one_hot(len(characters), 1), network, masked=not padded)
        aligned, final = network.width * by_position, network.width * (fed and not by_position)
        self.decoder: VectorDecoder = VectorDecoder(
            characters, size, final + self.features.width, beside=fed, outputs=aligned
        )
        self.fed, self.by_position = fed, by_position
        kind = nn.Linear if directions == 2 else nn.Identity
        self.first = nn.ModuleList(kind(network.width, size) for _ in range(2 * (not fed)))

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> Batch:
        """Number the symbols of items; the epoch makes no difference."""
        batch = super().batch([_cut(item, self.longest) for item in items], seed, epoch)
        if not (self.padded and self.longest):
            return batch
        missing = self.longest + 2 - batch.source.shape[1]  # START and END count as well
        return replace(batch, source=nn.functional.pad(batch.source, (0, missing), value=PAD))

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return source, tags and target of a batch."""
        assert batch.target is not None
        return [batch.source, batch.tags, batch.target]

    def forward(self, source: Tensor, tags: Tensor, target: Tensor) -> Tensor:
        """Return the loss of what `inputs` returns."""
        state = self._start(self.encoder(source), source, tags)
        return mean_loss(self.decoder.teacher(state, target[:, :-1]), target[:, 1:])

    def start(self, batch: Batch) -> VectorDecoderState:
        """Return the state of the decoder before the first symbol of an answer."""
        return self._start(self.encoder(batch.source), batch.source, batch.tags)

    def _start(self, encoded: Encoded, source: Tensor, tags: Tensor) -> VectorDecoderState:
        features = self.features(tags)
        if self.fed:
            # Without START
            beside, outputs = source[:, 1:], encoded.outputs[:, 1:]
            if self.by_position:
                return self.decoder.start(features, beside=beside, outputs=outputs)
            constant = torch.cat([encoded.final[0], features], 1)
            return self.decoder.start(constant, beside=beside)
        hidden = [first(part) for first, part in zip(self.first, encoded.final, strict=True)]
        return self.decoder.start(features, tuple(hidden))


def _cut(item: Item, length: int | None) -> Item:
    """Return an item with `length` symbols of source and target at most."""
    target = item.target and item.target[:length]
    return item._replace(source=item.source[:length], target=target)
