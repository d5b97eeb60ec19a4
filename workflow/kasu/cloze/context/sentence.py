"""The whole sentence around a word, read by two LSTMs (Kementchedjhieva et al. 2018 §2.2.1)."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from kasu.cloze.context.words import Words, context_of
from kasu.neural.recurrent.networks import Recurrent
from kasu.transduction.alphabet import PAD, START, UNKNOWN
from kasu.transduction.items import Item

LEMMA = 1
"""Where a word's lemma stands among its form, lemma and features."""


class WholeSentence(nn.Module):
    """The last states of LSTMs over the words before and after one, and the embedding of its lemma.

    Form, lemma and features of each word are embedded. The first LSTM reads from the beginning of
    the sentence to the previous word, the second from its end to the next word.

    Args:
        words: the known words.
        embedding: width of an embedded form, lemma or tag.
        size: width of a state.
        forward: read as the released program does: the second LSTM reads forward, from the next
            word to the end; and the lemma of the first word is read as a boundary.

    Attributes:
        width: width of the vector.
        unknown: (3), the ids of an unknown form, lemma and tag.
    """

    unknown: Tensor

    def __init__(self, words: Words, embedding: int, size: int, *, forward: bool) -> None:
        super().__init__()
        self.words, self.reads_forward = words, forward
        self.width = 2 * size + embedding
        self.table = nn.Embedding(words.size, embedding, sparse=True)
        self.before, self.after = (
            Recurrent("lstm", len(words) * embedding, size) for _ in range(2)
        )
        unknown = torch.tensor([offset + UNKNOWN for offset in words.offsets])
        self.register_buffer("unknown", unknown, persistent=False)

    def ids(self, items: Sequence[Item]) -> Tensor:
        """Return the ids read of items, (B, 2 T + 1, 3): T words on each side, and the lemma."""
        rows = [self._rows(item) for item in items]
        longest = max((len(side) for _, *sides in rows for side in sides), default=1)
        padding = [(PAD,) * len(self.words)]
        ids = [
            [each for side in sides for each in side + padding * (longest - len(side))] + [word]
            for word, *sides in rows
        ]
        return torch.tensor(ids, device="cpu").view(len(items), 2 * longest + 1, len(self.words))

    def _rows(self, item: Item) -> tuple[tuple[int, ...], list[tuple], list[tuple]]:
        """Return the ids of the lemma, and of the words before and after it as they are read."""
        tokens, place = context_of(item)
        boundary = tuple(offset + START for offset in self.words.offsets)
        before = [boundary, *self.words.encode(tokens[:place])]
        after = [*self.words.encode(tokens[place + 1 :]), boundary]
        if not self.reads_forward:
            after.reverse()
        first = self.reads_forward and place == 0
        (word,) = [boundary] if first else self.words.encode(tokens[place : place + 1])
        lemma = tuple(each if at == LEMMA else PAD for at, each in enumerate(word))
        return lemma, before, after

    def forward(self, ids: Tensor) -> Tensor:
        """Return the vector of each item, (B, `width`)."""
        embedded, longest = self.table(ids), ids.shape[1] // 2
        finals = []
        for number, network in enumerate((self.before, self.after)):
            side = slice(number * longest, (number + 1) * longest)
            _, final, _ = network(embedded[:, side].flatten(2), ids[:, side, 0] != PAD)
            finals.append(final[0])
        return torch.cat([*finals, embedded[:, -1, LEMMA]], 1)
