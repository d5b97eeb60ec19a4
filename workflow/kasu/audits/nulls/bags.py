"""Bags of words: what a solver can do that does not know in which order words stand."""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array


def bags_of_words(texts: Sequence[str]) -> csr_array:
    """Count the words of each text in lower case, between blanks: (texts, words)."""
    distinct: dict[str, int] = {}
    at = [distinct.setdefault(text, len(distinct)) for text in texts]  # each is counted once
    words: dict[str, int] = {}
    rows, columns = [], []
    for text, row in distinct.items():
        for word in text.lower().split():
            rows.append(row)
            columns.append(words.setdefault(word, len(words)))
    shape = len(distinct), max(len(words), 1)
    # The matrix adds up the ones of a word that occurs several times
    return csr_array((np.ones(len(rows)), (rows, columns)), shape)[at]


def medoid_scores(candidates: csr_array, options: int) -> np.ndarray:
    """Score each candidate by its likeness to the others of its item: (items, options).

    Args:
        candidates: bags, (items * options, words).
    """
    candidates = _of_length_1(candidates)
    # The cosine of a candidate with itself is 1 for all, so the sum over all ranks as the sum over
    # the others
    targets = sum(candidates[at::options] for at in range(options))
    return _cosines(targets, candidates, options)


def parallelogram_scores(context: csr_array, candidates: csr_array, options: int) -> np.ndarray:
    """Score each candidate by its likeness to the last sentence + the one before - that before.

    Where the last three sentences and the right candidate cross two things, as the numbers of two
    nouns, the sum is the bag of the right candidate.

    Args:
        context: bags of the last three sentences of each item, (items * 3, words).
        candidates: bags, (items * options, words).

    Returns:
        Cosines, (items, options).
    """
    first, second, third = (context[at::3] for at in range(3))
    return _cosines(third + second - first, _of_length_1(candidates), options)


def _of_length_1(bags: csr_array) -> csr_array:
    lengths = np.sqrt(bags.multiply(bags).sum(axis=1))
    return bags.multiply(1 / np.where(lengths, lengths, 1)[:, None]).tocsr()


def _cosines(targets: csr_array, candidates: csr_array, options: int) -> np.ndarray:
    """Return the cosines but for the length of an item's target, which ranks none of its options.

    Rounded: errors in the last bits must not break ties.
    """
    each = targets[np.repeat(np.arange(targets.shape[0]), options)]
    return each.multiply(candidates).sum(axis=1).reshape(-1, options).round(9)
