"""An encoder of features and source as one sequence, and a decoder with Luong attention."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import torch
from torch import Tensor, nn

from kasu.neural.dropout import keep
from kasu.neural.recurrent.networks import Recurrent
from kasu.transduction.alphabet import PAD, START, Alphabet
from kasu.transduction.batch import Batch, joined, pad
from kasu.transduction.items import Item
from kasu.transduction.layers.encoder import Encoded
from kasu.transduction.layers.luong import LuongDecoder, LuongDecoderState
from kasu.transduction.networks.actor_critic import Critic, Rewards, advantages
from kasu.transduction.networks.seq2seq import Seq2Seq, own_answers


class ZeroedEmbedding(nn.Embedding):
    """Embeddings that are zeros for one symbol. (torch's `padding_idx` is wrong in stacks.)"""

    def __init__(self, symbols: int, size: int, zeroed: int) -> None:
        super().__init__(symbols, size)
        self.zeroed = zeroed

    def forward(self, ids: Tensor) -> Tensor:
        """Return vectors (…, size)."""
        return super().forward(ids) * (ids != self.zeroed).unsqueeze(-1)


class LuongSeq2Seq(Seq2Seq):
    """A bidirectional LSTM reads features and source, an LSTM attends to it and writes.

    It learns targets; with a `teacher`, rewards for its own answers. Details are those of the
    transliteration program of Najafi et al. (2018): sources are padded to a length, and attention
    is to padding too, where there are zeros; the decoder begins with zeros in all that it reads;
    all weights are drawn uniform after Glorot & Bengio (2010), and biases are 0.

    Args:
        embedding: width of embedded symbols and features.
        size: width of the encoder in one direction, of what is attended to, and of the decoder.
        dropout: share of the outputs of encoder and decoder that training drops; on rewards, the
            decoder drops none.
        discount: of rewards.
        length: to which sources are padded, if they are shorter.
    """

    PADDING: ClassVar = {"decoder.vocabulary.bias": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

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
        length: int,
    ) -> None:
        super().__init__(characters, tags)
        self.dropout, self.length = dropout, length
        # Padding and what precedes the first symbol are zeros
        self.table = ZeroedEmbedding(len(characters) + len(tags), embedding, PAD)
        target = ZeroedEmbedding(len(characters), embedding, START)
        self.encoder = Recurrent("lstm", embedding, size, directions=2)
        self.narrow = nn.Linear(2 * size, size)
        self.decoder: LuongDecoder = LuongDecoder(target, size, [size], feeding=True)
        # Until there are rewards, it learns nothing
        self.critic = Critic(2 * size, 1 / (1 - discount)).requires_grad_(False)
        self._teacher: Rewards | None = None
        _draw(self)

    @property
    def teacher(self) -> Rewards | None:
        """The source of rewards; None if it learns from targets."""
        return self._teacher

    @teacher.setter
    def teacher(self, teacher: Rewards | None) -> None:
        self._teacher = teacher
        self.critic.requires_grad_(teacher is not None)

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> Batch:
        """Number the symbols of items; sources begin with the features."""
        batch = super().batch(items, seed, epoch)
        rows = [joined(item, self.characters, self.tags, tags_first=True) for item in items]
        padded = [row + [PAD] * (self.length - len(row)) for row in rows]
        return replace(batch, source=pad(padded, batch.source.device))

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return source, positions and target of a batch, two dropout masks, perhaps answers.

        Masks are of the outputs of encoder and decoder; answers are its own, with a teacher.
        """
        assert batch.target is not None
        draw = torch.Generator().manual_seed(batch.seed)
        source, device, size = batch.source, batch.source.device, self.decoder.cell.size
        # In a stack of batches, further padding has false positions
        positions = source >= 0
        rows, steps = len(source), batch.target.shape[1] - 1
        share = self.dropout * self.training
        masks = [
            keep(shape, dropped, draw).to(device)
            for shape, dropped in [
                ((*source.shape, self.encoder.width), share),
                ((rows, steps, size), 0.0 if self.teacher else share),
            ]
        ]
        own = []
        # The greedy answers that get rewards, written before the step and without gradients
        if self.teacher:
            with torch.no_grad():
                state = self._start(source, positions, masks[0])
            undropped = torch.ones(rows, steps, 1, device=device)
            own = [own_answers(self.decoder, state, batch.target[:, 0], undropped)]
        return [source, positions, batch.target, *masks, *own]

    def forward(
        self,
        source: Tensor,
        positions: Tensor,
        target: Tensor,
        read: Tensor,
        kept: Tensor,
        own: Tensor | None = None,
    ) -> Tensor:
        """Return the loss of `inputs` in nats, per position of the padded length."""
        state = self._start(source, positions, read)
        before, following = target[:, :-1], target[:, 1:]
        # It reads its own answers, or else the target (teacher forcing)
        if own is not None:
            before = torch.cat([target[:, :1], own[:, :-1]], 1)
        attended = self.decoder.attend(state, before, kept=kept)
        log_probs = self.decoder.write(attended)
        if own is not None:
            losses = self._rewarded(log_probs, attended.detach(), own, following)
        else:
            losses = -log_probs.gather(2, following.unsqueeze(2)).squeeze(2)
        return (losses * (following != PAD)).sum() / (len(target) * self.length)

    def _rewarded(
        self, log_probs: Tensor, attended: Tensor, own: Tensor, following: Tensor
    ) -> Tensor:
        """Return the losses (B, M) of its own answers and of the critic, which learns apart."""
        assert self.teacher
        real = following != PAD
        right = own == following
        # The critic sees detached vectors: its loss does not train the decoder
        values = self.critic(attended) * real
        expected = values.detach()
        returns = self.teacher.returns((right & real).to(values.dtype), expected)
        gained = advantages(returns, expected, right)
        # REINFORCE: the log probability of what was written, weighted by its advantage
        written = log_probs.gather(2, own.unsqueeze(2)).squeeze(2)
        return (values - returns).square() - gained * written

    def start(self, batch: Batch) -> LuongDecoderState:
        """Return the state of the decoder before the first symbol of an answer."""
        return self._start(batch.source, batch.source >= 0)

    def _start(
        self, source: Tensor, positions: Tensor, read: Tensor | float = 1.0
    ) -> LuongDecoderState:
        outputs, *_ = self.encoder(self.table(source), positions)
        # Padding has zeros, but is attended to
        values = self.narrow(outputs * read).tanh() * (source != PAD).unsqueeze(2)
        hidden = self.decoder.cell.zeros(len(source))
        return self.decoder.start(hidden, [Encoded(values, positions, ())])


@torch.no_grad()
def _draw(network: LuongSeq2Seq) -> None:
    for name, weight in network.named_parameters():
        if "bias" in name:
            nn.init.zeros_(weight)
        else:
            nn.init.xavier_uniform_(weight)
    for table in (network.table, network.decoder.table):
        bound = (6 / table.embedding_dim) ** 0.5
        nn.init.uniform_(table.weight, -bound, bound)
