"""Datasets as the flat integer arrays that the models read (BASQUE-9).

A corpus has far fewer word types than words, so token, lemma and n-grams are looked up once per
type, and a sentence is a sequence of type numbers.
"""

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import torch
from torch import Tensor

from kasu.agreement.data.items import (
    count_tokens,
    gold_numbers,
    read_items,
    sentences_of,
    slots_of,
)
from kasu.agreement.data.suffixes import UNSCORED, gold_suffixes
from kasu.agreement.data.tasks import SUFFIX, VERB_NUMBER
from kasu.agreement.data.transforms import Condition, Word
from kasu.neural.batching import ragged_rows
from kasu.neural.vocabulary import Vocabulary, character_ngrams


@dataclass(frozen=True)
class Sentences:
    """The sentences of one variant, as a task and a condition show them.

    Attributes:
        items: item_id, cluster and the slots of each sentence.
        types: the distinct words, in order of first occurrence.
        words: (words of all sentences,) positions in `types`.
        starts: (sentences + 1,) where each sentence begins in `words`.
        targets: (sentences,) the position of the target verb in its sentence.
        gold: verb number: (sentences, slots) positions in LABELS; suffix prediction: (words of all
            sentences,) positions in SUFFIXES, or UNSCORED.
    """

    items: pa.Table
    types: list[Word]
    words: np.ndarray
    starts: np.ndarray
    targets: np.ndarray
    gold: np.ndarray

    def __len__(self) -> int:
        return len(self.targets)


def read_sentences(
    path: str | Path, variant: str, condition: str, task: str = VERB_NUMBER
) -> Sentences:
    """Read one variant of a dataset as a task and a condition show it.

    Raises:
        KasuError: the variant has no sentences, a target lies outside its sentence, or a label is
            unknown.
    """
    seen = Condition(condition, task)
    items = read_items(path, variant, seen)
    lengths = count_tokens(items)
    types: dict[Word, int] = {}
    words = np.fromiter(
        (
            types.setdefault(word, len(types))
            for sentence in sentences_of(items)
            for word in seen.words(sentence)
        ),
        np.int32,
        lengths.sum(),
    )
    return Sentences(
        items=items.select(["item_id", "cluster", *slots_of(items)]),
        types=list(types),
        words=words,
        starts=np.concatenate([[0], np.cumsum(lengths)]),
        targets=items["target"].to_numpy(),
        gold=(gold_suffixes if task == SUFFIX else gold_numbers)(items, path),
    )


class Vocabularies(NamedTuple):
    """The tokens, lemmas and character n-grams that a model knows."""

    token: Vocabulary
    lemma: Vocabulary
    ngram: Vocabulary

    def sizes(self) -> list[int]:
        """Return the numbers of rows of the three embedding tables."""
        return [len(vocabulary) for vocabulary in self]

    def symbols(self) -> dict[str, list[str]]:
        """Return the symbols of each vocabulary, to be saved."""
        return {name: vocabulary.symbols for name, vocabulary in self._asdict().items()}


def count_vocabularies(sentences: Sentences, settings: Mapping) -> Vocabularies:
    """Find the most frequent tokens, lemmas and n-grams of a training set (BASQUE-9).

    Masked words are counted; a word counts once for each of its distinct n-grams.

    Args:
        settings: `vocabulary` (the size of each), `ngram_lengths`, `boundary_markers`.
    """
    tokens: Counter[str] = Counter()
    lemmas: Counter[str] = Counter()
    ngrams: Counter[str] = Counter()
    frequencies = np.bincount(sentences.words, minlength=len(sentences.types)).tolist()
    for word, count in zip(sentences.types, frequencies, strict=True):
        tokens[word.token] += count
        lemmas[word.lemma] += count
        for ngram in _ngrams(word, settings):
            ngrams[ngram] += count
    size = settings["vocabulary"]
    return Vocabularies(*(Vocabulary.most_frequent(c, size) for c in (tokens, lemmas, ngrams)))


def _ngrams(word: Word, settings: Mapping) -> list[str]:
    ngrams = character_ngrams(
        word.spelling, settings["ngram_lengths"], settings["boundary_markers"]
    )
    return [*ngrams, word.mark] if word.mark else ngrams


class Words(NamedTuple):
    """The U distinct words of a batch, with K n-grams in all, as tensors.

    Attributes:
        token, lemma: (U,) symbols of each word, as vocabulary numbers.
        ngram: (K,) n-grams of the words, word after word, as vocabulary numbers.
        ngram_begins: (U,) where the n-grams of each word begin.
    """

    token: Tensor
    lemma: Tensor
    ngram: Tensor
    ngram_begins: Tensor


class Read(NamedTuple):
    """The words of B sentences, at most L each, in the order in which they are read, as tensors.

    Attributes:
        words: (L, B) numbers of the distinct words of the batch; after the end of a sequence its
            last word is repeated.
        lengths: (B,).
    """

    words: Tensor
    lengths: Tensor


class Batch(NamedTuple):
    """B sentences with a hidden verb, as tensors; S slots.

    Attributes:
        words: the distinct words.
        left: the words from the first to ⟨verb⟩.
        right: the words from the last back to ⟨verb⟩; None for a unidirectional model.
        gold: (B, S) positions in LABELS.
    """

    words: Words
    left: Read
    right: Read | None
    gold: Tensor


class TaggerBatch(NamedTuple):
    """B whole sentences of at most L words, N of them to be labelled, as tensors.

    Attributes:
        words: the distinct words.
        whole: the words of each sentence.
        scored: (B, L) true for a word to label.
        gold: (N,) positions in SUFFIXES, sentence after sentence.
    """

    words: Words
    whole: Read
    scored: Tensor
    gold: Tensor


class Encoded:
    """Sentences encoded with a model's vocabularies.

    Attributes:
        sentences: the sentences that were encoded.
        lengths: (sentences, parts) number of words in each part of a sentence that a model reads:
            here one part, the whole.
    """

    def __init__(self, sentences: Sentences, vocabularies: Vocabularies, settings: Mapping) -> None:
        known, types = vocabularies, sentences.types
        self.sentences = sentences
        self._token = np.array([known.token.number(word.token) for word in types], np.int32)
        self._lemma = np.array([known.lemma.number(word.lemma) for word in types], np.int32)
        ngrams, starts = array("i"), [0]
        for word in types:
            ngrams.extend(map(known.ngram.number, _ngrams(word, settings)))
            starts.append(len(ngrams))
        self._ngram = np.array(ngrams, np.int32)
        self._ngram_starts = np.array(starts)
        self.lengths = np.diff(sentences.starts)[:, None]

    def __len__(self) -> int:
        return len(self.sentences)

    def count_words(self, rows: np.ndarray) -> int:
        """Count all words of the sentences in these rows."""
        return int((self.sentences.starts[rows + 1] - self.sentences.starts[rows]).sum())

    def _words(self, types: np.ndarray, device: torch.device) -> Words:
        """Build tensors of the words at these positions in `sentences.types`."""
        positions, begins = ragged_rows(self._ngram_starts, types)
        return Words(
            token=_tensor(self._token[types], device),
            lemma=_tensor(self._lemma[types], device),
            ngram=_tensor(self._ngram[positions], device),
            ngram_begins=_tensor(begins.astype(np.int32), device),
        )


class EncodedSides(Encoded):
    """Sentences for verb number prediction: from each end to ⟨verb⟩, which is in both parts.

    A model that is not bidirectional reads one part, from the first word.
    """

    def __init__(
        self,
        sentences: Sentences,
        vocabularies: Vocabularies,
        settings: Mapping,
        bidirectional: bool,
    ) -> None:
        super().__init__(sentences, vocabularies, settings)
        left = sentences.targets + 1
        right = self.lengths[:, 0] - sentences.targets
        self.lengths = np.stack([left, right] if bidirectional else [left], axis=1)

    def batch(self, rows: np.ndarray, device: torch.device) -> Batch:
        """Build tensors of the sentences in these rows, in this order."""
        sides = self._sides(rows)
        # Embed each distinct word once; sentences refer to it by its position among them
        types = np.unique(np.concatenate([side.ravel() for side in sides]))
        read = [
            _read(np.searchsorted(types, side), self.lengths[rows, part], device)
            for part, side in enumerate(sides)
        ]
        return Batch(
            words=self._words(types, device),
            left=read[0],
            right=read[1] if len(read) == 2 else None,
            gold=_tensor(self.sentences.gold[rows], device),
        )

    def _sides(self, rows: np.ndarray) -> list[np.ndarray]:
        """Return the word types from each end to ⟨verb⟩: (rows, longest), padded with ⟨verb⟩."""
        starts, lengths = self.sentences.starts, self.lengths[rows]
        first, last = starts[rows, None], starts[rows + 1, None] - 1
        target = first + self.sentences.targets[rows, None]
        # Step from each end towards the target and stay there
        step = np.arange(lengths.max())
        sides = [np.minimum(first + step, target), np.maximum(last - step, target)]
        return [
            self.sentences.words[side[:, : lengths[:, part].max()]]
            for part, side in enumerate(sides[: lengths.shape[1]])
        ]


class EncodedWhole(Encoded):
    """Whole sentences, for suffix prediction."""

    def batch(self, rows: np.ndarray, device: torch.device) -> TaggerBatch:
        """Build tensors of the sentences in these rows, in this order."""
        starts, lengths = self.sentences.starts, self.lengths[rows, 0]
        step = np.arange(lengths.max())
        # (B, L) positions of the words; past the end of a sentence its last word is repeated
        at = starts[rows, None] + np.minimum(step, lengths[:, None] - 1)
        types = np.unique(self.sentences.words[at])
        gold = np.where(step < lengths[:, None], self.sentences.gold[at], UNSCORED)
        scored = gold != UNSCORED
        return TaggerBatch(
            words=self._words(types, device),
            whole=_read(np.searchsorted(types, self.sentences.words[at]), lengths, device),
            scored=_tensor(scored, device),
            gold=_tensor(gold[scored].astype(np.int64), device),
        )


def _tensor(values: np.ndarray, device: torch.device) -> Tensor:
    return torch.from_numpy(values).to(device)


def _read(words: np.ndarray, lengths: np.ndarray, device: torch.device) -> Read:
    return Read(_tensor(np.ascontiguousarray(words.T), device), _tensor(lengths, device))
