"""Simple null models to compare the networks with."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from kasu.agreement.data.items import gold_numbers, read_items, sentences_of
from kasu.agreement.data.labels import LABELS, SLOTS
from kasu.agreement.data.transforms import Condition
from kasu.agreement.models.predictions import PREDICTIONS, prediction_table
from kasu.base.tables import ParquetWriter, landing

START = ""  # in place of the word before the first


class Verb(NamedTuple):
    """What a baseline sees: the word before the target, and the lemma of the target."""

    previous: str
    lemma: str


# The contexts of each baseline: one that training has not seen backs off to the next
BASELINES: dict[str, tuple[Callable[[Verb], object], ...]] = {
    "majority": (lambda verb: None,),
    "ngram": (lambda verb: verb, lambda verb: verb.lemma, lambda verb: None),
}


def predict_baseline(
    train: str | Path,
    test: str | Path,
    predictions: str | Path,
    *,
    baseline: str,
    variants: Sequence[str],
    condition: str,
) -> None:
    """Predict each slot's most frequent training label in the item's context (PREDICTIONS).

    `majority` counts all training items; `ngram` those with the same previous word and lemma of
    the target, or else the same lemma, or else all. It sees no more of a sentence than a network
    does. Ties are broken by the order of LABELS.

    Raises:
        KasuError: a dataset lacks a variant or has an unknown label.
    """
    contexts, seen = BASELINES[baseline], Condition(condition)
    with landing(predictions) as part, ParquetWriter(part, PREDICTIONS) as writer:
        for variant in sorted(variants):
            training, verbs = _read(train, variant, seen)
            labels = _most_frequent(verbs, gold_numbers(training, train), contexts)
            items, verbs = _read(test, variant, seen)
            predicted = np.array(
                [
                    next(labels[key] for key in _keys(verb, contexts) if key in labels)
                    for verb in verbs
                ]
            )
            gold = gold_numbers(items, test)
            writer.write(prediction_table(items, gold, predicted, variant))


def _read(path: str | Path, variant: str, condition: Condition) -> tuple[pa.Table, list[Verb]]:
    items = read_items(path, variant, condition)
    verbs = []
    for sentence in sentences_of(items):
        words, target = condition.words(sentence), sentence.target
        verbs.append(Verb(words[target - 1].token if target else START, words[target].lemma))
    return items, verbs


def _keys(verb: Verb, contexts: Sequence[Callable]) -> list[tuple[int, object]]:
    return [(level, context(verb)) for level, context in enumerate(contexts)]


def _most_frequent(
    verbs: Iterable[Verb], gold: np.ndarray, contexts: Sequence[Callable]
) -> dict[tuple[int, object], list[int]]:
    """Find the most frequent label of each slot in each context."""
    counts: defaultdict[tuple[int, object], np.ndarray] = defaultdict(
        lambda: np.zeros((len(SLOTS), len(LABELS)), np.int64)
    )
    slots = np.arange(len(SLOTS))
    for verb, labels in zip(verbs, gold, strict=True):
        for key in _keys(verb, contexts):
            counts[key][slots, labels] += 1
    return {key: count.argmax(axis=1).tolist() for key, count in counts.items()}
