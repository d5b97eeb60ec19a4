"""Detect heads that were never trained (GEO-17): without its head, a checkpoint scores at random.

A random head gives every token a probability of about 1 / V. Then the score of any text is its
number of tokens times -log V, and the form with the fewest tokens wins.
"""

import math
from collections.abc import Sequence

import numpy as np

UNTRAINED = "scores like those of an untrained head"
"""What is said of such a model."""

# Root mean squares, in units of log V. RemBERT's released scores are 0.05 to 0.06 per token, and
# 0.12 to 0.13 from the nearest multiple; those of the paper's four trained models 0.33 or more.
CLOSE_A_TOKEN = 0.1
CLOSE_TO_A_MULTIPLE = 0.2
ENOUGH = 20  # texts; fewer may look untrained by chance
# Of RemBERT's released sentences the differences are 0.19 from the nearest multiple, those of the
# trained models 0.27 or more. Evenly spread ones would be 0.29, give or take 0.01 for so many
DIFFERENCE_CLOSE_TO_A_MULTIPLE = 0.23
ENOUGH_DIFFERENCES = 100


def untrained_head(
    log_probabilities: Sequence[float],
    vocabulary: int,
    tokens: Sequence[int] | None = None,
) -> bool | None:
    """Return whether scores look like those of an untrained head; None for fewer than ENOUGH texts.

    With token counts: is the log probability per token near -log V? Without them, as for published
    scores: is each log probability near a positive multiple of -log V? The scores of long texts
    scatter over more than one multiple, so these need the counts.

    Args:
        log_probabilities: natural logarithms, one per text.
        vocabulary: V, the number of tokens that the model predicts among.
        tokens: the number of scored tokens of each text.
    """
    multiples = -np.asarray(log_probabilities, float) / math.log(vocabulary)
    if tokens is None:
        off, close = multiples - np.maximum(np.rint(multiples), 1), CLOSE_TO_A_MULTIPLE
    else:
        counts = np.asarray(tokens)
        scored = counts > 0
        off, close = multiples[scored] / counts[scored] - 1, CLOSE_A_TOKEN
    return _is_close(off, close, ENOUGH)


def untrained_differences(differences: Sequence[float], vocabulary: int) -> bool | None:
    """Return whether score differences look like an untrained head's; None if too few count.

    It is for long texts that share most of their tokens, and whose lengths are unknown. A new
    head gives each token log V, so each difference is near a multiple of log V. Differences of less
    than half a token do not count: the texts may have equally many tokens.

    Args:
        differences: of natural log probabilities.
        vocabulary: as in `untrained_head`.
    """
    multiples = np.asarray(differences, float) / math.log(vocabulary)
    multiples = multiples[np.abs(multiples) > 0.5]
    off = multiples - np.rint(multiples)
    return _is_close(off, DIFFERENCE_CLOSE_TO_A_MULTIPLE, ENOUGH_DIFFERENCES)


def _is_close(off: np.ndarray, close: float, enough: int) -> bool | None:
    """Return whether the root mean square of `off` is below `close`; None if it has too few."""
    return bool(np.sqrt((off**2).mean()) < close) if len(off) >= enough else None
