"""N-grams of symbols."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np


class Blanks:
    """Which symbols fill the blank of an n-gram, of up to `order` symbols with the blank.

    Source: Schröder et al. (2018) §4.2, Table 5.

    Attributes:
        counts: by the symbols before and after a blank, how often each symbol is there.
    """

    def __init__(self, order: int) -> None:
        self.order = order
        self.counts = defaultdict[tuple[tuple[str, ...], tuple[str, ...]], Counter[str]](Counter)

    def fit(self, words: Iterable[Sequence[str]]) -> "Blanks":
        """Count the n-grams of words with a blank in each place; return this model."""
        for word in words:
            for place, symbol in enumerate(word):
                for before, after in self._windows(word[:place], word[place + 1 :]):
                    self.counts[before, after][symbol] += 1
        return self

    def shares(self, left: Sequence[str], right: Sequence[str]) -> dict[str, float]:
        """Return how likely symbols are between others, by the longest n-gram that is known.

        Of several, the leftmost counts. Without any, as in a model of no words, none is likely.
        """
        known = (self.counts[each] for each in self._windows(left, right) if each in self.counts)
        found = next(known, Counter[str]())
        return {symbol: found[symbol] / found.total() for symbol in sorted(found)}

    def draw(self, left: Sequence[str], right: Sequence[str], draw: np.random.Generator) -> str:
        """Draw a symbol by these shares; the words of the model had one symbol or more."""
        shares = self.shares(left, right)
        return str(draw.choice([*shares], p=[*shares.values()]))

    def _windows(
        self, left: Sequence[str], right: Sequence[str]
    ) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Yield what is around a blank in windows, longest first, then from left to right."""
        for others in reversed(range(self.order)):
            for after in range(others + 1):
                before = others - after
                if before <= len(left) and after <= len(right):
                    yield tuple(left[len(left) - before :]), tuple(right[:after])
