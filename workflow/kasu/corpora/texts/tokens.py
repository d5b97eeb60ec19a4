"""Words and punctuation marks of a text, as in the released segmented file (BL2MP-3)."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log1p

# Words with a hyphen and numbers with a point stay whole in the released file
TOKEN = re.compile(r"\w+(?:[-'’]\w+|(?<=\d)[.,:]\d\w*)*|\.{2,}|[^\w\s]")


def tokenise(text: str) -> list[str]:
    """Split a text into words and marks where the released segmented file has blanks."""
    return TOKEN.findall(text)


def mean_frequency(words: Sequence[str], counts: Counter[str]) -> float:
    """Return the mean over words of the logarithm of their count and one; 0 without a word."""
    return sum(log1p(counts[word]) for word in words) / max(len(words), 1)
