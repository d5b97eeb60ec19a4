"""Morphological features as vectors."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from kasu.transduction.alphabet import RESERVED, Alphabet
from kasu.transduction.items import Item, Token

ABSENT = 0


def one_hot(symbols: int, silent: int) -> nn.Embedding:
    """Return a fixed table of unit vectors, one for each id; the first `silent` ids have zeros.

    As weights of a network, it can be stacked with those of other alphabets.
    """
    table = torch.eye(symbols)
    table[:silent] = 0
    return nn.Embedding.from_pretrained(table, freeze=True)


class ManyHot(nn.Module):
    """The features of an item as 0 and 1. An unknown feature leaves no trace.

    Args:
        tags: the known features.

    Attributes:
        width: of the vector.
    """

    def __init__(self, tags: Alphabet) -> None:
        super().__init__()
        self.width = len(tags)
        self.table = one_hot(len(tags), RESERVED)

    def forward(self, ids: Tensor) -> Tensor:
        """Return vectors (B, `width`) of features (B, T)."""
        return self.table(ids).amax(1)


class Slots(nn.Module):
    """The features of an item in one vector, in which each known feature has a slot.

    A slot holds the embedding of its feature, or, where an item lacks it, one that all slots share.
    An unknown feature leaves no trace.

    Source: Makarov & Clematide (2018) §4. In the released code, parts of speech share a slot.

    Args:
        tags: the known features.
        size: of a slot.

    Attributes:
        width: of the vector.
    """

    def __init__(self, tags: Alphabet, size: int) -> None:
        super().__init__()
        self.tags = tags
        self.width = len(tags.symbols) * size
        self.table = nn.Embedding(1 + len(tags.symbols), size)

    def ids(self, items: Sequence[Item | Token]) -> Tensor:
        """Return the id in each slot, (B, number of slots)."""
        # ABSENT everywhere
        rows = torch.zeros(len(items), len(self.tags), dtype=torch.long, device="cpu")
        for row, item in zip(rows, items, strict=True):
            ids = torch.tensor(self.tags.encode(item.tags), dtype=torch.long, device="cpu")
            row[ids] = ids - RESERVED + 1
        return rows[:, RESERVED:].to(self.table.weight.device)

    def forward(self, ids: Tensor) -> Tensor:
        """Return vectors (B, `width`)."""
        return self.table(ids).flatten(1)
