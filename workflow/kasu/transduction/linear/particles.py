"""Particles: words that stand beside the main word of a form and come with its features."""

from collections import Counter, defaultdict
from collections.abc import Sequence, Set

from kasu.transduction.alignments.edit_distance import common_subsequence
from kasu.transduction.items import Item

Tags = tuple[str, ...]


class Particles:
    """What stands before and after the main word of a form: *lavar* has *me* in *me he lavado*.

    The main word has the longest subsequence in common with the lemma; of equals it is the first.
    A lemma with a space has no particles.

    Args:
        train: items to learn from. The same features have their most frequent particles, other
            features those of the features that share the most with them; of equals the first.
    """

    def __init__(self, train: Sequence[Item]) -> None:
        counts: dict[Tags, Counter[tuple[str, str]]] = defaultdict(Counter)
        for item in train:
            if " " not in item.source:
                before, _, after = split(item)
                counts[item.tags][before, after] += 1
        self._usual = {tags: found.most_common(1)[0][0] for tags, found in counts.items()}

    def cut(self, item: Item) -> Item:
        """Return an item whose form is its main word."""
        return item if " " in item.source else item._replace(target=split(item)[1])

    def put_back(self, item: Item, form: str) -> str:
        """Return a form of an item with the particles of its features."""
        if " " in item.source or not self._usual:
            return form
        tags = item.tags
        if tags not in self._usual:
            tags = max(self._usual, key=lambda known: overlap(set(known), set(tags)))
        before, after = self._usual[tags]
        return before + form + after


def split(item: Item) -> tuple[str, str, str]:
    """Return what stands before the main word of a form, the word, and what stands after it."""
    words = "".join(item.target or "").split(" ")
    main = max(
        range(len(words)), key=lambda place: len(common_subsequence(item.source, words[place]))
    )
    before, after = words[:main], words[main + 1 :]
    return (
        "".join(word + " " for word in before),
        words[main],
        "".join(" " + word for word in after),
    )


def overlap(one: Set[str], other: Set[str]) -> float:
    """Return the share of common tags among all tags (Jaccard)."""
    return len(one & other) / max(len(one | other), 1)
