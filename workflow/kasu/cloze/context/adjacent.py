"""The words next to one as a vector of embeddings (Cotterell et al. 2018 §4.2)."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from kasu.cloze.context.words import Words, context_of, shown
from kasu.transduction.alphabet import START, UNKNOWN
from kasu.transduction.items import Item

FORM, LEMMA, FEATURES = range(3)
"""The places of the vocabularies among Words."""

PARTS = (
    (-1, FORM), (-1, LEMMA), (-1, FEATURES), (1, FORM), (1, LEMMA), (1, FEATURES), (0, LEMMA),
)  # fmt: skip
"""What the neural baseline reads."""


class AdjacentWords(nn.Module):
    """Embeddings of what is read of the words around one, in one vector.

    Args:
        words: the known words.
        size: width of an embedding.
        parts: what is read, in its order: how many words further a word stands, and whether its
            form, lemma or features are read.
        ends: the symbols read before the first word of a sentence and after the last one.

    Attributes:
        width: width of the vector.
        unknown: (P), the id of an unknown form, lemma or features for each part.
    """

    unknown: Tensor

    def __init__(
        self,
        words: Words,
        size: int,
        parts: Sequence[tuple[int, int]] = PARTS,
        ends: tuple[int, int] = (START, START),
    ) -> None:
        super().__init__()
        self.words, self.parts, self.ends = words, parts, ends
        self.width = len(parts) * size
        self.table = nn.Embedding(words.size, size, sparse=True)
        unknown = torch.tensor([words.offsets[kind] + UNKNOWN for _, kind in parts])
        self.register_buffer("unknown", unknown, persistent=False)

    def ids(self, items: Sequence[Item]) -> Tensor:
        """Return the ids of the parts read of each item, (B, P)."""
        return torch.tensor([self._row(item) for item in items], device="cpu")

    def _row(self, item: Item) -> list[int]:
        tokens, place = context_of(item)
        ids = []
        for step, kind in self.parts:
            number = self.ends[step > 0]
            if 0 <= place + step < len(tokens):
                (number,) = self.words[kind].encode([shown(tokens[place + step])[kind]])
            ids.append(self.words.offsets[kind] + number)
        return ids

    def forward(self, ids: Tensor) -> Tensor:
        """Return the vector of each item, (B, `width`)."""
        return self.table(ids).flatten(1)
