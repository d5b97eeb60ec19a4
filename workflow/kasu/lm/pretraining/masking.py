"""Mask tokens for a masked language model, as seed, copy, row and position determine.

There is no random generator and so no state: every random number is a hash of where it is needed.
Any step can be computed alone, in any process, after any interruption.
"""

import numpy as np

from kasu.job.run import seed_of
from kasu.lm.pretraining.tokenizer import MASK, SPECIAL

# Share of words to predict; 80 % of their tokens become [MASK], 10 % a random token, 10 % stay
MASKED_SHARE = 0.15


def draw(seed: int, numbers: np.ndarray) -> np.ndarray:
    """Map each number to [0, 1), the same number and seed to the same value (SplitMix64's mixer).

    Args:
        seed: 64 bits.
        numbers: uint64 of any shape.
    """
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    return (mixed >> np.uint64(11)) * 2.0**-53  # the upper 53 bits, as many as a float64 holds


def mask_tokens(
    matrix: np.ndarray, rows: np.ndarray, begins: np.ndarray, seed: int, copy: np.ndarray | int
) -> tuple[np.ndarray, np.ndarray]:
    """Mask words; a word is masked as a whole or not at all, a special token never.

    Args:
        matrix: (rows, width) token ids.
        rows: (rows) the number of each row in its corpus.
        begins: (vocabulary) whether a token begins a word; if all do, tokens are masked singly.
        copy: which masked copy of its text a row is (BERT's duplication factor), one number for
            all rows or one per row.

    Returns:
        The matrix that the network reads, and where it has to predict: both (rows, width).
    """
    width = matrix.shape[1]
    positions = np.arange(width, dtype=np.uint64)
    # Where the word of each token begins: the tokens of a word share its random number
    first = np.maximum.accumulate(np.where(begins[matrix], positions, np.uint64(0)), axis=1)
    # A number for every position of every copy of every row
    copies = np.broadcast_to(np.asarray(copy, np.uint64), rows.shape)
    base = ((copies << np.uint64(40)) + rows.astype(np.uint64))[:, None] * np.uint64(width)
    word_seed, kind_seed, token_seed = (seed_of(seed, what) for what in ("word", "kind", "other"))
    hidden = (draw(word_seed, base + first) < MASKED_SHARE) & (matrix >= len(SPECIAL))
    at = np.nonzero(hidden)
    numbers = (base + positions)[at]
    kind, gold = draw(kind_seed, numbers), matrix[at]
    tokens = len(SPECIAL) + draw(token_seed, numbers) * (len(begins) - len(SPECIAL))
    read = matrix.copy()
    read[at] = np.where(kind < 0.8, MASK, np.where(kind < 0.9, gold, tokens.astype(matrix.dtype)))
    return read, hidden
