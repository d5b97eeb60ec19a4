"""Forms by the paradigms of a training set, each of which is a class, for a classifier to choose.

Source: the team AX Semantics (2018) §2.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kasu.transduction.alignments.paradigms import abstract, apart
from kasu.transduction.items import Item

if TYPE_CHECKING:
    import numpy as np

TRIED = 50  # paradigms, until one fits


class Generator:
    """The paradigms of a training set, and which way of several to fit one was right.

    Attributes:
        paradigms: the most frequent first; their places are the classes.
        classes: the class of each item, (items,).
    """

    def __init__(self, train: Sequence[Item]) -> None:
        found = []
        self._right: dict[tuple[int, ...], Counter[tuple[int, ...]]] = defaultdict(Counter)
        for item in train:
            lemma, form = "".join(item.source), "".join(item.target or "")
            paradigm = abstract(lemma, form, apart)
            found.append(paradigm)
            ways = [*paradigm.fill(lemma)]
            if len(ways) > 1:
                sizes, places = index([values for values, _ in ways])
                self._right[sizes].update(
                    place for place, (_, made) in zip(places, ways, strict=True) if made == form
                )
        self.paradigms = [paradigm for paradigm, _ in Counter(found).most_common()]
        numbers = {paradigm: number for number, paradigm in enumerate(self.paradigms)}
        self.classes = [numbers[paradigm] for paradigm in found]

    def inflect(self, item: Item, scores: "np.ndarray") -> str:
        """Inflect by the paradigm of the highest score that fits; of ties, the more frequent.

        Where none of the best TRIED fits, the lemma is the answer.

        Args:
            scores: (paradigms,).
        """
        lemma = "".join(item.source)
        for number in (-scores).argsort(kind="stable")[:TRIED]:
            if ways := [*self.paradigms[number].fill(lemma)]:
                return self._usual(ways) if len(ways) > 1 else ways[0][1]
        return lemma

    def _usual(self, ways: Sequence[tuple[tuple[str, ...], str]]) -> str:
        """Return the form by the way that was right most often in training; else by the first."""
        sizes, places = index([values for values, _ in ways])
        counts = self._right.get(sizes, Counter())
        best = max(range(len(ways)), key=lambda way: counts[places[way]])
        return ways[best][1]


def index(ways: Sequence[tuple[str, ...]]) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """Return how many values each variable has, and each way as the places of its values.

    The values of a variable are sorted by length, then by code points.
    """
    values = [
        sorted(set(column), key=lambda each: (len(each), each))
        for column in zip(*ways, strict=True)
    ]
    places = [{value: place for place, value in enumerate(column)} for column in values]
    return (
        tuple(map(len, values)),
        [tuple(map(dict.__getitem__, places, way)) for way in ways],
    )
