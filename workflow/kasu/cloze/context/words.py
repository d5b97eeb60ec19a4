"""The words of sentences as symbols: forms, lemmata and features, each with a vocabulary."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kasu.transduction.alphabet import Alphabet
from kasu.transduction.items import Context, Item, Token

HIDDEN = "_"
"""The symbol of a hidden form, lemma or features."""


class Words(NamedTuple):
    """The vocabularies of a training set; all features of a word are one symbol."""

    forms: Alphabet
    lemmata: Alphabet
    features: Alphabet

    @property
    def offsets(self) -> tuple[int, int, int]:
        """The first id of each vocabulary in a table of all three."""
        return 0, len(self.forms), len(self.forms) + len(self.lemmata)

    @property
    def size(self) -> int:
        """The number of ids in a table of all three."""
        return sum(map(len, self))

    def encode(self, tokens: Sequence[Token]) -> list[tuple[int, ...]]:
        """Return the ids of form, lemma and features of each token in a table of all three."""
        columns = zip(*map(shown, tokens), strict=True)
        numbered = (
            [offset + number for number in vocabulary.encode(column)]
            for vocabulary, offset, column in zip(self, self.offsets, columns, strict=False)
        )
        return list(zip(*numbered, strict=True))


def shown(token: Token) -> tuple[str, str, str]:
    """Return form, lemma and features of a token, with HIDDEN for what is not shown."""
    return token.form or HIDDEN, token.lemma or HIDDEN, ";".join(token.tags) or HIDDEN


def read_words(items: Sequence[Item], *, hidden: bool = True) -> Words:
    """Collect the words of all sentences of training items.

    Args:
        hidden: what is hidden is a symbol like others; else it is unknown.
    """
    known = {*map(shown, tokens_of(items))}
    columns = zip((HIDDEN,) * 3, *known, strict=True)
    left_out = set() if hidden else {HIDDEN}
    return Words(*(Alphabet({*column} - left_out) for column in columns))


def tokens_of(items: Iterable[Item]) -> list[Token]:
    """Return the words of the sentences of items, each sentence once."""
    # Items of one sentence share its tokens
    sentences = {id(tokens := context_of(item).tokens): tokens for item in items}
    return [token for tokens in sentences.values() for token in tokens]


def context_of(item: Item) -> Context:
    """Return the sentence of an item, or its lemma alone if there is none."""
    return item.context or Context([Token(None, "".join(item.source), item.tags)], 0)
