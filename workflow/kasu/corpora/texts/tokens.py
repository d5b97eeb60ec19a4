"""Words and punctuation marks of a text, as in the released segmented file (BL2MP-3)."""

from collections import Counter
from collections.abc import Sequence
from math import log1p

import regex

from kasu.corpora.texts.sentences import UNSPACED

# Vowel signs, accents and joiners belong to the letter before them. Letters of scripts without
# blanks between words are words of their own, as `sentences.words` counts them
_MARK = r"[\p{M}\u200c\u200d]"
_LETTER = rf"[[\w\p{{N}}\u200c\u200d]--{UNSPACED}]"
# Words with a hyphen and numbers with a point stay whole in the released file
TOKEN = regex.compile(
    rf"(?V1)(?!{_MARK}){_LETTER}+(?:[-'’]{_LETTER}+|(?<=\d)[.,:]\d{_LETTER}*)*"
    rf"|\.{{2,}}|\S{_MARK}*"
)
_ALPHABETIC = regex.compile(rf"(?:\p{{L}}{_MARK}*)+")


def tokenise(text: str) -> list[str]:
    """Split a text into words and marks where the released segmented file has blanks."""
    return TOKEN.findall(text)


def is_alphabetic(word: str) -> bool:
    """Return whether a word is letters with their vowel signs and accents alone."""
    return word.isalpha() or _ALPHABETIC.fullmatch(word) is not None


def mean_frequency(words: Sequence[str], counts: Counter[str]) -> float:
    """Return the mean over words of the logarithm of their count and one; 0 without a word."""
    return sum(log1p(counts[word]) for word in words) / max(len(words), 1)
