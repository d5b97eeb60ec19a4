"""The words next to one, and its lemma, as embeddings (Cotterell et al. 2018 §4.2)."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from kasu.cloze.context.words import Words, context_of, shown
from kasu.transduction.alphabet import START, UNKNOWN
from kasu.transduction.items import Item

KINDS = (0, 1, 2, 0, 1, 2, 1)
"""The vocabulary of each part that is read, by number: form, lemma and features of the words before
and after, and the word's lemma."""


class AdjacentWords(nn.Module):
    """Seven embeddings in one vector; a sentence begins and ends with a boundary.

    Args:
        words: the known words.
        size: width of an embedding.

    Attributes:
        width: width of the vector.
        unknown: (7), the ids of an unknown form, lemma or features.
    """

    unknown: Tensor

    def __init__(self, words: Words, size: int) -> None:
        super().__init__()
        self.words, self.width = words, len(KINDS) * size
        self.table = nn.Embedding(words.size, size, sparse=True)
        unknown = torch.tensor([words.offsets[kind] + UNKNOWN for kind in KINDS])
        self.register_buffer("unknown", unknown, persistent=False)

    def ids(self, items: Sequence[Item]) -> Tensor:
        """Return the ids of the seven parts read of each item, (B, 7)."""
        return torch.tensor([self._row(item) for item in items], device="cpu")

    def _row(self, item: Item) -> list[int]:
        tokens, place = context_of(item)
        ids: list[int] = []
        for at in (place - 1, place + 1):
            if 0 <= at < len(tokens):
                pairs = zip(self.words, shown(tokens[at]), strict=True)
                ids += [
                    number for vocabulary, word in pairs for number in vocabulary.encode([word])
                ]
            else:
                ids += [START] * len(self.words)
        ids += self.words.lemmata.encode([shown(tokens[place])[1]])
        return [self.words.offsets[kind] + number for kind, number in zip(KINDS, ids, strict=True)]

    def forward(self, ids: Tensor) -> Tensor:
        """Return the vector of each item, (B, `width`)."""
        return self.table(ids).flatten(1)
