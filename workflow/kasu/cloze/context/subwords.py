"""Words as units of one character or more, by byte pair encoding (Sennrich et al. 2016)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from kasu.transduction.alphabet import UNKNOWN, Alphabet

LAST = "\n"
"""Ends the last unit of a word. No form has a line break, so no unit is read two ways."""

Pair = tuple[str, str]


class Subwords:
    """Splits words into units, and numbers those that the words it was learnt from have.

    Args:
        merges: pairs of units that become one, the first ones first.
        alphabet: the known units.
    """

    def __init__(self, merges: Sequence[Pair], alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self._ranks = {pair: rank for rank, pair in enumerate(merges)}
        self._ids: dict[str, list[int]] = {}

    def split(self, word: str) -> list[str]:
        """Return the units of a word, of which the last one ends with LAST."""
        units = _spell(word)
        while known := [pair for pair in pairwise(units) if pair in self._ranks]:
            units = _join(units, min(known, key=self._ranks.__getitem__))
        return units

    def encode(self, form: str | None) -> list[int]:
        """Return the ids of the units of a form; a hidden one is an unknown unit."""
        if not form:
            return [UNKNOWN]
        # Training reads the same words in every epoch
        if form not in self._ids:
            self._ids[form] = self.alphabet.encode(self.split(form))
        return self._ids[form]


def learn_subwords(words: Mapping[str, int], merges: int) -> Subwords:
    """Learn which units to join: time after time the pair that is most frequent.

    Of equally frequent pairs, the one whose symbols come last by code point is joined. Pairs that
    occur once are not. Both are as in the authors' program.

    Args:
        words: how often each word occurs.
        merges: how many pairs become one, at most.
    """
    spelled = {word: _spell(word) for word in words}
    learnt: list[Pair] = []
    while len(learnt) < merges:
        counts: Counter[Pair] = Counter()
        for word, units in spelled.items():
            for pair in pairwise(units):
                counts[pair] += words[word]
        best = max(counts, key=lambda pair: (counts[pair], pair), default=None)
        if best is None or counts[best] < 2:
            break
        learnt.append(best)
        spelled = {word: _join(units, best) for word, units in spelled.items()}
    return Subwords(learnt, Alphabet(unit for units in spelled.values() for unit in units))


def _spell(word: str) -> list[str]:
    return [*word[:-1], word[-1:] + LAST]


def _join(units: Sequence[str], pair: Pair) -> list[str]:
    """Join a pair of units wherever it occurs, from left to right."""
    joined: list[str] = []
    for unit in units:
        if joined and (joined[-1], unit) == pair:
            joined[-1] += unit
        else:
            joined.append(unit)
    return joined
