"""Edit distance and relatives, with the alignments that they imply. Symbols are code points."""

from collections.abc import Callable, Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

Pairs = list[tuple[int, int]]
"""Positions in source and target that belong together, in rising order."""

Columns = list[tuple[str | None, str | None]]
"""An alignment, column by column: a symbol of the source over one of the target. None is a gap;
no column has two."""


def suffix_costs(source: Sequence[str], target: Sequence[str]) -> list[list[int]]:
    """Return the number of edits from source[i:] to target[j:] for all i and j, (L + 1, M + 1).

    An edit deletes or inserts a symbol. Copying is free; a substitution is two edits.
    """
    m = len(target)
    backwards = target[::-1]
    below = list(range(m, -1, -1))  # the source is used up: insert the rest
    costs = [below]
    # Upwards row by row, each from right to left
    for symbol in reversed(source):
        diagonal = below[m]
        right = diagonal + 1  # the target is used up: delete the rest
        row = [right]
        for other, down in zip(backwards, below[-2::-1], strict=True):
            # Where both begin with the same symbol, no edit is better than a copy
            right = diagonal if other == symbol else 1 + (right if right < down else down)
            row.append(right)
            diagonal = down
        row.reverse()
        costs.append(row)
        below = row
    costs.reverse()
    return costs


def common_subsequence(source: Sequence[str], target: Sequence[str]) -> Pairs:
    """Return the places of a longest common subsequence in both.

    If skipping a symbol of either side is as good, one of the target is skipped.
    """
    # Forwards: match where both agree, else skip on the side with fewer edits left
    costs = suffix_costs(source, target)
    pairs: Pairs = []
    i = j = 0
    while i < len(source) and j < len(target):
        if source[i] == target[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif costs[i][j + 1] <= costs[i + 1][j]:
            j += 1
        else:
            i += 1
    return pairs


def common_substring(source: Sequence[str], target: Sequence[str]) -> tuple[int, int, int]:
    """Return where a longest common substring starts in source and target, and its length.

    Of several, the first to end in the source, then in the target, is taken.
    """
    best = (0, 0, 0)
    above = [0] * len(target)  # length of the common substring that ends in (i - 1, j)
    for i, symbol in enumerate(source):
        diagonal, row = 0, []
        for j, (other, up) in enumerate(zip(target, above, strict=True)):
            length = diagonal + 1 if other == symbol else 0
            if length > best[2]:
                best = (i - length + 1, j - length + 1, length)
            row.append(length)
            diagonal = up
        above = row
    return best


def warp(source: Sequence[str], target: Sequence[str]) -> Pairs:
    """Align every symbol of either side with one or more of the other by dynamic time warping.

    A pair of unequal symbols costs 1. The path is traced from the end and prefers the diagonal.
    It is empty if one side is.

    Source: Dumitrescu & Boroș (2018) Figure 1.
    """
    if not source or not target:
        return []
    # (L + 1, M + 1): the cost of the cheapest path to each pair, with an edge of rising costs
    costs = [list(range(len(target) + 1))]
    for i, symbol in enumerate(source, start=1):
        above, left = costs[-1], i
        row = [left]
        for other, diagonal, up in zip(target, above, above[1:], strict=False):
            left = min(diagonal, up, left) + (other != symbol)
            row.append(left)
        costs.append(row)
    # Back from the end; ties prefer the diagonal, then a step along the target
    i, j = len(source), len(target)
    path = [(i - 1, j - 1)]
    while i > 1 or j > 1:
        diagonal, up, left = costs[i - 1][j - 1], costs[i - 1][j], costs[i][j - 1]
        if i > 1 and j > 1 and diagonal <= min(up, left):
            i, j = i - 1, j - 1
        elif j == 1 or (i > 1 and up < left):
            i -= 1
        else:
            j -= 1
        path.append((i - 1, j - 1))
    return path[::-1]


def levenshtein(
    source: Sequence[str], target: Sequence[str], alike: Callable[[str, str], bool]
) -> Columns:
    """Align by the fewest edits: insertions, deletions and substitutions by what is not alike.

    The path is traced from the end; of equally good steps it takes the diagonal, then that along
    the target.
    """
    # (L + 1, M + 1): the number of edits from the start to each pair of places
    costs = [list(range(len(target) + 1))]
    for i, symbol in enumerate(source, start=1):
        above, left = costs[-1], i
        row = [left]
        for other, diagonal, up in zip(target, above, above[1:], strict=False):
            left = min(diagonal + (not alike(symbol, other)), up + 1, left + 1)
            row.append(left)
        costs.append(row)
    columns: Columns = []
    i, j = len(source), len(target)
    while i or j:
        cost = costs[i][j]
        if i and j and cost == costs[i - 1][j - 1] + (not alike(source[i - 1], target[j - 1])):
            i, j = i - 1, j - 1
            columns.append((source[i], target[j]))
        elif j and cost == costs[i][j - 1] + 1:
            j -= 1
            columns.append((None, target[j]))
        else:
            i -= 1
            columns.append((source[i], None))
    return columns[::-1]


def distances(gold: Sequence[str], guesses: Sequence[str]) -> np.ndarray:
    """Return the Levenshtein distance of each pair in code points, at unit costs, (items,)."""
    if not len(gold):
        return np.zeros(0, np.int32)
    return cpdist(gold, guesses, scorer=Levenshtein.distance, dtype=np.int32, workers=1)
