"""The order in which Python 2.7 iterates over a set or dictionary.

Among equally good rules, the official baseline takes the first in the order of a Python 2.7
dictionary. That order follows from the hashes of the rules and the history of the table. The
published figures depend on it (731, 1,189 and 813 test items at low, medium and high), so it is
rebuilt here for a 64-bit CPython 2.7 with four-byte characters and no hash randomisation. Nothing
else should use it.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

Pair = tuple[str, str]

_WORD = (1 << 64) - 1
_FACTOR = 1_000_003
_SMALLEST = 8  # slots
_LARGE = 50_000  # keys; above this a table grows to twice its keys, below to four times


def _signed(x: int) -> int:
    x &= _WORD
    x -= (x >> 63) << 64
    return -2 if x == -1 else x  # -1 signals an error in C


@lru_cache(1 << 18)  # most sides occur in many rules
def string_hash(text: str) -> int:
    """Return the hash of a unicode string, a signed 64-bit number."""
    if not text:
        return 0
    # CPython 2.7's unicode_hash: multiply, mix in, finish with the length
    x = ord(text[0]) << 7
    for character in text:
        x = (_FACTOR * x & _WORD) ^ ord(character)
    return _signed(x ^ len(text))


def pair_hash(pair: Pair) -> int:
    """Return the hash of a tuple of two strings, a signed 64-bit number."""
    # CPython 2.7's tuplehash: the multiplier grows with each element
    x = 0x345678
    x = (x ^ string_hash(pair[0])) * _FACTOR
    x = (x ^ string_hash(pair[1])) * (_FACTOR + 82_520 + 2) + 97_531
    return _signed(x)


class Python2Table:
    """The keys of a Python 2.7 set or dictionary of pairs, which share one layout.

    Iterates in the order of the slots. Keys can be added but not removed.
    """

    def __init__(self, keys: Iterable[Pair] = ()) -> None:
        self._hashes: dict[Pair, int] = {}
        self._slots: list[Pair | None] = [None] * _SMALLEST
        for key in keys:
            self.add(key)

    def add(self, key: Pair) -> None:
        """Add a key unless the table has it."""
        if key in self._hashes:
            return
        self._hashes[key] = pair_hash(key)
        self._put(key)
        used = len(self._hashes)
        # Grow at two thirds full
        if 3 * used >= 2 * len(self._slots):
            self._rebuild(used * (2 if used > _LARGE else 4))

    def _put(self, key: Pair) -> None:
        # Open addressing: probe slots until one is free, mixing in more bits of the hash each time
        slots, mask = self._slots, len(self._slots) - 1
        place = self._hashes[key]
        perturb = place & _WORD
        while slots[place & mask] is not None:
            place = 5 * place + perturb + 1
            perturb >>= 5
        slots[place & mask] = key

    def _rebuild(self, wanted: int) -> None:
        before = list(self)  # keys move in slot order, so the old layout shapes the new one
        self._slots = [None] * max(_SMALLEST, 1 << wanted.bit_length())
        for key in before:
            self._put(key)

    def __contains__(self, key: Pair) -> bool:
        return key in self._hashes

    def __iter__(self) -> Iterator[Pair]:
        return (key for key in self._slots if key is not None)

    def __len__(self) -> int:
        return len(self._hashes)
