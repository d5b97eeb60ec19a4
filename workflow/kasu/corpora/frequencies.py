"""How often words stand in text: lists of word counts, and Kasu's own corpora."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from unicodedata import is_normalized, normalize

import pyarrow.parquet as pq

from kasu.base.errors import KasuError
from kasu.corpora.compressed import lines
from kasu.corpora.text import BATCH, words

_APOSTROPHES = str.maketrans("’ʼ", "''")
_CORPUS_SIZE = re.compile(r"#\s*Corpus-Size:\s*(\d+)")
_PER = 1_000_000_000  # Unilex counts a word in so many tokens
# A lower-cased list may have stray capitals, such as İ, which lower-casing splits in two.
_CASED_SHARE = 0.001


@dataclass(frozen=True)
class Frequencies:
    """Counts of the words that were asked for.

    Words are compared in NFC and with one kind of apostrophe, and without case where the list has
    none: what is compared is a word's `key`. Forms with one key share one count.

    Attributes:
        counts: tokens by key; what has no token is not in it.
        cased: whether case is told apart.
        tokens: all tokens, whatever was asked for.
    """

    counts: Mapping[str, int]
    cased: bool
    tokens: int

    def key(self, word: str) -> str:
        """What a word is counted under."""
        return _spelling(word) if self.cased else _spelling(word).lower()


def count_asked(path: str | Path, asked: Iterable[str]) -> Frequencies:
    """Count the words in `asked` in a corpus (a parquet file), or read them from a list."""
    return (count_words if Path(path).suffix == ".parquet" else read_frequencies)(path, asked)


def read_frequencies(path: str | Path, asked: Iterable[str]) -> Frequencies:
    """Read the counts of the words in `asked` from a list, plain or compressed; streaming.

    A line has a word and its count, apart by a blank or by a tab. A list with tabs may have a
    header and comments. Under a comment `# Corpus-Size: N` counts stand for a corpus of 10^9
    tokens (Unilex) and are turned back into tokens. The list is cased if more than one word in a
    thousand has a capital; else it was lower-cased, and case is ignored.

    Raises:
        KasuError: no word, a line without a count, or as `compressed.lines`.
    """
    counter = _Counter(asked)
    for word, count in _entries(path):
        counter.add(word, count)
    if not counter.words:
        raise KasuError(path, "no word", "lines of a word and its count")
    return counter.result(cased=counter.capitals > _CASED_SHARE * counter.words)


def count_words(sentences: str | Path, asked: Iterable[str]) -> Frequencies:
    """Count the words in `asked` in a corpus (kasu.corpora.text: SENTENCES); streaming.

    Words are those of `kasu.corpora.text.words`: a form of several words has no count. Case is
    told apart.

    Raises:
        KasuError: an unreadable corpus.
    """
    counter = _Counter(asked)
    try:
        for batch in pq.ParquetFile(sentences).iter_batches(BATCH, columns=["text"]):
            found = Counter(word for text in batch["text"].to_pylist() for word in words(text))
            for word, count in found.items():
                counter.add(word, count)
    except (OSError, ValueError, KeyError) as error:
        found = f"unreadable parquet ({str(error).splitlines()[0]})"
        raise KasuError(sentences, found, "a corpus with a column text") from error
    return counter.result(cased=True)


class _Counter:
    """Counts with and without case, until it is known which of them hold."""

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
        if header := tabs is None:
            tabs = "\t" in line
        if tabs and line.startswith("#") and "\t" not in line:
            if match := _CORPUS_SIZE.match(line):
                size = int(match[1])
            continue
        word, _, count = line.rstrip().rpartition("\t" if tabs else " ")
        if word.strip() and count.isdecimal():
            yield word.strip(), int(count) if size == _PER else round(int(count) * size / _PER)
        elif not (header and tabs and word.strip()):
            raise KasuError(f"{path}:{number}", f"{line[:40]!r}", "a word and a whole number")
