"""Morphological features as vectors."""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor, nn

from kasu.transduction.items import Item

ABSENT = 0


class Slots(nn.Module):
    """The features of an item in one vector, in which each feature of training has a slot.

    A slot holds the embedding of its feature, or, where an item lacks it, one that all slots share.
    The first tag, the part of speech, has a table and a slot of its own. A feature that training
    never saw leaves no trace.

    Source: Makarov & Clematide (2018) §4; the part of speech as in the released code.

    Args:
        tags: of all training items.
        width: of a slot.
    """

    def __init__(self, tags: Iterable[tuple[str, ...]], width: int) -> None:
        super().__init__()
        tags = list(tags)
        features = sorted({tag for each in tags for tag in each[1:]})
        parts = sorted({part for each in tags for part in each[:1]})
        self._features = {tag: number for number, tag in enumerate(features, 1)}
        self._parts = {part: number for number, part in enumerate(parts, 1 + len(features))}
        self.table = nn.Embedding(1 + len(features) + len(parts), width)
        self.width = (1 + len(features)) * width

    def known(self, item: Item) -> bool:
        """Whether training saw all features of an item."""
        return set(item.tags[:1]) <= set(self._parts) and set(item.tags[1:]) <= set(self._features)

    def forward(self, items: Sequence[Item]) -> Tensor:
        """Vectors (B, `width`)."""
        rows = []
        for item in items:
            part = next((self._parts.get(tag, ABSENT) for tag in item.tags[:1]), ABSENT)
            seen = set(item.tags[1:])
            numbers = self._features.items()
            rows.append([part, *(number if tag in seen else ABSENT for tag, number in numbers)])
        return self.table(torch.tensor(rows)).flatten(1)
