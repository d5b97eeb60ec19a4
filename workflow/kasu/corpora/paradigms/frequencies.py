"""Word frequencies, from lists of counts or from Kasu's own corpora."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.corpora.paradigms.word_lists import entries
from kasu.corpora.texts.sentences import BATCH, words
from kasu.corpora.texts.spelling import canonical, lower, lower_case
from kasu.files.tables import ParquetReader

_APOSTROPHES = str.maketrans("’ʼ", "''")
# A lower-cased list may keep stray capitals, such as İ, whose lower case is two characters
_CASED_SHARE = 0.001


@dataclass(frozen=True)
class Frequencies:
    """Counts of the requested words.

    Words count under their `key`: in NFC, with one kind of apostrophe, and in lower case if the
    list has no case. Forms with the same key share one count.

    Attributes:
        counts: tokens by key; words without tokens are left out.
        cased: whether case counts.
        tokens: all tokens, also of words not requested.
        language: a code of the language, for upper and lower case.
    """

    counts: Mapping[str, int]
    cased: bool
    tokens: int
    language: str = ""

    def key(self, word: str) -> str:
        """Return the key that a word counts under."""
        return _spelling(word) if self.cased else lower(_spelling(word), self.language)


def count_asked(path: str | Path, asked: Iterable[str], language: str = "") -> Frequencies:
    """Count the words in `asked` in a corpus (a parquet file), or read them from a list.

    Args:
        language: as in `read_frequencies`.
    """
    if Path(path).suffix == ".parquet":
        return count_words(path, asked)
    return read_frequencies(path, asked, language)


def read_frequencies(path: str | Path, asked: Iterable[str], language: str = "") -> Frequencies:
    """Stream the counts of the words in `asked` from a list, plain or compressed.

    The list is cased if more than one word in a thousand has a capital; otherwise it was
    lower-cased, and case is ignored.

    Args:
        language: a code of the language, for upper and lower case.

    Raises:
        KasuError: the list has no word, or as `word_lists.entries`.
    """
    counter = _Counter(asked, language)
    counter.add(entries(path))
    if not counter.words:
        raise KasuError(path, "no word", "lines of a word and its count")
    return counter.result(cased=counter.capitals > _CASED_SHARE * counter.words)


def count_words(sentences: str | Path, asked: Iterable[str]) -> Frequencies:
    """Count the words in `asked` in a corpus (a table of SENTENCES), as a stream.

    Words are those of `words` (kasu.corpora.texts.sentences), so a form of several words has no
    count. Case counts.

    Raises:
        KasuError: the corpus is unreadable.
    """
    counter = _Counter(asked)
    for batch in ParquetReader(sentences).batches(BATCH, ["text"]):
        tokens = Counter(word for text in batch["text"].to_pylist() for word in words(text))
        counter.add(tokens.items())
    return counter.result(cased=True)


class _Counter:
    """Counts with and without case, until the whole list tells which to use."""

    def __init__(self, asked: Iterable[str], language: str = "") -> None:
        self.language, self._lower = language, lower_case(language)
        self.cased = dict.fromkeys(map(_spelling, asked), 0)
        self.lower = dict.fromkeys(map(self._lower, self.cased), 0)
        self.words = self.capitals = self.tokens = 0

    def add(self, counted: Iterable[tuple[str, int]]) -> None:
        # Local names, as a list has millions of words
        cased, lower, lower_case = self.cased, self.lower, self._lower
        words = capitals = tokens = 0
        for word, count in counted:
            if not word.isascii():
                word = _spelling(word)
            small = lower_case(word)
            words += 1
            capitals += word != small
            tokens += count
            if word in cased:
                cased[word] += count
            if small in lower:
                lower[small] += count
        self.words += words
        self.capitals += capitals
        self.tokens += tokens

    def result(self, cased: bool) -> Frequencies:
        counts = self.cased if cased else self.lower
        return Frequencies(
            {k: n for k, n in counts.items() if n}, cased, self.tokens, self.language
        )


def _spelling(word: str) -> str:
    return canonical(word).translate(_APOSTROPHES)
