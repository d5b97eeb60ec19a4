"""Symbols numbered for embedding tables, and the character n-grams of a word."""

from collections.abc import Iterable, Mapping, Sequence

UNKNOWN = 0


class Vocabulary:
    """Known symbols, numbered from 1; every other symbol has the number UNKNOWN (0).

    Attributes:
        symbols: the known symbols; `symbols[0]` has the number 1.
    """

    def __init__(self, symbols: Iterable[str]) -> None:
        self.symbols = list(symbols)
        self._numbers = {symbol: number for number, symbol in enumerate(self.symbols, 1)}

    @classmethod
    def most_frequent(cls, counts: Mapping[str, int], size: int) -> "Vocabulary":
        """Keep the `size` most frequent symbols, sorted by frequency, then by code point."""
        return cls(sorted(counts, key=lambda symbol: (-counts[symbol], symbol))[:size])

    def __len__(self) -> int:
        """Return the number of known symbols, plus one for UNKNOWN."""
        return len(self.symbols) + 1

    def number(self, symbol: str) -> int:
        """Return the number of `symbol`, or UNKNOWN."""
        return self._numbers.get(symbol, UNKNOWN)


def character_ngrams(
    spelling: str, lengths: Sequence[int], boundary_markers: bool = False
) -> list[str]:
    """Return the distinct n-grams of code points: shortest first, then by first occurrence.

    Args:
        lengths: length of the shortest and of the longest n-gram.
        boundary_markers: put `⟨` before and `⟩` after the spelling unless it is empty.
    """
    if boundary_markers and spelling:
        spelling = f"⟨{spelling}⟩"
    shortest, longest = lengths
    return list(
        dict.fromkeys(
            spelling[start : start + length]
            for length in range(shortest, longest + 1)
            for start in range(len(spelling) - length + 1)
        )
    )
