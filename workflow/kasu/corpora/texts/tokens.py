"""Words and punctuation marks of a text, as in the released segmented file (BL2MP-3)."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log1p

import regex

from kasu.corpora.texts.sentences import UNSPACED

# Vowel signs, accents and joiners belong to the letter before them. Letters of scripts without
# blanks between words are words of their own, as `sentences.words` counts them
_MARK = r"[\p{M}\u200c\u200d]"
_LETTER = rf"[[\w\p{{N}}\u200c\u200d]--{UNSPACED}]"


def _shape(letter: str, sign: str) -> str:
    """Words with a hyphen and numbers with a point stay whole in the released file."""
    return rf"{letter}+(?:[-'’]{letter}+|(?<=\d)[.,:]\d{letter}*)*|\.{{2,}}|{sign}"


_TOKEN = regex.compile(rf"(?V1)(?!{_MARK})" + _shape(_LETTER, rf"\S{_MARK}*"))
# In a text of these characters (Latin, Greek and Cyrillic letters without marks of their own, and
# usual punctuation) `re` finds the same tokens in half the time
_PLAIN = re.compile("[\t\n\r -\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u203e]*")
_PLAIN_TOKEN = re.compile(_shape(r"\w", r"[^\w\s]"))
_ALPHABETIC = regex.compile(rf"(?:\p{{L}}{_MARK}*)+")


def tokenise(text: str) -> list[str]:
    """Split a text into words and marks where the released segmented file has blanks."""
    return (_PLAIN_TOKEN if _PLAIN.fullmatch(text) else _TOKEN).findall(text)


def is_alphabetic(word: str) -> bool:
    """Return whether a word is letters with their vowel signs and accents alone."""
    return word.isalpha() or _ALPHABETIC.fullmatch(word) is not None


def mean_frequency(words: Sequence[str], counts: Counter[str]) -> float:
    """Return the mean over words of the logarithm of their count and one; 0 without a word."""
    return sum(log1p(counts[word]) for word in words) / max(len(words), 1)
