"""Word frequencies, from lists of counts or from Kasu's own corpora."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from unicodedata import is_normalized, normalize

from kasu.base.errors import KasuError
from kasu.base.tables import ParquetReader
from kasu.corpora.compressed import lines
from kasu.corpora.text import BATCH, words

_APOSTROPHES = str.maketrans("’ʼ", "''")
_CORPUS_SIZE = re.compile(r"#\s*Corpus-Size:\s*([0-9]+)")
_PER = 1_000_000_000  # Unilex scales its counts to a corpus of this many tokens
_COUNT = re.compile("[0-9]{1,18}")
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
    """

    counts: Mapping[str, int]
    cased: bool
    tokens: int

    def key(self, word: str) -> str:
        """The key that a word counts under."""
        return _spelling(word) if self.cased else _spelling(word).lower()


def count_asked(path: str | Path, asked: Iterable[str]) -> Frequencies:
    """Count the words in `asked` in a corpus (a parquet file), or read them from a list."""
    return (count_words if Path(path).suffix == ".parquet" else read_frequencies)(path, asked)


def read_frequencies(path: str | Path, asked: Iterable[str]) -> Frequencies:
    """Stream the counts of the words in `asked` from a list, plain or compressed.

    A line holds a word and its count, separated by a space or a tab; other lines that begin with
    `#` are comments. A list with tabs may have a header. After a comment `# Corpus-Size: N`, counts
    are scaled to a corpus of 10^9 tokens (Unilex) and are converted back to tokens. The list is
    cased if more than one word in a thousand has a capital; otherwise it was lower-cased, and case
    is ignored.

    Raises:
        KasuError: the list has no word, a line has no count, or as `compressed.lines`.
    """
    counter = _Counter(asked)
    for word, count in _entries(path):
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

    def __init__(self, asked: Iterable[str]) -> None:
        self.cased = dict.fromkeys(map(_spelling, asked), 0)
        self.lower = dict.fromkeys(map(str.lower, self.cased), 0)
        self.words = self.capitals = self.tokens = 0

    def add(self, word: str, count: int) -> None:
        word = _spelling(word)
        lower = word.lower()
        self.words += 1
        self.capitals += word != lower
        self.tokens += count
        if word in self.cased:
            self.cased[word] += count
        if lower in self.lower:
            self.lower[lower] += count

    def result(self, cased: bool) -> Frequencies:
        counts = self.cased if cased else self.lower
        return Frequencies({k: n for k, n in counts.items() if n}, cased, self.tokens)


def _spelling(word: str) -> str:
    if word.isascii():
        return word
    return (word if is_normalized("NFC", word) else normalize("NFC", word)).translate(_APOSTROPHES)


def _entries(path: str | Path) -> Iterator[tuple[str, int]]:
    tabs, size = None, _PER
    for number, line in lines(path):
        if not line.strip():
            continue
        if line.startswith("#") and "\t" not in line:
            if match := _CORPUS_SIZE.match(line):
                if not _COUNT.fullmatch(match[1]) or not int(match[1]):
                    expected = "a size above 0, at most 18 digits"
                    raise KasuError(f"{path}:{number}", f"{line[:40]!r}", expected)
                size = int(match[1])
                continue
            # In a list with blanks, `# 12` is the count of a word
            if tabs or not _COUNT.fullmatch(line.split()[-1]):
                continue
        if header := tabs is None:
            tabs = "\t" in line
        word, _, count = line.rstrip().rpartition("\t" if tabs else " ")
        if word.strip() and _COUNT.fullmatch(count):
            yield word.strip(), int(count) if size == _PER else round(int(count) * size / _PER)
        elif not (header and tabs and word.strip()):
            raise KasuError(f"{path}:{number}", f"{line[:40]!r}", "a word and a whole number")
