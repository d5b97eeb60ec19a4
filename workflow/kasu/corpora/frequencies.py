"""Word frequencies, from lists of counts or from Kasu's own corpora."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.base.tables import ParquetReader
from kasu.corpora.spelling import canonical, lower
from kasu.corpora.text import BATCH, words
from kasu.corpora.word_lists import entries

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
        """The key that a word counts under."""
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
    for word, count in entries(path):
        counter.add(word, count)
    if not counter.words:
        raise KasuError(path, "no word", "lines of a word and its count")
    return counter.result(cased=counter.capitals > _CASED_SHARE * counter.words)


def count_words(sentences: str | Path, asked: Iterable[str]) -> Frequencies:
    """Count the words in `asked` in a corpus (`SENTENCES` of kasu.corpora.text), streaming it.

    Words are those of `kasu.corpora.text.words`, so a form of several words has no count. Case
    counts.

    Raises:
        KasuError: the corpus is unreadable.
    """
    counter = _Counter(asked)
    for batch in ParquetReader(sentences).batches(BATCH, ["text"]):
        tokens = Counter(word for text in batch["text"].to_pylist() for word in words(text))
        for word, count in tokens.items():
            counter.add(word, count)
    return counter.result(cased=True)


class _Counter:
    """Counts with and without case, until the whole list tells which to use."""

    def __init__(self, asked: Iterable[str], language: str = "") -> None:
        self.language = language
        self.cased = dict.fromkeys(map(_spelling, asked), 0)
        self.lower = dict.fromkeys((lower(word, language) for word in self.cased), 0)
        self.words = self.capitals = self.tokens = 0

    def add(self, word: str, count: int) -> None:
        word = _spelling(word)
        small = lower(word, self.language)
        self.words += 1
        self.capitals += word != small
        self.tokens += count
        if word in self.cased:
            self.cased[word] += count
        if small in self.lower:
            self.lower[small] += count

    def result(self, cased: bool) -> Frequencies:
        counts = self.cased if cased else self.lower
        return Frequencies(
            {k: n for k, n in counts.items() if n}, cased, self.tokens, self.language
        )


def _spelling(word: str) -> str:
    if word.isascii():
        return word
    return canonical(word).translate(_APOSTROPHES)
