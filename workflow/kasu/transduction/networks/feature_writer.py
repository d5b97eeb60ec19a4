"""A contextual network that also learns to write the features of what it writes.

Source: Kementchedjhieva, Bjerva & Augenstein (2018 §2.2.2); what the paper leaves open is as in the
released code.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from kasu.neural.dynet import draw_network
from kasu.transduction.alphabet import PAD, START, Alphabet
from kasu.transduction.batch import Batch, pad
from kasu.transduction.items import Item
from kasu.transduction.layers.vector_decoder import VectorDecoder
from kasu.transduction.networks.contextual_seq2seq import (
    ContextBatch,
    ContextualSeq2Seq,
    ContextVector,
    read_before,
    summed_loss,
)


@dataclass(frozen=True)
class FeatureBatch(ContextBatch):
    """A batch with the features to be written.

    Attributes:
        features: (B, T), with START before and after them; none of an item without tags.
    """

    features: Tensor


class FeatureWriter(VectorDecoder):
    """An LSTM that writes features one by one, reading the vector of the context at each step.

    It is no part of the answers, and networks of several languages may share it.

    Args:
        tags: the features.
        size: width of its output.
        constant: width of the vector.
        embedding: width of embedded features.
    """

    def __init__(self, tags: Alphabet, size: int, constant: int, embedding: int) -> None:
        super().__init__(tags, size, constant, embedding=embedding)
        self.tags = tags
        draw_network(self)

    def number(self, items: Sequence[Item]) -> Tensor:
        """Return the features of items as ids, (B, T)."""
        rows = [
            [START, *self.tags.encode(item.tags), START] if item.tags else [PAD] for item in items
        ]
        return pad(rows, self.vocabulary.weight.device)

    def loss(self, context: Tensor, features: Tensor) -> Tensor:
        """Return the loss of features (B, T), given vectors (B, C), computed as that of forms."""
        # As that of forms, it has read START once, and nothing else, before its first step
        first = self.table(torch.full_like(features[:, 0], START))
        zeros = self.cell.zeros(len(features))
        _, hidden = self.cell.advance(self.cell.products(first), zeros)
        written = self.teacher(self.start(context, hidden), read_before(features))
        return summed_loss(written, features)


class WritingFeatures(ContextualSeq2Seq):
    """A contextual network that is trained on the sum of two losses: of forms, and of features.

    Where nothing is learnt from it, its loss is that of forms alone.

    Args:
        features: writes the features.
        weights: of the losses of forms and of features.
        rest: of a ContextualSeq2Seq.
    """

    def __init__(
        self,
        characters: Alphabet,
        context: ContextVector,
        features: FeatureWriter,
        weights: tuple[float, float],
        **rest: Any,
    ) -> None:
        super().__init__(characters, context, **rest)
        self.features, self.weights = features, weights

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> FeatureBatch:
        """Number the symbols of items, of their contexts and of their features."""
        batch = super().batch(items, seed, epoch)
        return FeatureBatch(**vars(batch), features=self.features.number(items))

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return the inputs of a ContextualSeq2Seq and the features."""
        assert isinstance(batch, FeatureBatch)
        return [*super().inputs(batch), batch.features]

    def forward(self, source: Tensor, target: Tensor, context: Tensor, *rest: Tensor) -> Tensor:
        """Return the loss of what `inputs` returns."""
        *masks, features = rest
        around = self.context(context)
        forms = self._loss(source, target, around, *masks)
        if not torch.is_grad_enabled():
            return forms
        weight, other = self.weights
        return weight * forms + other * self.features.loss(around, features)
