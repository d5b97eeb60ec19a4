"""Symbols numbered for embedding tables and output layers."""

from collections.abc import Iterable, Sequence

from kasu.transduction.items import Item

PAD, START, END, UNKNOWN = range(4)
RESERVED = 4
"""The first ids have no symbol: padding, start and end of a sequence, an unknown symbol."""


class Alphabet:
    """Known symbols, numbered by code point from RESERVED.

    A symbol that the alphabet lacks is UNKNOWN. To be copied, such *foreign* symbols of an item get
    ids of their own from `len(alphabet)`, in order of first occurrence.
    """

    def __init__(self, symbols: Iterable[str]) -> None:
        self.symbols = sorted(set(symbols))
        self._ids = {symbol: number for number, symbol in enumerate(self.symbols, RESERVED)}

    def __len__(self) -> int:
        """Return the number of ids, reserved ones included."""
        return RESERVED + len(self.symbols)

    def encode(self, symbols: Iterable[str], foreign: Sequence[str] = ()) -> list[int]:
        """Return the ids of symbols."""
        beyond = {symbol: number for number, symbol in enumerate(foreign, len(self))}
        return [self._ids.get(symbol, beyond.get(symbol, UNKNOWN)) for symbol in symbols]

    def foreign(self, symbols: Iterable[str]) -> list[str]:
        """Return the distinct symbols that the alphabet lacks, in order of first occurrence."""
        return [symbol for symbol in dict.fromkeys(symbols) if symbol not in self._ids]

    def decode(self, ids: Iterable[int], foreign: Sequence[str] = ()) -> list[str]:
        """Return the symbols of ids; reserved ones have none."""
        known = len(self)
        return [
            self.symbols[number - RESERVED] if number < known else foreign[number - known]
            for number in ids
            if number >= RESERVED
        ]

    def requeue(self, ids: Iterable[int], source: Iterable[str]) -> list[str]:
        """Return the symbols of ids, each UNKNOWN as the next symbol of the source that is foreign.

        Where the source has no more of them, UNKNOWN has no symbol.

        Source: Fam & Lepage (2018 §5.1).
        """
        queue = iter([symbol for symbol in source if symbol not in self._ids])
        found = ([next(queue, "")] if each == UNKNOWN else self.decode([each]) for each in ids)
        return [symbol for symbols in found for symbol in symbols if symbol]


def alphabets(items: Sequence[Item]) -> tuple[Alphabet, Alphabet]:
    """Return the characters of training items, of source and target alike, and their tags."""
    words = (word for item in items for word in (item.source, item.target or ""))
    characters = Alphabet(symbol for word in words for symbol in word)
    return characters, Alphabet(tag for item in items for tag in item.tags)
