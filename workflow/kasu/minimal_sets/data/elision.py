"""Words that lose their vowel before another: *ne* and *n'est*."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from kasu.corpora.texts.spelling import folded
from kasu.corpora.treebanks.treebank import Sentence, Token
from kasu.lm.scoring.items import MASK

ELISION = "another form would change the spelling of the word before it"
# Not a quotation mark, which stands after a blank
_ELIDED = re.compile(r"[^\W\d_]['\N{RIGHT SINGLE QUOTATION MARK}]\Z")


def is_elided(text: str) -> bool:
    """Return whether a text ends in an elided word, as *c'*."""
    return bool(_ELIDED.search(text))


def takes_elision(form: str) -> bool:
    """Return whether a form begins with a Latin vowel or h, before which words are elided."""
    return unicodedata.normalize("NFD", form.lower())[:1] in set("aeiouœæh")


def breaks_elision(masked: str, forms: Iterable[str]) -> bool:
    """Return whether the word before the mask is elided, and not before all forms: *c'sont*.

    Of h, mute or not, the spelling does not tell.
    """
    return is_elided(masked.partition(MASK)[0]) and len(set(map(takes_elision, forms))) > 1


class Elision:
    """The words of some sentences that are elided before most vowels.

    Args:
        language: its code, for upper and lower case.
    """

    def __init__(self, sentences: Iterable[Sentence], language: str) -> None:
        self._language = language
        counts: Counter[tuple[str, str]] = Counter()
        for sentence in sentences:
            for word, following in pairwise(sentence.words):
                if takes_elision(following.form):
                    counts[self._stem(word)] += 1 if is_elided(word.form) else -1
        self._elided = {word for word, count in counts.items() if count > 0}

    def needed(self, before: Token, right: str, wrong: str) -> bool:
        """Return whether a word would be elided before the wrong form alone: *ne est*."""
        changes = takes_elision(wrong) and not takes_elision(right)
        return changes and self._stem(before) in self._elided

    def _stem(self, word: Token) -> tuple[str, str]:
        """Return what a word shares with its elided form, as *ne* and *n'*: *n*, and the lemma."""
        return folded(word.form, self._language)[:-1], word.lemma
