"""Align strings symbol by symbol with a Chinese-restaurant-process model of symbol pairs.

Every column of an alignment is a pair of symbols, one of which may be empty. A pair is as probable
as it is frequent in all alignments, so alignments that repeat one another prevail. Each alignment
is sampled anew as a whole, given all others (Gibbs sampling).

Source: Sorokin (2018), after the aligner of the SIGMORPHON 2016 baseline (Cotterell et al. 2016).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import TypeVar

import numpy as np

from kasu.transduction.alignments.edit_distance import Columns, Pairs, common_subsequence

EMPTY = 0

Path = list[tuple[int, int]]
"""An alignment column by column, with symbols as numbers."""

PAIR, DELETION, INSERTION = range(3)
TIE = 1e-9  # shares closer than this are equal but for rounding

N = TypeVar("N", float, Decimal)
"""The kind of number that a trellis holds."""


def align_by_crp(
    pairs: Sequence[tuple[str, str]],
    *,
    prior: float = 0.1,
    passes: int = 5,
    seed: int,
    start: Callable[[str, str], Pairs] = common_subsequence,
    endings: bool = False,
    further: Sequence[tuple[str, str]] = (),
) -> list[Columns]:
    """Align each source with its target, helped by all others.

    After the last pass, each pair gets its most probable alignment.

    Args:
        prior: added to the count of every pair of symbols.
        passes: how often each alignment is sampled.
        start: returns the places that meet in a pair before sampling, those of a common
            subsequence.
        endings: a symbol in the ending of a target counts as another one than elsewhere. The ending
            is what follows the last equal symbols that meet before sampling, all if none do.
        further: pairs that are aligned in the end, and help no others.

    Returns:
        The columns of `pairs`, then those of `further`.
    """
    rng = np.random.default_rng(seed)
    every = [*pairs, *further]
    symbols = [None, *sorted({symbol for pair in every for word in pair for symbol in word})]
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    # Symbols become numbers; 0 is EMPTY
    words = [[[numbers[symbol] for symbol in word] for word in pair] for pair in every]
    first = [_first_alignment(*pair, start) for pair in every]
    if endings:
        for (_, target), columns in zip(words, first, strict=True):
            # A second set of numbers, after all others
            ending = _ending(columns)
            target[ending:] = [len(symbols) + number for number in target[ending:]]
    paths = [
        _path([(upper is not None, lower is not None) for upper, lower in columns], *pair)
        for columns, pair in zip(first[: len(pairs)], words, strict=False)
    ]
    model = _PairModel(len(symbols) * (1 + endings), prior)
    for path in paths:
        model.add(path)
    for _ in range(passes):
        for place in rng.permutation(len(pairs)):
            source, target = words[place]
            # The counts of all other alignments are the model of this one
            model.remove(paths[place])
            draws = iter(rng.random(len(source) + len(target)).tolist())
            paths[place] = model.align(source, target, draws.__next__)
            model.add(paths[place])
    # Without draws: the most probable alignment of each pair
    best = [model.align(source, target) for source, target in words]
    return [
        [(symbols[upper], symbols[lower % len(symbols)]) for upper, lower in path] for path in best
    ]


def _first_alignment(source: str, target: str, start: Callable[[str, str], Pairs]) -> Columns:
    """Align a common subsequence, and what lies between from left to right."""
    columns: Columns = []
    i = j = 0
    for next_i, next_j in start(source, target):
        columns += zip_longest(source[i:next_i], target[j:next_j])
        columns.append((source[next_i], target[next_j]))
        i, j = next_i + 1, next_j + 1
    return [*columns, *zip_longest(source[i:], target[j:])]


def _ending(columns: Columns) -> int:
    """Return where the ending of the target begins, after the last column of equal symbols."""
    equal = [place for place, (upper, lower) in enumerate(columns, 1) if upper == lower]
    return sum(lower is not None for _, lower in columns[: max(equal, default=0)])


def _path(
    columns: Iterable[tuple[bool, bool]], source: Iterable[int], target: Iterable[int]
) -> Path:
    """Return the alignment in which columns have or lack a symbol of the source, the target."""
    uppers, lowers = iter(source), iter(target)
    return [
        (next(uppers) if upper else EMPTY, next(lowers) if lower else EMPTY)
        for upper, lower in columns
    ]


class _PairModel:
    """Counts of pairs of symbols in the present alignments."""

    def __init__(self, symbols: int, prior: float) -> None:
        self._counts = [[0] * symbols for _ in range(symbols)]
        self._prior = prior
        self._columns = self._distinct = 0

    def add(self, path: Path) -> None:
        for upper, lower in path:
            self._distinct += self._counts[upper][lower] == 0
            self._counts[upper][lower] += 1
        self._columns += len(path)

    def remove(self, path: Path) -> None:
        for upper, lower in path:
            self._counts[upper][lower] -= 1
            self._distinct -= self._counts[upper][lower] == 0
        self._columns -= len(path)

    def align(
        self,
        source: Sequence[int],
        target: Sequence[int],
        draw: Callable[[], float] | None = None,
    ) -> Path:
        """Return one alignment of a pair.

        Args:
            draw: gives numbers between 0 and 1 to sample by; without it, the most probable
                alignment is found.
        """
        lifts = self._lifts(source, target)
        trellis = _trellis(lifts, len(target), 1.0, best=draw is None)
        # The last cell is the largest. If it overflows, decimal numbers are slow, but have room
        if trellis[-1][-1] < math.inf:
            steps = _trace(trellis, lifts, draw)
        else:
            exact = [[Decimal(lift) for lift in row] for row in lifts]
            steps = _trace(_trellis(exact, len(target), Decimal(1), best=draw is None), exact, draw)
        columns = ((step != INSERTION, step != DELETION) for step in steps)
        return _path(columns, source, target)

    def _lifts(self, source: Sequence[int], target: Sequence[int]) -> list[list[float]]:
        """Return how many times likelier a pair is than a deletion with an insertion, (L, M)."""
        prior = self._prior
        # With the prior, a pair has probability (count + prior) / whole
        whole = self._columns + max(self._distinct, 1) * prior
        insertions = [whole / (self._counts[EMPTY][lower] + prior) for lower in target]
        rows = [self._counts[upper] for upper in source]
        return [
            [
                (counts[lower] + prior) / (counts[EMPTY] + prior) * insertion
                for lower, insertion in zip(target, insertions, strict=True)
            ]
            for counts in rows
        ]


def _trellis(lifts: list[list[N]], width: int, one: N, *, best: bool) -> list[list[N]]:
    """Return each prefix pair's probability, relative to deleting and inserting it whole.

    In these units a deletion or an insertion costs nothing, and a pair multiplies by its lift.

    Args:
        lifts: (L, M).
        width: M; without a source, `lifts` is empty and does not tell.
        one: 1, as the kind of number to calculate with.
        best: take the most probable alignment of the prefixes, not the sum over all.

    Returns:
        (L + 1, M + 1).
    """
    above = [one] * (width + 1)
    trellis = [above]
    for row in lifts:
        left, cells = one, [one]
        for up, corner, lift in zip(above[1:], above, row, strict=False):
            paired = corner * lift
            left = max(left, up, paired) if best else left + up + paired
            cells.append(left)
        trellis.append(cells)
        above = cells
    return trellis


def _trace(
    trellis: list[list[N]], lifts: list[list[N]], draw: Callable[[], float] | None
) -> list[int]:
    """Draw the steps of an alignment, from the last cell back.

    Each is drawn in proportion to its probability or, without `draw`, is the first of the most
    probable but for rounding.
    """
    i: int = len(trellis) - 1
    j: int = len(trellis[0]) - 1
    steps: list[int] = []
    while i and j:
        above, row = trellis[i - 1], trellis[i]
        # The shares of the three ways into the cell; insertion has the rest
        pair = float(above[j - 1] * lifts[i - 1][j - 1] / row[j])
        deletion = float(above[j] / row[j])
        if draw is None:
            step = PAIR if pair >= 1 - TIE else DELETION if deletion >= 1 - TIE else INSERTION
        else:
            drawn = draw()
            step = PAIR if drawn < pair else DELETION if drawn - pair < deletion else INSERTION
        steps.append(step)
        i, j = i - (step != INSERTION), j - (step != DELETION)
    # At an edge, one side is used up: the rest is inserted or deleted
    return [*[INSERTION] * j, *[DELETION] * i, *reversed(steps)]
