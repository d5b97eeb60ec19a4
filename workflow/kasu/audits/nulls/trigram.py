"""A word trigram by interpolated Kneser-Ney smoothing, in memory that does not grow with the text.

One discount per order (Kneser & Ney 1995; Ney, Essen & Kneser 1994), the usual choice for little
text. It scores sentences from left to right: a pseudo-log-likelihood would need a sum over the
vocabulary at each word.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from kasu.base.errors import KasuError
from kasu.corpora.texts.tokens import tokenise
from kasu.lm.pretraining.texts import read_texts

UNKNOWN, _BEGIN, _END = 0, 1, 2
_BITS = 21  # per word: a trigram fits in 63
BUCKET = 1 << 22  # trigrams of the text in memory at a time
_SENTENCES = 1 << 15  # encoded at a time


@dataclass(frozen=True)
class Tokenised:
    """The tokens of each sentence of a corpus, read anew each time."""

    corpus: str | Path

    def __iter__(self) -> Iterator[list[str]]:
        return map(tokenise, read_texts(self.corpus))


class Trigram:
    """An interpolated Kneser-Ney model of word trigrams.

    With `scratch` and `wanted`, memory holds the distinct words of the text, the n-grams that are
    asked for, and BUCKET trigrams. Without them it holds all n-grams.

    Args:
        sentences: tokens of each; iterated over twice, so a generator will not do.
        rare: words seen less often than this count as unknown.
        wanted: the sentences that will be scored, if these are known; others get wrong numbers.
        scratch: an empty folder for the trigrams of a long text, 8 bytes each.
        counts: how often each word occurs, where that is known already.

    Raises:
        KasuError: the text is empty, or has more words than 21 bits can number.
    """

    def __init__(
        self,
        sentences: Iterable[Sequence[str]],
        rare: int = 2,
        *,
        wanted: Iterable[Sequence[str]] | None = None,
        scratch: Path | None = None,
        counts: Counter[str] | None = None,
    ) -> None:
        if counts is None:
            counts = Counter(word for sentence in sentences for word in sentence)
        if not counts:
            raise KasuError("trigram", "no word in the text", "a text")
        known = sorted(word for word, count in counts.items() if count >= rare)
        if len(known) >= 2**_BITS - 3:
            raise KasuError("trigram", f"{len(known)} words", f"fewer than {2**_BITS - 3}")
        self.numbers = {word: number for number, word in enumerate(known, 3)}
        self.vocabulary = len(known) + 2  # the unknown word and the end, never the beginning
        asked = None if wanted is None else self._packed(wanted)
        # Trigrams, then bigrams and words: the last 42 and 21 bits of a key
        orders = [_Counts(asked), _Counts(None if asked is None else _last(asked, 2))]
        contexts = np.zeros(len(known) + 3, np.int64)  # before each word
        for keys in _buckets(self._all_keys(sentences), counts.total(), scratch):
            trigrams = np.unique(keys, return_counts=True)
            # Kneser-Ney: a lower order counts the contexts of a word, not its occurrences. All
            # trigrams that end in the same bigram are in one bucket
            bigrams = np.unique(_last(trigrams[0], 2), return_counts=True)
            orders[0].add(*trigrams)
            orders[1].add(*bigrams)
            contexts += np.bincount(_last(bigrams[0], 1), minlength=len(contexts))
        orders.append(_Counts(None))
        orders[2].add(np.flatnonzero(contexts), contexts[contexts > 0])
        self.orders = [each.order() for each in orders]

    def encode(self, sentence: Sequence[str]) -> list[int]:
        """Return the number of each word, UNKNOWN for an unknown one."""
        return [self.numbers.get(word, UNKNOWN) for word in sentence]

    def keys(self, sentence: Sequence[str]) -> list[int]:
        """Return the trigrams of a sentence and its end, each packed into 63 bits."""
        return self._packed([sentence]).tolist()

    def _packed(self, sentences: Iterable[Sequence[str]]) -> np.ndarray:
        frame = ([_BEGIN, _BEGIN, *self.encode(each), _END] for each in sentences)
        words = np.fromiter(chain.from_iterable(frame), np.int64)
        first, second, third = words[:-2], words[1:-1], words[2:]
        keys = (first << 2 * _BITS) | (second << _BITS) | third
        return keys[third != _BEGIN]  # those begin in the sentence before

    def _all_keys(self, sentences: Iterable[Sequence[str]]) -> Iterator[np.ndarray]:
        some: list[Sequence[str]] = []
        for sentence in sentences:
            some.append(sentence)
            if len(some) == _SENTENCES:
                yield self._packed(some)
                some = []
        if some:
            yield self._packed(some)

    def log_probabilities(self, sentence: Sequence[str]) -> np.ndarray:
        """Return the natural log probability of each word, then of the end: (words + 1,).

        Each is given the two words before it.
        """
        keys = np.array(self.keys(sentence))
        # From the uniform distribution up: each order is interpolated with the one below it
        p = np.full(len(keys), 1 / self.vocabulary)
        for length, order in enumerate(reversed(self.orders), 1):
            p = order.interpolate(_last(keys, length), p)
        return np.log(p)


def _last(keys: np.ndarray, words: int) -> np.ndarray:
    """Return the n-grams of the last words of trigrams."""
    return keys & ((1 << words * _BITS) - 1)


def _buckets(parts: Iterable[np.ndarray], total: int, scratch: Path | None) -> Iterator[np.ndarray]:
    """Yield trigrams in buckets of about BUCKET; those with equal last two words share one."""
    number = 1 + total // BUCKET
    if scratch is None or number == 1:
        yield np.concatenate([*parts])
        return
    paths = [Path(scratch, f"{bucket}") for bucket in range(number)]
    files = [path.open("ab") for path in paths]
    for keys in parts:
        bucket = _last(keys, 2) % number
        order = np.argsort(bucket, kind="stable")
        ends = np.searchsorted(bucket[order], np.arange(1, number))
        for file, some in zip(files, np.split(keys[order], ends), strict=True):
            some.tofile(file)
    for file in files:
        file.close()
    for path in paths:
        yield np.fromfile(path, np.int64)
        path.unlink()


class _Counts:
    """Counts n-grams of one length, part by part; no n-gram is in two parts."""

    def __init__(self, wanted: np.ndarray | None) -> None:
        self.wanted = None if wanted is None else np.unique(wanted)
        self.once = self.twice = 0
        # Of each part: n-grams, their counts; contexts, all counts after them, the distinct ones
        self.parts: list[tuple[np.ndarray, ...]] = []

    def add(self, keys: np.ndarray, counts: np.ndarray) -> None:
        """Count a part: sorted n-grams, each once."""
        self.once += int((counts == 1).sum())
        self.twice += int((counts == 2).sum())
        # Those of one context are a run, which begins at `first`
        contexts, first = np.unique(keys >> _BITS, return_index=True)
        after: tuple[np.ndarray, ...] = (
            contexts,
            np.add.reduceat(counts, first),
            np.diff(np.append(first, len(keys))),
        )
        if self.wanted is not None:
            here = np.isin(keys, self.wanted, kind="sort")
            then = np.isin(contexts, self.wanted >> _BITS, kind="sort")
            keys, counts = keys[here], counts[here]
            after = tuple(each[then] for each in after)
        self.parts.append((keys, counts, *after))

    def order(self) -> "_Order":
        parts = map(np.concatenate, zip(*self.parts, strict=True))
        keys, counts, contexts, totals, followers = parts
        rising = np.argsort(keys)
        # A context may be in several parts
        contexts, at = np.unique(contexts, return_inverse=True)
        totals, followers = (
            np.bincount(at, each, len(contexts)).astype(np.int64) for each in (totals, followers)
        )
        once, twice = self.once, self.twice
        # Discounts lie between 0 and 1: take the middle if the text is too small for an estimate
        discount = once / (once + 2 * twice) if once and twice else 0.5
        return _Order(keys[rising], counts[rising], discount, contexts, totals, followers)


class _Order:
    """Sorted n-grams of one length with their counts (of contexts, below trigrams).

    totals, followers: of each context, all counts after it and how many distinct words follow.
    """

    def __init__(
        self,
        keys: np.ndarray,
        counts: np.ndarray,
        discount: float,
        contexts: np.ndarray,
        totals: np.ndarray,
        followers: np.ndarray,
    ) -> None:
        self.keys, self.counts, self.discount = keys, counts, discount
        self.contexts, self.totals, self.followers = contexts, totals, followers

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
    if not len(keys):
        return np.zeros(len(wanted), np.int64)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], 0)
