"""Precision, recall and F1 of suffixes as shares of events (BASQUE-12).

An event is a word that has a suffix, or a word that is predicted to have it; it is a hit if the
word both has it and is predicted to. Then precision is the share of hits among predicted ones,
recall that among gold ones, and F1, twice the hits over gold and predicted ones, is the share of
hits among all events. So each has the interval and the test of any other share.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kasu.agreement.data.tasks import NO_SUFFIX, SUFFIXES

ANY = "Any"


class Events(NamedTuple):
    """The words with a suffix, gold and predicted: booleans (words,)."""

    gold: np.ndarray
    predicted: np.ndarray


def suffix_events(gold: np.ndarray, predicted: np.ndarray) -> dict[str, Events]:
    """Find the events of each suffix, and of ANY: whether there is a suffix, whichever it is."""
    found = {each: Events(gold == each, predicted == each) for each in SUFFIXES[1:]}
    return found | {ANY: Events(gold != NO_SUFFIX, predicted != NO_SUFFIX)}


def shares(events: Events) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield precision, recall and F1, each as hits and trials with the word of each event.

    Yields:
        Name, hits and trials (events,), and the position of each event's word (events,).
    """
    gold, predicted = events
    both, words = gold & predicted, np.arange(len(gold))
    yield "precision", both, predicted, words
    yield "recall", both, gold, words
    # A word that has the suffix and is predicted to counts as two events
    yield (
        "f1",
        np.concatenate([both, both]),
        np.concatenate([gold, predicted]),
        np.concatenate([words, words]),
    )


def f1(gold: np.ndarray, predicted: np.ndarray) -> float:
    """Return F1 of one suffix; 0 if no word has it and none is predicted to."""
    count = int(gold.sum() + predicted.sum())
    return 2 * int((gold & predicted).sum()) / count if count else 0.0
