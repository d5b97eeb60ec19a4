"""What a system is asked and what it answers, in both tasks of CoNLL-SIGMORPHON 2018."""

from collections.abc import Sequence
from typing import NamedTuple


class Item(NamedTuple):
    """A word to transduce. Characters are code points.

    Attributes:
        source: the symbols of the lemma.
        tags: the features, in the order of the data.
        target: the symbols of the form; None where it is asked for.
    """

    source: Sequence[str]
    tags: tuple[str, ...]
    target: Sequence[str] | None = None


class Answer(NamedTuple):
    """The n-best forms for one item, best first, with their scores if the system has any."""

    forms: Sequence[str]
    scores: Sequence[float] = ()


def read_item(lemma: str, features: str, form: str | None = None) -> Item:
    """The item of a triple, whose features are separated by semicolons as in UniMorph."""
    return Item(lemma, tuple(filter(None, features.split(";"))), form)
