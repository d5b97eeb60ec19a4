"""What a system is asked and what it answers, in both tasks of CoNLL-SIGMORPHON 2018."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Token(NamedTuple):
    """A word of a sentence as a system sees it; form and lemma are None, tags empty, if hidden."""

    form: str | None
    lemma: str | None
    tags: tuple[str, ...]


class Context(NamedTuple):
    """The sentence in which a word is asked for, and the place of the word in it, from 0."""

    tokens: Sequence[Token]
    place: int


class Item(NamedTuple):
    """A word to transduce. Characters are code points.

    Attributes:
        source: the symbols of the lemma.
        tags: the features, in the order of the data; empty where they are hidden.
        target: the symbols of the form; None where it is asked for.
        context: the sentence it stands in, if it stands in one.
    """

    source: Sequence[str]
    tags: tuple[str, ...]
    target: Sequence[str] | None = None
    context: Context | None = None


class Answer(NamedTuple):
    """The n-best forms for one item, best first, with their scores if the system has any."""

    forms: Sequence[str]
    scores: Sequence[float] = ()


def answer_of(found: Iterable[tuple[str, float]]) -> Answer:
    """Return the answer of forms and scores, best first; a form may occur more than once."""
    scores: dict[str, float] = {}
    for form, score in found:
        scores.setdefault(form, score)
    return Answer([*scores], [*scores.values()])


LANGUAGE = "language:"
"""What the tag of an item's language begins with, where items of several languages are one set."""


def named(item: Item, language: str) -> Item:
    """Return an item whose last tag says which language it is from."""
    return item._replace(tags=(*item.tags, LANGUAGE + language))


def unnamed(item: Item) -> tuple[str, Item]:
    """Return the language that `named` gave an item, and the item without it."""
    return item.tags[-1].removeprefix(LANGUAGE), item._replace(tags=item.tags[:-1])


def read_item(lemma: str, features: str, form: str | None = None) -> Item:
    """Return the item of a triple of lemma, features and form."""
    return Item(lemma, read_tags(features), form)


def read_tags(features: str) -> tuple[str, ...]:
    """Split features at UniMorph's semicolons, without blanks around them."""
    return tuple(filter(None, (feature.strip() for feature in features.split(";"))))
