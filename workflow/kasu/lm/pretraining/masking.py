"""Hiding tokens for a masked language model: which ones follows from seed, copy, row and place.

No generator is kept: every number is a hash of where it is needed, so a step can be had alone, in
any process, after any interruption.
"""

import numpy as np

from kasu.base.run import seed_of
from kasu.lm.pretraining.tokenizer import MASK, SPECIAL

# Of the words; of their tokens 80 % become [MASK], 10 % another token, 10 % stay
MASKED_SHARE = 0.15
MASKINGS = ("whole_word", "token")


def draw(seed: int, numbers: np.ndarray) -> np.ndarray:
    """A number of [0, 1) for each: the same for the same seed and number (SplitMix64's mixer).

    Args:
        seed: 64 bits.
        numbers: uint64 of any shape.
    """
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return (mixed >> np.uint64(11)) * 2.0**-53


def mask_tokens(
    matrix: np.ndarray, rows: np.ndarray, begins: np.ndarray, seed: int, copy: np.ndarray | int
) -> tuple[np.ndarray, np.ndarray]:
    """Hide words: the matrix that the network reads, and where it has to guess.

    Args:
        matrix: (rows, width) token numbers.
        rows: (rows) the number of each row in its corpus.
        begins: (vocabulary) which tokens begin a word; all of them: tokens are hidden singly.
        copy: which of its masked copies each row is (BERT's duplication factor): one number, or
            one a row.

    Returns:
        Both (rows, width). A word is hidden whole or not at all; a special token never is.
    """
    width = matrix.shape[1]
    places = np.arange(width, dtype=np.uint64)
    first = np.maximum.accumulate(np.where(begins[matrix], places, np.uint64(0)), axis=1)
    copies = np.broadcast_to(np.asarray(copy, np.uint64), rows.shape)
    base = ((copies << np.uint64(40)) + rows.astype(np.uint64))[:, None] * np.uint64(width)
    words, kinds, others = (seed_of(seed, what) for what in ("word", "kind", "other"))
    hidden = (draw(words, base + first) < MASKED_SHARE) & (matrix >= len(SPECIAL))
    at = np.nonzero(hidden)
    numbers = (base + places)[at]
    kind, gold = draw(kinds, numbers), matrix[at]
    drawn = len(SPECIAL) + draw(others, numbers) * (len(begins) - len(SPECIAL))
    read = matrix.copy()
    read[at] = np.where(kind < 0.8, MASK, np.where(kind < 0.9, gold, drawn.astype(matrix.dtype)))
    return read, hidden
