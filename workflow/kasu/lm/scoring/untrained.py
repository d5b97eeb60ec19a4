"""Heads that were never trained (GEO-17): a checkpoint that lacks its head scores by chance.

A random head gives every token about 1 / V of the probability, so a score is the number of tokens
times -log V, whatever the text: the form with the fewest tokens wins.
"""

import math
from collections.abc import Sequence

import numpy as np

# Root mean squares, in units of log V. RemBERT's released scores have 0.05 to 0.06 a token and
# 0.12 to 0.13 from the next multiple; the four trained models of that paper have 0.33 and more.
CLOSE_A_TOKEN = 0.1
CLOSE_TO_A_MULTIPLE = 0.2
ENOUGH = 20  # texts: of few, some look so by chance


def untrained_head(
    log_probabilities: Sequence[float],
    vocabulary: int,
    tokens: Sequence[int] | None = None,
) -> bool:
    """Do the scores look like those of an untrained head? Always False of fewer than ENOUGH.

    With numbers of tokens: is each log probability a token near -log V? Without, as for published
    scores: is each log probability near a whole multiple of it, from 1 on? Long texts scatter
    over more than a multiple, so those need the numbers.

    Args:
        log_probabilities: natural logarithms, a text each.
        vocabulary: V, how many tokens the model chooses among.
        tokens: how many tokens each text was scored on.
    """
    multiples = -np.asarray(log_probabilities, float) / math.log(vocabulary)
    if tokens is None:
        off, close = multiples - np.maximum(np.rint(multiples), 1), CLOSE_TO_A_MULTIPLE
    else:
        counts = np.asarray(tokens)
        scored = counts > 0
        off, close = multiples[scored] / counts[scored] - 1, CLOSE_A_TOKEN
    return len(off) >= ENOUGH and bool(np.sqrt((off**2).mean()) < close)
