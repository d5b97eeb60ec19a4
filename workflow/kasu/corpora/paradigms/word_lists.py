"""Lists of word counts: which of their columns hold words and counts, and what their lines say.

A line has a word and its count in either order, perhaps with a running number or a rank: `etxe 50`,
`50 etxe` (uniq -c), `7 etxe 50`, and, in older lists of the Leipzig corpora, the word twice. Tabs,
commas or semicolons (CSV) separate columns, or blanks. Line 1 may name columns, but not with
blanks; a list of more columns must name word and count (SUBTLEX).
"""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, pairwise
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.corpora.texts.compressed import lines

PER = 1_000_000_000
"""Unilex scales its counts to a corpus of this many tokens."""
TELLING = 1000
"""As many lines at a time are asked for the columns, until one of them has a word."""
MANY = 10
"""Lines in which a second count does not rise all the time, as a running number does."""
_CORPUS_SIZE = re.compile(r"#\s*Corpus-Size:\s*([0-9]+)")
_COUNT = re.compile("[0-9]{1,18}")
_GROUPS = re.compile(r"\D [0-9]{1,3}( [0-9]{3})+$")
_NUMBER = re.compile(r"[-+]?\d.*")
_WORDS = {"word", "wordform", "form", "token", "type", "spelling"}
_COUNTS = {"count", "counts", "freqcount", "frequency", "freq", "occurrences", "tokens"}
_EXPECTED = "a word and a whole number"

Row = Sequence[str]
Line = tuple[int, str, int]
"""A line: its number, its text, and the size of the corpus that its count is scaled to."""
Entry = Callable[[str], tuple[str, str]]
"""The word and the count of a line, a text; empty texts if it has other columns. In its place a
text: word and count are the columns, and this separates them."""


def entries(path: str | Path) -> Iterator[tuple[str, int]]:
    """Stream the words of a list with their counts.

    Empty lines are skipped, and comments: lines that begin with `#` and have neither a tab nor a
    count. After a comment `# Corpus-Size: N` counts are scaled to PER tokens (Unilex); they are
    converted back to tokens.

    Raises:
        KasuError: a line has not the columns of the others, nothing tells which column is the
            count, or as `compressed.lines`.
    """
    read = _lines(path)
    head = list(islice(read, TELLING))
    if not head:
        return
    separator = _separator([line for _, line, _ in head])
    names = _names(_split(head[0][1], separator)) if separator != " " else []
    entry = _named(names, separator) if names else None
    head = head[bool(names) :]
    if not entry and head:
        entry = _tell(path, head, separator)
        if not entry:
            entry = _tell_further(path, read, separator)
            read, head = islice(_lines(path), bool(names), None), []
    for number, line, size in chain(head, read):
        if isinstance(entry, str):
            # No call, as most lists are long and of this kind
            word, _, count = line.rpartition(entry)
            word = word.rstrip()
        else:
            word, count = entry(line) if entry else ("", "")
        if not word or "\t" in word or not _COUNT.fullmatch(count):
            raise _misfit(path, number, line)
        yield word, int(count) if size == PER else round(int(count) * size / PER)


def _misfit(path: str | Path, number: int, line: str) -> KasuError:
    return KasuError(f"{path}:{number}", f"{line[:40]!r}", _EXPECTED)


def _lines(path: str | Path) -> Iterator[Line]:
    """Return the lines that are no comments, and the corpus size that counts are scaled to."""
    tabs, size = None, PER
    for number, line in lines(path):
        if not (line := line.strip()):
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
        if tabs is None:
            tabs = "\t" in line
        yield number, line, size


def _separator(sample: Sequence[str]) -> str:
    if "\t" in sample[0]:
        return "\t"
    for separator in ",;":
        rows = [_split(line, separator) for line in sample]
        # R numbers lines in a column without a name; in other lists a comma may be the word
        full = all(rows[0]) or _WORDS.intersection(_names(rows[0]))
        if len(rows[0]) > 1 and full and len({len(row) for row in rows}) == 1:
            return separator
    return " "


def _split(line: str, separator: str) -> list[str]:
    if separator == "\t":
        return [cell.strip() for cell in line.split("\t")]
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator))]


def _names(row: Row) -> list[str]:
    """Return the names of columns, in letters alone, if a row is a header: it has no number."""
    if any(map(_NUMBER.fullmatch, row)):
        return []
    return [re.sub("[^a-z]", "", cell.lower()) for cell in row]


def _named(names: Sequence[str], separator: str) -> Entry | str | None:
    """Return how to read a list whose header names one column of words and one of counts."""
    words, counts = (
        [at for at, name in enumerate(names) if name in known] for known in (_WORDS, _COUNTS)
    )
    if len(words) != 1 or len(counts) != 1:
        return None
    return _reader(separator, len(names), words[0], counts[0], ())


def _reader(
    separator: str, width: int, word: int, count: int, numbers: Sequence[int]
) -> Entry | str:
    if (separator, width, word, count) == ("\t", 2, 0, 1):
        return separator
    return partial(_entry, separator, width, word, count, numbers)


def _entry(
    separator: str, width: int, word: int, count: int, numbers: Sequence[int], line: str
) -> tuple[str, str]:
    row = _split(line, separator)
    if len(row) != width or not all(_COUNT.fullmatch(row[at]) for at in numbers):
        return "", ""
    return row[word], row[count]


def _tell(path: str | Path, sample: Sequence[Line], separator: str) -> Entry | str | None:
    """Return how to read a list; None if the sample holds only numbers.

    Raises:
        KasuError: a line has other columns, or several may be the count.
    """
    return (_tell_blanks if separator == " " else _tell_columns)(path, sample, separator)


def _tell_further(path: str | Path, read: Iterator[Line], separator: str) -> Entry | str:
    while sample := list(islice(read, TELLING)):
        if entry := _tell(path, sample, separator):
            return entry
    expected = "words that are no numbers, or a header that names word and count"
    raise KasuError(path, "numbers in all columns", expected)


def _tell_columns(path: str | Path, sample: Sequence[Line], separator: str) -> Entry | str | None:
    rows = [_split(line, separator) for _, line, _ in sample]
    width = len(rows[0])
    # Number, word, word, count
    twice = {2} if width == 4 and all(row[1:2] == row[2:3] for row in rows) else set()
    numbers = set(range(width)) - twice
    for (number, line, _), row in zip(sample, rows, strict=True):
        numbers = {at for at in numbers if at < len(row) and _COUNT.fullmatch(row[at])}
        if len(row) != width or not numbers or width - len(twice) - len(numbers) > 1:
            raise _misfit(path, number, line)
    words = {*range(width)} - twice - numbers
    if not words:
        return None
    (word,) = words
    count = _count_column(path, {at: [int(row[at]) for row in rows] for at in sorted(numbers)})
    return _reader(separator, width, word, count, sorted(numbers))


def _tell_blanks(path: str | Path, sample: Sequence[Line], separator: str) -> Entry | str | None:
    """Return how to read a list with blanks.

    Words may have blanks, so columns of numbers are those that all lines have before or after it.

    Raises:
        KasuError: as `_tell`; all lines have further words (a part of speech), or counts are
            written in groups of three digits.
    """
    lines = [line for _, line, _ in sample]
    rows = [line.split() for line in lines]
    before = after = max(map(len, rows))
    told = False
    for (number, line, _), row in zip(sample, rows, strict=True):
        words = [at for at, cell in enumerate(row) if not _COUNT.fullmatch(cell)]
        if words:
            told = True
            before, after = min(before, words[0]), min(after, len(row) - words[-1] - 1)
            if not before + after:
                raise _misfit(path, number, line)
    if not told:
        return None
    widths = {len(row) - before - after for row in rows}
    grouped = after and max(len(row[-1]) for row in rows) == 3 and any(map(_GROUPS.search, lines))
    if grouped or (len(rows) > 1 and min(widths) > 1):
        raise _misfit(path, *sample[0][:2])
    if (before, after) == (0, 1):
        return " "
    columns = {
        at: [int(row[at]) for row in rows if len(row) > before + after]
        for at in (*range(before), *range(-after, 0))
    }
    return partial(_entry_between, before, after, _count_column(path, columns))


def _entry_between(before: int, after: int, count: int, line: str) -> tuple[str, str]:
    row = line.split()
    end = len(row) - after
    if end <= before or not all(map(_COUNT.fullmatch, (*row[:before], *row[end:]))):
        return "", ""
    return " ".join(row[before:end]), row[count]


def _count_column(path: str | Path, columns: dict[int, list[int]]) -> int:
    """Return the column of counts among columns of numbers: others are running numbers or ranks.

    Raises:
        KasuError: several may be the count.
    """
    falling = {at for at, values in columns.items() if any(x > y for x, y in pairwise(values))}
    running = {
        at
        for at, values in columns.items()
        if values[0] in (0, 1) and all(y == x + 1 for x, y in pairwise(values))
    }
    counts = falling or columns.keys() - running
    if len(counts) == 1 and all(_numbers_lines(columns[at]) for at in columns.keys() - counts):
        return next(iter(counts))
    found = f"{len(columns)} columns of numbers, and several may be the count"
    raise KasuError(
        path, found, "one beside a running number, or a header that names word and count"
    )


def _numbers_lines(values: Sequence[int]) -> bool:
    """Return whether values that never fall are running numbers or ranks, or repeat over lines."""
    steps = {y - x for x, y in pairwise(values)}
    ranks = values[0] in (0, 1) and all(rank <= at for at, rank in enumerate(values, 1))
    return ranks or steps <= {1} or (len(values) >= MANY and min(steps) > 0)
