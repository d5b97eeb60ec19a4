"""An encoder of features and source as one sequence, and a decoder with Luong attention."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import torch
from torch import Tensor, nn

from kasu.neural.dropout import keep
from kasu.neural.recurrent import Recurrent
from kasu.transduction.alphabet import PAD, Alphabet
from kasu.transduction.batch import Batch, joined, pad
from kasu.transduction.items import Item
from kasu.transduction.layers.encoder import Encoded, Encoder
from kasu.transduction.layers.luong import Looking, LuongDecoder
from kasu.transduction.networks.actor_critic import Critic, Rewards, advantages
from kasu.transduction.networks.seq2seq import Seq2Seq, mean_loss, own_answers


class LuongSeq2Seq(Seq2Seq):
    """A bidirectional LSTM reads features and source, an LSTM attends to it and writes.

    It learns targets; with a `teacher`, rewards for its own answers.

    Args:
        embedding: width of embedded symbols and features.
        size: width of the encoder in one direction, of its outputs, and of the decoder.
        dropout: share of embeddings and of the encoder's outputs that training drops.
        discount: of rewards.
    """

    PADDING: ClassVar = {"decoder.vocabulary.bias": -torch.inf}
    """Of the weights of a smaller alphabet (see kasu.neural.stacked)."""

    normalised = True

    def __init__(
        self,
        characters: Alphabet,
        tags: Alphabet,
        *,
        embedding: int,
        size: int,
        dropout: float,
        discount: float,
    ) -> None:
        super().__init__(characters, tags)
        source = nn.Embedding(len(characters) + len(tags), embedding)
        target = nn.Embedding(len(characters), embedding)
        self.encoder = Encoder(source, Recurrent("lstm", embedding, size, directions=2))
        self.narrow = nn.Linear(2 * size, size)
        self.first = nn.ModuleList(nn.Linear(2 * size, size) for _ in range(2))
        self.decoder: LuongDecoder = LuongDecoder(target, size, [size], feeding=True)
        # Until there are rewards, it learns nothing
        self.critic = Critic(size, 1 / (1 - discount)).requires_grad_(False)
        self.dropout = dropout
        self._teacher: Rewards | None = None

    @property
    def teacher(self) -> Rewards | None:
        """Who gives rewards, if it learns from them."""
        return self._teacher

    @teacher.setter
    def teacher(self, teacher: Rewards | None) -> None:
        self._teacher = teacher
        self.critic.requires_grad_(teacher is not None)

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> Batch:
        """Number the symbols of items; sources begin with the features."""
        batch = super().batch(items, seed, epoch)
        rows = [joined(item, self.characters, self.tags, tags_first=True) for item in items]
        return replace(batch, source=pad(rows, batch.source.device))

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Source and target of a batch, three dropout masks; with a teacher, its own answers.

        Masks are of the embedded source, of the encoder's outputs, and of what the decoder reads.
        """
        assert batch.target is not None
        draw = torch.Generator().manual_seed(batch.seed)
        size, embedding = self.decoder.cell.size, self.decoder.table.embedding_dim
        dropped = [(batch.source, embedding), (batch.source, size)]
        dropped.append((batch.target[:, :-1], embedding))
        masks = [
            keep((*ids.shape, width), self.dropout * self.training, draw).to(ids.device)
            for ids, width in dropped
        ]
        own = []
        if self.teacher:
            with torch.no_grad():
                state = self._start(batch.source, *masks[:2])
            own = [own_answers(self.decoder, state, batch.target[:, 0], masks[2])]
        return [batch.source, batch.target, *masks, *own]

    def forward(
        self,
        source: Tensor,
        target: Tensor,
        embedded: Tensor,
        outputs: Tensor,
        read: Tensor,
        own: Tensor | None = None,
    ) -> Tensor:
        """The loss from what `inputs` returns."""
        state = self._start(source, embedded, outputs)
        if own is None:
            return mean_loss(self.decoder.teacher(state, target[:, :-1], read), target[:, 1:])
        vectors = self.decoder.vectors(state, torch.cat([target[:, :1], own[:, :-1]], 1), read)
        log_probs = self.decoder.vocabulary(vectors).log_softmax(2)
        return self._rewarded(log_probs, vectors.detach(), own, target[:, 1:])

    def _rewarded(
        self, log_probs: Tensor, vectors: Tensor, own: Tensor, following: Tensor
    ) -> Tensor:
        """The mean loss per step of its own answers, and of the critic, which learns apart."""
        assert self.teacher
        real = following != PAD
        right = own == following
        values = self.critic(vectors) * real
        expected = values.detach()
        returns = self.teacher.returns((right & real).to(values.dtype), expected)
        gained = advantages(returns, expected, right)
        written = log_probs.gather(2, own.unsqueeze(2)).squeeze(2)
        losses = (values - returns).square() - gained * written
        return (losses * real).sum() / real.sum()

    def start(self, batch: Batch) -> Looking:
        """The state of the decoder before the first symbol of an answer."""
        return self._start(batch.source)

    def _start(
        self, source: Tensor, embedded: Tensor | float = 1.0, outputs: Tensor | float = 1.0
    ) -> Looking:
        encoded = self.encoder(source, embedded)
        values = self.narrow(encoded.outputs).tanh() * outputs
        hidden = [first(part) for first, part in zip(self.first, encoded.final, strict=True)]
        return self.decoder.start(tuple(hidden), [Encoded(values, encoded.mask, ())])
