"""Systems whose vocabulary head was never trained, judged by their scores (GEO-17)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kasu.lm.scoring.untrained import untrained_differences, untrained_head
from kasu.minimal_sets.evaluation.cells import Cell, Cells, Key


class Head(NamedTuple):
    """A system whose scores at one level and under one variant come from the same head."""

    variant: str
    level: str
    system: str

    @classmethod
    def of(cls, key: Key) -> "Head":
        """The head behind the scores of a cell."""
        return cls(key.variant, key.level, key.system)


def untrained_heads(cells: Cells) -> dict[Head, bool]:
    """Whether each head looks randomly initialised, over all sets that it scored.

    Heads that cannot be judged are missing: the vocabulary is unknown, or there are too few texts.
    """
    scored: dict[Head, list[Cell]] = {}
    for key, cell in cells.items():
        scored.setdefault(Head.of(key), []).append(cell)
    judged = {head: _is_untrained(members) for head, members in scored.items()}
    return {head: untrained for head, untrained in judged.items() if untrained is not None}


def _is_untrained(cells: Sequence[Cell]) -> bool | None:
    vocabulary = cells[0].vocabulary
    if vocabulary is None:
        return None
    scores = np.concatenate([cell.scores.ravel() for cell in cells]).tolist()
    tokens = np.concatenate([cell.units["token"].ravel() for cell in cells])
    if not np.isnan(tokens).any():
        return untrained_head(scores, vocabulary, tokens.tolist())
    if all((cell.units["word"] == 1).all() for cell in cells):
        return untrained_head(scores, vocabulary)
    # Nobody knows how many tokens a sentence has. The forms of an item share the rest of it, so
    # their scores differ by what the forms alone cost
    differences = [
        np.delete(row - row[right], right)
        for cell in cells
        for row, right in zip(cell.scores, cell.right, strict=True)
    ]
    return untrained_differences(np.concatenate(differences).tolist(), vocabulary)
