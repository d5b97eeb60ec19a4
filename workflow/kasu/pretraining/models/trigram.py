"""Nulls for minimal pairs: a word trigram of the same text, the shorter and the longer sentence.

The trigram uses interpolated Kneser-Ney smoothing (Kneser & Ney 1995; one discount per order, Ney,
Essen & Kneser 1994), the usual choice for little text. It scores sentences from left to right: a
pseudo-log-likelihood would need a sum over the vocabulary at each word.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from kasu.base.errors import KasuError
from kasu.files.tables import ParquetReader, read_parquet, write_parquet
from kasu.job.run import Progress
from kasu.lm.pretraining.texts import read_texts
from kasu.pretraining.data.tokens import tokenise

NULL_SCORES = pa.schema(
    [
        ("item_id", pa.string()),
        ("column", pa.string()),
        ("definition", pa.string()),
        ("log_probability", pa.float64()),
        ("tokens", pa.int32()),
        ("unknown", pa.int32()),
    ]
)
"""The columns of `kasu.lm.scoring.score.SCORES` that the evaluation of pairs reads."""
TRIGRAM = "trigram"
LENGTHS = {"fewer_characters": -1.0, "more_characters": 1.0}
"""Null -> the log probability that it gives a sentence for each character."""
_UNKNOWN, _BEGIN, _END = 0, 1, 2
_BITS = 21  # per word: a trigram fits in 63


class Trigram:
    """An interpolated Kneser-Ney model of word trigrams.

    Memory: 8 bytes per word of the text, about 40 per distinct trigram, and the words once.

    Args:
        sentences: tokens of each; iterated over twice, so a generator will not do.
        rare: words seen less often than this count as unknown.

    Raises:
        KasuError: the text is empty, or has more words than 21 bits can number.
    """

    def __init__(self, sentences: Iterable[Sequence[str]], rare: int = 2) -> None:
        counts: Counter[str] = Counter()
        ends = 0
        for sentence in sentences:
            counts.update(sentence)
            ends += 1
        if not counts:
            raise KasuError("trigram", "no word in the text", "a text")
        known = sorted(word for word, count in counts.items() if count >= rare)
        if len(known) >= 2**_BITS - 3:
            raise KasuError("trigram", f"{len(known)} words", f"fewer than {2**_BITS - 3}")
        self.numbers = {word: number for number, word in enumerate(known, 3)}
        self.vocabulary = len(known) + 2  # the unknown word and the end, never the beginning
        keys = np.fromiter(
            (key for sentence in sentences for key in self.keys(sentence)),
            np.int64,
            counts.total() + ends,
        )
        # Trigrams, then bigrams and words: the last 42 and 21 bits of a key
        self.orders = [_Order(*np.unique(keys, return_counts=True))]
        for bits in (2 * _BITS, _BITS):
            # Kneser-Ney: a lower order counts the contexts of a word, not its occurrences
            lower = self.orders[-1].keys & ((1 << bits) - 1)
            self.orders.append(_Order(*np.unique(lower, return_counts=True)))

    def encode(self, sentence: Sequence[str]) -> list[int]:
        """Return the number of each word, _UNKNOWN for an unknown one."""
        return [self.numbers.get(word, _UNKNOWN) for word in sentence]

    def keys(self, sentence: Sequence[str]) -> Iterator[int]:
        """Yield the trigrams of a sentence and its end, each packed into 63 bits."""
        first, second = _BEGIN, _BEGIN
        for word in (*self.encode(sentence), _END):
            yield (first << 2 * _BITS) | (second << _BITS) | word
            first, second = second, word

    def log_probabilities(self, sentence: Sequence[str]) -> np.ndarray:
        """Return the natural log probability of each word, then of the end: (words + 1,).

        Each is given the two words before it.
        """
        keys = np.fromiter(self.keys(sentence), np.int64)
        # From the uniform distribution up: each order is interpolated with the one below it
        p = np.full(len(keys), 1 / self.vocabulary)
        for order, bits in zip(reversed(self.orders), (_BITS, 2 * _BITS, 3 * _BITS), strict=True):
            p = order.interpolate(keys & ((1 << bits) - 1), p)
        return np.log(p)


class _Order:
    """Sorted n-grams of one length with their counts (of contexts, below trigrams)."""

    def __init__(self, keys: np.ndarray, counts: np.ndarray) -> None:
        self.keys, self.counts = keys, counts
        once, twice = int((counts == 1).sum()), int((counts == 2).sum())
        # Discounts lie between 0 and 1: take the middle if the text is too small for an estimate
        self.discount = once / (once + 2 * twice) if once and twice else 0.5
        # For each context: all counts after it, and how many distinct words follow. Keys are
        # sorted, so those of one context are a run, which begins at `first`
        self.contexts, first = np.unique(keys >> _BITS, return_index=True)
        self.totals = np.add.reduceat(counts, first)
        self.followers = np.diff(np.append(first, len(keys)))

    def interpolate(self, keys: np.ndarray, lower: np.ndarray) -> np.ndarray:
        """Return the probability of each n-gram's last word.

        Args:
            keys: the n-grams.
            lower: the probability by the next lower order; as long as `keys`.
        """
        counts = _look_up(self.keys, self.counts, keys)
        totals = _look_up(self.contexts, self.totals, keys >> _BITS)
        followers = _look_up(self.contexts, self.followers, keys >> _BITS)
        # What the discount takes from the words seen after a context goes to the lower order; after
        # a context never seen, the lower order is all there is
        seen = totals > 0
        own = np.maximum(counts - self.discount, 0) + self.discount * followers * lower
        return np.where(seen, own / np.where(seen, totals, 1), lower)


def _look_up(keys: np.ndarray, values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the value of each wanted key; 0 for keys that are missing."""
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], 0)


@dataclass(frozen=True)
class _Tokenised:
    """The tokens of each sentence of a corpus, read anew each time."""

    corpus: str | Path

    def __iter__(self) -> Iterator[list[str]]:
        return map(tokenise, read_texts(self.corpus))


def score_trigram(
    corpus: str | Path, files: Iterable[tuple[str | Path, str | Path]], *, rare: int = 2
) -> None:
    """Train a trigram on a corpus (column `text`) and score all sentences of pairs (NULL_SCORES).

    `tokens` counts words and marks without the end of the sentence.

    Args:
        files: of each set of pairs, the pairs and the scores to write.

    Raises:
        KasuError: the text is empty, or a file is unreadable.
    """
    model = Trigram(_Tokenised(corpus), rare)

    def score(sentence: str) -> tuple[float, int, int]:
        words = tokenise(sentence)
        unknown = model.encode(words).count(_UNKNOWN)
        return float(model.log_probabilities(words).sum()), len(words), unknown

    for pairs, scores in files:
        _write(pairs, scores, TRIGRAM, score)


def score_length(pairs: str | Path, scores: Mapping[str, str | Path]) -> None:
    """Write NULL_SCORES by each of LENGTHS; words between blanks count as tokens.

    The better one of the two is the null. Which one that is depends on how the pairs were made.

    Args:
        scores: the file of each null.
    """
    for null, path in scores.items():
        _write(pairs, path, null, partial(_length, LENGTHS[null]))


def _length(each: float, text: str) -> tuple[float, int, int]:
    return each * len(text), len(text.split()), 0


def _write(
    pairs: str | Path,
    scores: str | Path,
    definition: str,
    score: Callable[[str], tuple[float, int, int]],
) -> None:
    """Score all sentences; `score` returns log probability, tokens and unknown tokens."""
    rows = []
    columns = [
        name
        for name in ParquetReader(pairs).schema.names
        if name.startswith("sentence_") and name != "sentence_id"
    ]
    table = read_parquet(pairs, ["item_id", *columns])
    progress = Progress(definition, table.num_rows, "pairs")
    for item in table.to_pylist():
        for column in columns:
            total, tokens, unknown = score(item[column])
            rows.append(
                {"item_id": item["item_id"], "column": column, "definition": definition,
                 "log_probability": total, "tokens": tokens, "unknown": unknown}
            )  # fmt: skip
        progress.add()
    write_parquet(scores, rows, NULL_SCORES)
