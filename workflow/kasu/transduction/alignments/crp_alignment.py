"""Align strings symbol by symbol with a Chinese-restaurant-process model of symbol pairs.

Every column of an alignment is a pair of symbols, one of which may be empty. A pair is as probable
as it is frequent in all alignments, so alignments that repeat one another prevail. Each alignment
is sampled anew as a whole, given all others (Gibbs sampling).

Source: Sorokin (2018), after the aligner of the SIGMORPHON 2016 baseline (Cotterell et al. 2016).
"""

import math
from collections.abc import Callable, Sequence
from itertools import zip_longest

import numpy as np

from kasu.transduction.alignments.edit_distance import Columns, common_subsequence

EMPTY = 0

Path = list[tuple[int, int]]
"""An alignment column by column, with symbols as numbers."""

PAIR, DELETION, INSERTION = range(3)
TIE = 1e-9  # log weights closer than this are equal but for rounding

Choose = Callable[[float, tuple[float, float, float]], int]
"""From a cell of the trellis and the log weights of PAIR, DELETION and INSERTION, the ways into it,
to one of the three."""


def align_by_crp(
    pairs: Sequence[tuple[str, str]], *, prior: float = 0.1, passes: int = 5, seed: int
) -> list[Columns]:
    """Align each source with its target, helped by all others.

    Sampling starts from longest common subsequences. After the last pass, each pair gets its most
    probable alignment.

    Args:
        prior: added to the count of every pair of symbols.
        passes: how often each alignment is sampled.
    """
    rng = np.random.default_rng(seed)
    symbols = [None, *sorted({symbol for pair in pairs for word in pair for symbol in word})]
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    words = [[[numbers[symbol] for symbol in word] for word in pair] for pair in pairs]
    paths = [
        [(numbers[upper], numbers[lower]) for upper, lower in _first_alignment(*pair)]
        for pair in pairs
    ]
    model = _PairModel(len(symbols), prior)
    for path in paths:
        model.add(path)
    for _ in range(passes):
        for place in rng.permutation(len(pairs)):
            source, target = words[place]
            model.remove(paths[place])
            draws = iter(rng.random(len(source) + len(target)).tolist())
            paths[place] = model.align(source, target, np.logaddexp, _sampler(draws.__next__))
            model.add(paths[place])
    best = [model.align(source, target, np.maximum, _most_probable) for source, target in words]
    return [[(symbols[upper], symbols[lower]) for upper, lower in path] for path in best]


def _first_alignment(source: str, target: str) -> Columns:
    """Symbols in common above each other; what lies between is aligned from left to right."""
    columns: Columns = []
    i = j = 0
    for next_i, next_j in common_subsequence(source, target):
        columns += zip_longest(source[i:next_i], target[j:next_j])
        columns.append((source[next_i], target[next_j]))
        i, j = next_i + 1, next_j + 1
    return [*columns, *zip_longest(source[i:], target[j:])]


def _most_probable(cell: float, weights: tuple[float, float, float]) -> int:
    """The first way whose weight is the highest but for rounding."""
    return next(step for step in range(3) if weights[step] >= cell - TIE)


def _sampler(draw: Callable[[], float]) -> Choose:
    """Choose a way in proportion to its probability; `draw` gives numbers between 0 and 1."""

    def choose(cell: float, weights: tuple[float, float, float]) -> int:
        left = draw() - math.exp(weights[PAIR] - cell)
        if left < 0:
            return PAIR
        return DELETION if left < math.exp(weights[DELETION] - cell) else INSERTION

    return choose


class _PairModel:
    """Counts of pairs of symbols in the present alignments."""

    def __init__(self, symbols: int, prior: float) -> None:
        self._counts = np.zeros((symbols, symbols))
        self._prior = prior
        self._columns = self._distinct = 0

    def add(self, path: Path) -> None:
        for pair in path:
            self._distinct += self._counts[pair] == 0
            self._counts[pair] += 1
        self._columns += len(path)

    def remove(self, path: Path) -> None:
        for pair in path:
            self._counts[pair] -= 1
            self._distinct -= self._counts[pair] == 0
        self._columns -= len(path)

    def align(
        self, source: Sequence[int], target: Sequence[int], add: np.ufunc, choose: Choose
    ) -> Path:
        """One alignment.

        Args:
            add: joins the log probabilities of two ways to a cell: `logaddexp` or `maximum`.
            choose: picks the way back from a cell.
        """
        upper, lower = [EMPTY, *source], [EMPTY, *target]
        # (L + 1, M + 1); row 0 are insertions, column 0 deletions
        logs = np.log(self._counts[upper][:, lower] + self._prior)
        logs -= math.log(self._columns + max(self._distinct, 1) * self._prior)
        trellis, steps = _trellis(logs, add).tolist(), logs.tolist()
        i, j = len(source), len(target)
        path: Path = []
        while i or j:
            if not i:
                step = INSERTION
            elif not j:
                step = DELETION
            else:
                here, above = trellis[i], trellis[i - 1]
                ways = above[j - 1] + steps[i][j], above[j] + steps[i][0], here[j - 1] + steps[0][j]
                step = choose(here[j], ways)
            path.append((upper[i] * (step != INSERTION), lower[j] * (step != DELETION)))
            i, j = i - (step != INSERTION), j - (step != DELETION)
        return path[::-1]


def _trellis(logs: np.ndarray, add: np.ufunc) -> np.ndarray:
    """Log probability of each pair of prefixes, over all their alignments; (L + 1, M + 1)."""
    trellis = np.empty_like(logs)
    inserted = logs[0].copy()
    inserted[0] = 0.0
    inserted = np.cumsum(inserted)
    trellis[0] = inserted
    for above, row, step in zip(trellis, trellis[1:], logs[1:], strict=False):
        # Into each cell from the row above: by a deletion or a pair
        np.add(above, step[0], out=row)
        add(row[1:], above[:-1] + step[1:], out=row[1:])
        # Then along the row. Without its insertions up to a cell, a way through it costs nothing
        row -= inserted
        add.accumulate(row, out=row)
        row += inserted
    return trellis
