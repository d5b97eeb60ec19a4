"""Simple null models to compare the networks with."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from kasu.agreement.data.items import (
    count_tokens,
    gold_numbers,
    read_items,
    sentences_of,
)
from kasu.agreement.data.suffixes import UNSCORED, gold_suffixes
from kasu.agreement.data.tasks import LABELS, SUFFIX, SUFFIXES
from kasu.agreement.data.transforms import Condition, Word
from kasu.agreement.models.predictions import (
    PREDICTIONS,
    SUFFIX_PREDICTIONS,
    prediction_table,
    suffix_table,
)
from kasu.files.tables import ParquetWriter, landing
from kasu.job.run import log, seed_of
from kasu.results.statistics import shared

START = ""  # in place of the word before the first


class Verb(NamedTuple):
    """What a baseline of verb number sees: the word before the target, and the target's lemma."""

    previous: str
    lemma: str


# The contexts of each baseline: one that training has not seen backs off to the next
BASELINES: dict[str, tuple[Callable, ...]] = {
    "majority": (lambda verb: None,),
    "lemma": (lambda verb: verb.lemma, lambda verb: None),
    "ngram": (lambda verb: verb, lambda verb: verb.lemma, lambda verb: None),
    "lexicon": (lambda word: word.token, lambda word: word.lemma, lambda word: None),
}
PRIOR = "prior"


def predict_baseline(
    train: str | Path,
    test: str | Path,
    predictions: str | Path,
    *,
    task: str,
    baseline: str,
    variants: Sequence[str],
    condition: str,
) -> None:
    """Write the predictions of a null model, which sees no more than a network does.

    All but `prior` predict the most frequent training label in the item's context. Of verb number
    `majority` counts all training items; `lemma` those whose target has the same lemma, or else
    all; `ngram` those with the same previous word and lemma of the target, or else as `lemma`. Of
    suffixes `lexicon` counts the words with the same stem, or else the same lemma, or else all.
    Of equally frequent labels the first is predicted, and the log says how often. `prior` draws
    each suffix as often as training has it.

    Raises:
        KasuError: a dataset lacks a variant or has an unknown label.
    """
    seen = Condition(condition, task)
    predict, schema = (
        (_predict_suffixes, SUFFIX_PREDICTIONS)
        if task == SUFFIX
        else (_predict_numbers, PREDICTIONS)
    )
    with landing(predictions) as part, ParquetWriter(part, schema) as writer:
        for variant in sorted(variants):
            training, tested = ((path, read_items(path, variant, seen)) for path in (train, test))
            writer.write(predict(training, tested, seen, baseline, variant))


Items = tuple[str | Path, pa.Table]  # the file of a dataset, and its items
_Labels = dict[tuple[int, object], tuple[list[int], list[bool]]]
"""Context -> its most frequent label in each slot, and whether another label is as frequent."""


def _predict_numbers(
    train: Items, test: Items, seen: Condition, baseline: str, variant: str
) -> pa.Table:
    (_, items), contexts = test, BASELINES[baseline]
    gold, test_gold = (gold_numbers(table, path) for path, table in (train, test))
    labels = _most_frequent(_verbs(train[1], seen), gold, contexts, len(LABELS))
    predicted, tied = _predict(_verbs(items, seen), labels, contexts)
    _log_ties(baseline, variant, tied)
    return prediction_table(items, test_gold, predicted, variant)


def _verbs(items: pa.Table, condition: Condition) -> Iterator[Verb]:
    for sentence in sentences_of(items):
        words, target = condition.words(sentence), sentence.target
        yield Verb(words[target - 1].token if target else START, words[target].lemma)


def _predict_suffixes(
    train: Items, test: Items, seen: Condition, baseline: str, variant: str
) -> pa.Table:
    items = test[1]
    gold, test_gold = (gold_suffixes(table, path) for path, table in (train, test))
    scored = test_gold != UNSCORED
    predicted = np.zeros(len(test_gold), np.int64)
    if baseline == PRIOR:
        frequencies = np.bincount(gold[gold != UNSCORED], minlength=len(SUFFIXES))
        draw = np.random.default_rng(seed_of(PRIOR, variant))
        shares = frequencies / frequencies.sum()
        predicted[scored] = draw.choice(len(SUFFIXES), int(scored.sum()), p=shares)
    else:
        contexts = BASELINES[baseline]
        words = _scored_words(train[1], gold, seen)
        known = gold[gold != UNSCORED, None]
        labels = _most_frequent(words, known, contexts, len(SUFFIXES))
        answers, tied = _predict(_scored_words(items, test_gold, seen), labels, contexts)
        predicted[scored] = answers[:, 0]
        _log_ties(baseline, variant, tied)
    starts = np.concatenate([[0], np.cumsum(count_tokens(items))])
    return suffix_table(items, starts, test_gold, predicted, variant)


def _scored_words(items: pa.Table, gold: np.ndarray, condition: Condition) -> Iterator[Word]:
    words = (word for sentence in sentences_of(items) for word in condition.words(sentence))
    return (word for word, suffix in zip(words, gold, strict=True) if suffix != UNSCORED)


def _keys(seen: object, contexts: Sequence[Callable]) -> list[tuple[int, object]]:
    return [(level, context(seen)) for level, context in enumerate(contexts)]


def _predict(
    seen: Iterable[object], labels: _Labels, contexts: Sequence[Callable]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the label of each item and whether it ties with another: both (items, slots)."""
    # The first context that training has seen; the last one is the same for all items
    found = [next(labels[key] for key in _keys(each, contexts) if key in labels) for each in seen]
    answers, tied = zip(*found, strict=True)
    return np.array(answers), np.array(tied)


def _log_ties(baseline: str, variant: str, tied: np.ndarray) -> None:
    if tied.any():
        log.info(
            "%s, %s: %d of %d answers tie, and the first of the most frequent labels is predicted",
            baseline, variant, tied.sum(), tied.size,
        )  # fmt: skip


def _most_frequent(
    seen: Iterable[object], gold: np.ndarray, contexts: Sequence[Callable], labels: int
) -> _Labels:
    """Find the most frequent label in each context, of each slot or the one suffix, and ties.

    Args:
        gold: (items, slots) or (words, 1), below `labels`.
    """
    columns = np.arange(gold.shape[1])
    counts: defaultdict[tuple[int, object], np.ndarray] = defaultdict(
        lambda: np.zeros((len(columns), labels), np.int64)
    )
    for each, numbers in zip(seen, gold, strict=True):
        for key in _keys(each, contexts):
            counts[key][columns, numbers] += 1
    return {
        key: (count.argmax(axis=1).tolist(), shared(count).tolist())
        for key, count in counts.items()
    }
