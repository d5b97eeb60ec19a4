"""A network for many languages, whose encoder also learns what comes next and which language it is.

Source: Rama & Çöltekin (2018 §3), Seq2seq-MTL-global.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from kasu.transduction.alphabet import UNKNOWN, Alphabet
from kasu.transduction.batch import Batch, pad
from kasu.transduction.items import Item
from kasu.transduction.networks.seq2seq import mean_loss
from kasu.transduction.networks.vector_seq2seq import VectorSeq2Seq


@dataclass(frozen=True)
class MultitaskBatch(Batch):
    """Items as ids.

    Attributes:
        languages: (B, 1).
    """

    languages: Tensor


class MultitaskSeq2Seq(VectorSeq2Seq):
    """An LSTM encodes the source, another one writes the target; neither is told the language.

    The encoder's output at each symbol predicts the next one, its last output the language. These
    losses are added to that of the target.

    Args:
        tags: features.
        languages: tags that are languages. An item has one, or counts as of an unknown one.
        size: width of encoder and decoder.
        truncated, padded: as of VectorSeq2Seq.
    """

    PADDING: ClassVar = {
        f"{layer}.bias": -torch.inf for layer in ("decoder.vocabulary", "following", "language")
    }
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    def __init__(
        self,
        characters: Alphabet,
        tags: Alphabet,
        languages: Alphabet,
        size: int,
        *,
        truncated: int | None = None,
        padded: bool = False,
    ) -> None:
        super().__init__(
            characters, tags, size, fed=False, truncated=truncated, padded=padded, directions=1
        )
        self.languages = languages
        self.following = nn.Linear(size, len(characters))
        self.language = nn.Linear(size, len(languages))

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> MultitaskBatch:
        """Number the symbols of items, and their languages."""
        batch = super().batch(items, seed, epoch)
        # What is no language is UNKNOWN, the lowest of these ids
        labels = [[max([UNKNOWN, *self.languages.encode(item.tags)])] for item in items]
        return MultitaskBatch(**vars(batch), languages=pad(labels, batch.source.device))

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return source, tags, target and languages of a batch."""
        assert isinstance(batch, MultitaskBatch)
        return [*super().inputs(batch), batch.languages]

    def forward(self, source: Tensor, tags: Tensor, target: Tensor, *rest: Tensor) -> Tensor:
        """Return the loss of what `inputs` returns."""
        (languages,) = rest
        encoded = self.encoder(source)
        written = self.decoder.teacher(self._start(encoded, source, tags), target[:, :-1])
        read = self.following(encoded.outputs[:, :-1]).log_softmax(2)
        named = self.language(encoded.final[0]).log_softmax(1).unsqueeze(1)
        return (
            mean_loss(written, target[:, 1:])
            + mean_loss(read, source[:, 1:])
            + mean_loss(named, languages)
        )
