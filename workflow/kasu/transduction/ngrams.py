"""Character n-grams, smoothed after Witten and Bell."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from math import log10

START, END = "\x02", "\x03"
"""What stands before and after each word."""


class NGrams:
    """A model of the characters of words.

    A history h that is followed n(h) times, by d(h) distinct symbols, gives the symbol c

        p(c | h) = (n(hc) + d(h) p(c | h')) / (n(h) + d(h))

    where h' lacks the first symbol of h. Without a history, p(c | h') is uniform over the symbols
    of the words and END. A symbol of no word has the probability of one that the history lacks.

    Source: Witten & Bell (1991), method C.
    """

    def __init__(self, order: int, words: Iterable[str]) -> None:
        """Count the n-grams of words.

        Args:
            order: the length of the longest n-grams, at least 1.
        """
        self.order = order
        self._counts = defaultdict[str, Counter[str]](Counter)
        for word in words:
            symbols = START + word + END
            for place in range(1, len(symbols)):
                for length in range(min(order, place + 1)):
                    self._counts[symbols[place - length : place]][symbols[place]] += 1
        self.symbols = sorted(self._counts[""] or {END: 0})
        # The beam asks for the same few histories again and again
        self.log10 = cache(self._log10)

    def probability(self, history: str, symbol: str) -> float:
        """Return the probability of a symbol, or END, after the beginning of a word."""
        return self._smoothed((START + history)[max(len(history) + 2 - self.order, 0) :], symbol)

    def _log10(self, history: str, symbol: str) -> float:
        """Return the logarithm to base 10 of `probability`."""
        return log10(self.probability(history, symbol))

    def _smoothed(self, history: str, symbol: str) -> float:
        shorter = self._smoothed(history[1:], symbol) if history else 1 / len(self.symbols)
        counts = self._counts.get(history)
        if not counts:
            return shorter
        return (counts[symbol] + len(counts) * shorter) / (counts.total() + len(counts))
