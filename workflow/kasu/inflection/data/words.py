"""Word counts of the forms of a language; whether a list or corpus is one of that language."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.corpora.paradigms.frequencies import Frequencies, count_asked
from kasu.results.published import rounded

# A list in the language and script of a released language holds 1.1 % (Slovene) to 68 % (Tibetan)
# of its forms; a list of an unrelated language holds at most 0.3 %, one in another script 0.5 %.
# A list of a near relative is not told apart: Swedish holds 8 % of the Danish forms.
LEAST = 0.01
"""The least share of the forms of one word that must occur in a list or corpus."""


@dataclass(frozen=True)
class Matched:
    """The counts of a language's forms in a list or corpus.

    Attributes:
        words: the list or corpus.
        found: how many of the forms of one word occur there.
        asked: how many forms are one word.
    """

    words: str | Path
    counted: Frequencies
    found: int
    asked: int

    @property
    def enough(self) -> bool:
        """Whether this can be a list of the language."""
        return 0 < self.found >= LEAST * self.asked

    @property
    def share(self) -> str:
        """The share of the language's forms that the list holds, in words."""
        share = rounded(self.found / max(self.asked, 1), 2, percent=True)
        return f"{self.found:,} of {self.asked:,} forms of one word ({share} %)"

    @property
    def expected(self) -> str:
        """The share of forms that a list of the language should hold, in words."""
        return f"{rounded(LEAST, 0, percent=True)} % or more, as in a list of the same language"

    def counts(self, forms: Collection[str]) -> Mapping[str, int]:
        """Return the tokens of each form."""
        return {form: self.counted.counts.get(self.counted.key(form), 0) for form in forms}


def match_words(words: str | Path, forms: Collection[str], code: str = "") -> Matched:
    """Count forms in a list of word counts or a corpus, whether or not it fits.

    Args:
        code: the code of their language, for upper and lower case.

    Raises:
        KasuError: the list or corpus is unreadable.
    """
    counted = count_asked(words, forms, code)
    # No list holds forms of several words
    single = [form for form in forms if " " not in form]
    found = sum(counted.key(form) in counted.counts for form in single)
    return Matched(words, counted, found, len(single))


def count_forms(
    words: str | Path, forms: Collection[str], language: str, code: str = ""
) -> Frequencies:
    """Count forms in a list or corpus of their language; `language` names it in errors.

    Raises:
        KasuError: as `match_words`, or it holds fewer than LEAST of the forms.
    """
    matched = match_words(words, forms, code)
    if not matched.enough:
        raise KasuError(words, f"{language}: {matched.share}", matched.expected)
    return matched.counted
