"""N-grams: of characters, smoothed after Witten and Bell; and of symbols, with a blank."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import log10

import numpy as np

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
