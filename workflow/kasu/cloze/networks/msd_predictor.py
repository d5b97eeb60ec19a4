"""A network that reads a sentence and predicts the features of the word that is asked for.

Source: Liu et al. (2018 §3.2.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from kasu.cloze.context.adjacent import LEMMA
from kasu.cloze.context.sides import Sides
from kasu.cloze.context.words import Words, context_of, shown
from kasu.neural.recurrent.networks import Recurrent, RecurrentCell
from kasu.transduction.alphabet import END, PAD, RESERVED, UNKNOWN, Alphabet
from kasu.transduction.batch import as_unknown, pad
from kasu.transduction.items import Answer, Item, Token
from kasu.transduction.search import TOGETHER


def msd(item: Item) -> str:
    """Return all features of an item as one symbol."""
    return ";".join(item.tags)


@dataclass(frozen=True)
class SentenceBatch:
    """Items to learn the features of, with PAD after the end of each row.

    Attributes:
        left, right: (B, L, 3) and (B, R, 3), forms, lemmata and features of the other words.
        lemma: (B), as a word.
        source: (B, C), its characters.
        label: (B), the classes; -1 for features that are none.
        seed: of everything that is drawn for the batch.
    """

    left: Tensor
    right: Tensor
    lemma: Tensor
    source: Tensor
    label: Tensor
    seed: int

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.label)


class MsdPredictor(nn.Module):
    """LSTMs read the words before and after one, and its lemma; one step of another classifies it.

    All are bidirectional and read forward from their first symbol. Each word is its form, lemma and
    features embedded, each character of the lemma is joined with the lemma. A side without words is
    a vector of zeros.

    Args:
        characters: the alphabet of lemmata.
        words: the known words.
        classes: the features of training items, all of an item as one symbol.
        embedding: width of what is embedded.
        directed: width of an encoder in each direction.
        size: width of the last LSTM.
        unknown: share of the words, each of its form, lemma and features, that training reads as
            unknown ones.
    """

    PADDING: ClassVar = {"output.bias": -torch.inf}
    """What fills up the weights of fewer classes (see kasu.neural.stacked)."""

    unknown_word: Tensor

    def __init__(
        self,
        characters: Alphabet,
        words: Words,
        classes: Alphabet,
        *,
        embedding: int,
        directed: int,
        size: int,
        unknown: float,
    ) -> None:
        super().__init__()
        self.characters, self.words, self.classes = characters, words, classes
        self.unknown = unknown
        self.sides = Sides(self._read)
        self.table = nn.Embedding(words.size, embedding, sparse=True)
        self.spelling = nn.Embedding(len(characters), embedding)
        self.left, self.right, self.base = (
            Recurrent("lstm", parts * embedding, directed, directions=2)
            for parts in (len(words), len(words), 2)
        )
        self.cell = RecurrentCell("lstm", 3 * self.base.width, size)
        # Output and cell before the only step
        self.first = nn.ParameterList(torch.randn(size) for _ in range(2))
        self.output = nn.Linear(size, len(classes.symbols))
        unknown_word = torch.tensor([offset + UNKNOWN for offset in words.offsets])
        self.register_buffer("unknown_word", unknown_word, persistent=False)

    def _read(self, token: Token) -> Sequence[tuple[int, ...]]:
        return self.words.encode([token])

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> SentenceBatch:
        """Number the symbols of items; the epoch makes no difference."""
        device = self.output.weight.device
        lemmata = [shown(tokens[place])[LEMMA] for tokens, place in map(context_of, items)]
        ids = self.words.lemmata.encode(lemmata)
        left, right = self.sides.ids(items, len(self.words))
        return SentenceBatch(
            left.to(device),
            right.to(device),
            torch.tensor(ids, device="cpu").to(device) + self.words.offsets[LEMMA],
            pad([self.characters.encode(item.source) or [END] for item in items], device),
            torch.tensor(self.classes.encode(map(msd, items)), device="cpu").to(device) - RESERVED,
            seed,
        )

    def loss(self, batch: SentenceBatch) -> Tensor:
        """Return the mean loss of the classes per item, in nats."""
        return self(*self.inputs(batch))

    def inputs(self, batch: SentenceBatch) -> list[Tensor]:
        """Return what is read of a batch, some of it as unknown, and its classes."""
        draw = torch.Generator().manual_seed(batch.seed)
        share = self.unknown * self.training
        left, right = (
            as_unknown(side, self.unknown_word, share, draw) for side in (batch.left, batch.right)
        )
        lemma = as_unknown(batch.lemma, self.unknown_word[LEMMA], share, draw)
        return [left, right, lemma, batch.source, batch.label]

    def forward(
        self, left: Tensor, right: Tensor, lemma: Tensor, source: Tensor, label: Tensor
    ) -> Tensor:
        """Return the loss of what `inputs` returns."""
        log_probs = self._classify(left, right, lemma, source)
        return -log_probs.gather(1, label.unsqueeze(1)).mean()

    def _classify(self, left: Tensor, right: Tensor, lemma: Tensor, source: Tensor) -> Tensor:
        """Return the log probabilities of the classes, (B, C)."""
        named = self.table(lemma).unsqueeze(1).expand(-1, source.shape[1], -1)
        spelled = torch.cat([self.spelling(source), named], 2)
        _, base, _ = self.base(spelled, source != PAD)
        sides = [self._side(self.left, left), self._side(self.right, right)]
        context = torch.cat([*sides, base[0]], 1)
        state = tuple(part.expand(len(source), -1) for part in self.first)
        output, _ = self.cell.step(context, state)
        return self.output(output).log_softmax(1)

    def _side(self, network: Recurrent, ids: Tensor) -> Tensor:
        """Return the final state (B, W) over the words of a side (B, L, 3)."""
        real = ids[..., 0] != PAD
        # A side without words is read as one of padding, and the vector of it zeroed
        read = torch.cat([torch.ones_like(real[:, :1]), real[:, 1:]], 1)
        _, final, _ = network(self.table(ids).flatten(2), read)
        return final[0] * real[:, :1]

    @torch.no_grad()
    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the `width` most probable features of each item, with their log probabilities."""
        answers = []
        for start in range(0, len(items), TOGETHER):
            batch = self.batch(items[start : start + TOGETHER])
            *read, _ = self.inputs(batch)
            scores, best = self._classify(*read).topk(min(width, len(self.classes.symbols)))
            for places, values in zip(best.tolist(), scores.tolist(), strict=True):
                answers.append(Answer([self.classes.symbols[at] for at in places], values))
        return answers
