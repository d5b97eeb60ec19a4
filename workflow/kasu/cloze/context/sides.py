"""The words before and after one as two sequences of units, such as words or parts of words."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Generic, TypeVar

import torch
from torch import Tensor

from kasu.cloze.context.words import context_of
from kasu.transduction.alphabet import PAD
from kasu.transduction.items import Item, Token

U = TypeVar("U", bound=Hashable)
"""A unit: an id, several ids (as those of form, lemma and features), or anything else."""


@dataclass(frozen=True)
class Sides(Generic[U]):
    """Reads the words before and after one, both from left to right, and never the word itself.

    Attributes:
        read: returns the units of a word.
        first, last: units before the first word of a sentence, and after its last one.
        empty: the units of a side without words.
    """

    read: Callable[[Token], Sequence[U]]
    first: Sequence[U] = ()
    last: Sequence[U] = ()
    empty: Sequence[U] = ()

    def units(self, item: Item) -> tuple[list[U], list[U]]:
        """Return the units before and after the word of an item; a side may have none."""
        tokens, place = context_of(item)
        before, after = (
            [*chain.from_iterable(map(self.read, side))] if side else [*self.empty]
            for side in (tokens[:place], tokens[place + 1 :])
        )
        return [*self.first, *before], [*after, *self.last]

    def ids(self, items: Sequence[Item], parts: int | None = None) -> tuple[Tensor, Tensor]:
        """Return the units of both sides, which are ids: (B, L), with PAD after the end of each.

        Each side has a length of its own, 1 or more.

        Args:
            parts: how many ids a unit has, if it has several: (B, L, parts).
        """
        padding = PAD if parts is None else (PAD,) * parts
        sides = zip(*map(self.units, items), strict=True)
        left, right = (_padded(rows, padding) for rows in sides)
        return left, right


def _padded(rows: Sequence[list], padding: object) -> Tensor:
    longest = max(1, *map(len, rows))
    return torch.tensor([row + [padding] * (longest - len(row)) for row in rows], device="cpu")
