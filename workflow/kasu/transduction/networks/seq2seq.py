"""Encoders and a decoder as one network, which is trained on items and answers items."""

from collections.abc import Sequence
from typing import ClassVar, Protocol, cast

import torch
from torch import Tensor, nn

from kasu.neural.dropout import keep
from kasu.transduction.alphabet import END, PAD, Alphabet
from kasu.transduction.batch import Batch, make_batch
from kasu.transduction.items import Answer, Item
from kasu.transduction.layers.encoder import Encoded, Encoder
from kasu.transduction.layers.pointer_generator import PointerGenerator, PointerGeneratorState
from kasu.transduction.search import TOGETHER, Decoder, State, search


def mean_loss(log_probs: Tensor, following: Tensor) -> Tensor:
    """Return the mean loss per symbol, in nats.

    Args:
        log_probs: (B, M, V).
        following: (B, M), the right symbols; PAD does not count.
    """
    right = log_probs.gather(2, following.unsqueeze(2)).squeeze(2)
    real = following != PAD
    return -(right * real).sum() / real.sum()


class Reader(Protocol):
    """A decoder that can be given embedded symbols."""

    table: nn.Embedding

    def read(self, state: State, embedded: Tensor) -> tuple[Tensor, State]:
        """Return log probabilities (B, V) after embedded symbols (B, E), and the next state."""
        ...


@torch.no_grad()
def own_answers(decoder: Reader, state: State, first: Tensor, mask: Tensor) -> Tensor:
    """Return what a decoder answers greedily at M steps, (B, M), also after END.

    Args:
        first: (B,), the symbols that it reads first; then it reads its own answers.
        mask: (B, M, E), dropout of what it reads.
    """
    answers, previous = [], first
    for dropped in mask.unbind(1):
        log_probs, state = decoder.read(state, decoder.table(previous) * dropped)
        previous = log_probs.argmax(1)
        answers.append(previous)
    return torch.stack(answers, 1)


def read_in_part(
    network: "Seq2Seq", batch: Batch, mask: Tensor, forced: float, draw: torch.Generator
) -> Tensor:
    """Return what a decoder reads in training, (B, M): targets, or its own answers.

    Args:
        network: its decoder is a Reader.
        mask: (B, M, E), dropout of what it reads.
        forced: share of the items for which it reads the target.
    """
    assert batch.target is not None
    target = batch.target[:, :-1]
    drawn = torch.rand(len(target), 1, generator=draw).to(target.device) < forced
    if not network.training or drawn.all():
        return target
    with torch.no_grad():
        state = network.start(batch)
    own = own_answers(cast(Reader, network.decoder), state, target[:, 0], mask)
    own = torch.cat([target[:, :1], own[:, :-1]], 1)
    return torch.where(drawn, target, own)


def loss_until_over(log_probs: Tensor, target: Tensor, read: Tensor) -> Tensor:
    """Return the loss in nats, summed over symbols, mean over items.

    Where a decoder has read its own END, an item is over.

    Args:
        log_probs: (B, M, V).
        target: (B, M + 1), with START.
        read: (B, M), see `read_in_part`.
    """
    over = (read == END).cumsum(1) > 0
    following = target[:, 1:].masked_fill(over, PAD)
    right = log_probs.gather(2, following.unsqueeze(2)).squeeze(2)
    return -(right * (following != PAD)).sum() / len(target)


class Seq2Seq(nn.Module):
    """A network that learns to write targets symbol by symbol.

    Args:
        characters, tags: the alphabets of source and target, and of features.
        longest: the most characters of an answer; None: 20 more than twice those of the source.

    Attributes:
        end: the symbol that ends source and target.
        together: how many items are answered as one batch.
        normalised: rank answers by log probability per symbol (see kasu.transduction.search).
    """

    decoder: Decoder
    end = END
    together = TOGETHER
    normalised = False

    def __init__(self, characters: Alphabet, tags: Alphabet, longest: int | None = None) -> None:
        super().__init__()
        self.characters, self.tags, self.longest = characters, tags, longest

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> Batch:
        """Number the symbols of items; the epoch makes no difference."""
        device = next(self.parameters()).device
        return make_batch(items, self.characters, self.tags, seed, device, self.end)

    def loss(self, batch: Batch) -> Tensor:
        """Return the mean loss per symbol of the target, in nats."""
        return self(*self.inputs(batch))

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return what `forward` computes the loss from: tensors of a batch and dropout masks."""
        raise NotImplementedError

    def start(self, batch: Batch) -> State:
        """Return the state of the decoder before the first symbol of an answer."""
        raise NotImplementedError

    def limits(self, items: Sequence[Item]) -> list[int]:
        """Return the most characters of each answer."""
        return [self.longest or 2 * len(item.source) + 20 for item in items]

    def spell(self, ids: Sequence[int], item: Item, foreign: Sequence[str]) -> Sequence[str]:
        """Return the symbols of an answer to an item; `foreign` are its foreign symbols."""
        return self.characters.decode(ids, foreign)

    @torch.no_grad()
    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the best forms for each item, with their log probabilities.

        Args:
            width: of the beam; 1 is greedy.
        """
        answers: list[Answer] = []
        for start in range(0, len(items), self.together):
            some = items[start : start + self.together]
            batch = self.batch(some)
            state, limits = self.start(batch), self.limits(some)
            found = search(self.decoder, state, limits, width, normalised=self.normalised)
            for item, hypotheses, foreign in zip(some, found, batch.foreign, strict=True):
                # A beam as wide as all outputs also reaches foreign symbols of other items
                known = len(self.characters) + len(foreign)
                own = [each for each in hypotheses if max(each.ids, default=0) < known]
                forms = ["".join(self.spell(each.ids, item, foreign)) for each in own]
                answers.append(Answer(forms, [each.score for each in own]))
        return answers


class TwoEncoders(Seq2Seq):
    """An encoder of the lemma, another of its features, and a decoder that attends to both.

    The decoder starts from affine maps of the encoders' final states, directions added up.

    Args:
        characters: the alphabet of `lemma` and `decoder`.
        tags: the alphabet of `features`.
        dropout: share of the embeddings and of the encoders' outputs that training drops.
        fixed: at every step the decoder reads the last state of `features`, in place of attending
            to each feature.
        longest: the most characters of an answer; None: 20 more than twice those of the lemma.
    """

    PADDING: ClassVar = {"decoder.vocabulary.bias": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    def __init__(
        self,
        characters: Alphabet,
        tags: Alphabet,
        lemma: Encoder,
        features: Encoder,
        decoder: PointerGenerator,
        *,
        dropout: float,
        fixed: bool = False,
        longest: int | None = None,
    ) -> None:
        super().__init__(characters, tags, longest)
        self.lemma, self.features = lemma, features
        self.decoder: PointerGenerator = decoder
        states = lemma.network.size + features.network.size
        self.first = nn.ModuleList(nn.Linear(states, decoder.cell.size) for _ in range(2))
        self.dropout, self.fixed = dropout, fixed

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return source, tags and target of a batch, and its dropout masks.

        Masks are of lemma, features and target embedded, and of both encoders' outputs.
        """
        assert batch.target is not None
        draw = torch.Generator().manual_seed(batch.seed)
        dropped = [
            (batch.source, self.lemma.table.embedding_dim),
            (batch.tags, self.features.table.embedding_dim),
            (batch.target[:, :-1], self.decoder.table.embedding_dim),
            (batch.source, self.lemma.network.width),
            (batch.tags[:, :1] if self.fixed else batch.tags, self.features.network.width),
        ]
        masks = [
            keep((*ids.shape, width), self.dropout * self.training, draw).to(ids.device)
            for ids, width in dropped
        ]
        return [batch.source, batch.tags, batch.target, *masks]

    def forward(self, source: Tensor, tags: Tensor, target: Tensor, *masks: Tensor) -> Tensor:
        """Return the loss of what `inputs` returns."""
        lemma, features, read, lemma_outputs, features_outputs = masks
        encoded = (
            self.lemma(source, lemma, lemma_outputs),
            self._encode_features(tags, features, features_outputs),
        )
        state = self._start(encoded, source)
        log_probs = self.decoder.teacher(state, target[:, :-1], read)
        return mean_loss(log_probs, target[:, 1:])

    def start(self, batch: Batch) -> PointerGeneratorState:
        """Return the state of the decoder before the first symbol of an answer."""
        encoded = self.lemma(batch.source), self._encode_features(batch.tags)
        return self._start(encoded, batch.copied)

    def _encode_features(
        self, tags: Tensor, embedded: Tensor | float = 1.0, outputs: Tensor | float = 1.0
    ) -> Encoded:
        """Encode features as the encoder does, or with its last state as the only output."""
        if not self.fixed:
            return self.features(tags, embedded, outputs)
        encoded = self.features(tags, embedded)
        last = encoded.final[0].unsqueeze(1)
        return Encoded(last * outputs, encoded.mask[:, :1], encoded.final)

    def _start(self, encoded: tuple[Encoded, Encoded], copied: Tensor) -> PointerGeneratorState:
        """Return the state of the decoder before the first symbol."""
        lemma, features = encoded
        finals = zip(
            self.lemma.summed(lemma.final), self.features.summed(features.final), strict=True
        )
        hidden = [first(torch.cat(pair, 1)) for first, pair in zip(self.first, finals, strict=True)]
        return self.decoder.start(tuple(hidden), encoded, copied)
