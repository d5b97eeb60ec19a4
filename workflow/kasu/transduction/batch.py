"""Batches of items as tensors of ids."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from kasu.transduction.alphabet import END, PAD, START, Alphabet
from kasu.transduction.items import Item


@dataclass(frozen=True)
class Batch:
    """Items as ids, with PAD after the end of each row.

    Attributes:
        source: (B, L), with START before the symbols and END (see `make_batch`) after them.
        copied: (B, L), as `source`, but with the ids of foreign symbols.
        tags: (B, T); END for an item without tags.
        target: (B, M), as `source`; None if an item has no target.
        foreign: the foreign symbols of each item (see Alphabet).
        seed: of everything that is drawn for the batch.
    """

    source: Tensor
    copied: Tensor
    tags: Tensor
    target: Tensor | None
    foreign: list[list[str]]
    seed: int

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.source)


def pad(rows: Sequence[Sequence[int]], device: torch.device | str = "cpu") -> Tensor:
    """Pad rows of ids to (B, L), with PAD after the end of each row."""
    tensors = [torch.tensor(row, device="cpu") for row in rows]
    # Moved as a whole: a GPU would take every row apart
    return pad_sequence(tensors, batch_first=True, padding_value=PAD).to(device)


def joined(item: Item, characters: Alphabet, tags: Alphabet, *, tags_first: bool) -> list[int]:
    """Join source and features to one sequence of ids, END last; ids of features follow others."""
    source = characters.encode(item.source)
    features = [len(characters) + each for each in tags.encode(item.tags)]
    return [*features, *source, END] if tags_first else [*source, *features, END]


def make_batch(
    items: Sequence[Item],
    characters: Alphabet,
    tags: Alphabet,
    seed: int = 0,
    device: torch.device | str = "cpu",
    end: int = END,
) -> Batch:
    """Number the symbols of items; `end` is what source and target have as END."""

    def wrapped(symbols: Sequence[str], foreign: Sequence[str] = ()) -> list[int]:
        return [START, *characters.encode(symbols, foreign), end]

    foreign = [characters.foreign(item.source) for item in items]
    targets = [wrapped(item.target) for item in items if item.target is not None]
    copied = [wrapped(item.source, extra) for item, extra in zip(items, foreign, strict=True)]
    return Batch(
        source=pad([wrapped(item.source) for item in items], device),
        copied=pad(copied, device),
        tags=pad([tags.encode(item.tags) or [END] for item in items], device),
        target=pad(targets, device) if len(targets) == len(items) else None,
        foreign=foreign,
        seed=seed,
    )


def as_unknown(ids: Tensor, unknown: Tensor | int, share: float, draw: torch.Generator) -> Tensor:
    """Return ids of which a share, each drawn by itself, is read as unknown symbols.

    Args:
        ids: (…), with PAD where there is nothing.
        unknown: for each id, or for the last of the axes that they are in, that of an unknown one.
    """
    drawn = torch.rand(ids.shape, generator=draw) < share
    return torch.where(drawn.to(ids.device) & (ids != PAD), unknown, ids)
