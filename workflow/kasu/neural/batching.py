"""Batches of sequences of like length, and rows of ragged arrays."""

import numpy as np

POOL = 100  # batches sorted together: enough for even lengths, few enough to stay shuffled


def length_batches(lengths: np.ndarray, batch_size: int, seed: int | None) -> list[np.ndarray]:
    """Row numbers, a batch an array; the rows of a batch have like lengths.

    Args:
        lengths: (rows, parts), the lengths of each part of a row; the first weighs most.
        seed: shuffles rows into pools of POOL batches and the batches of all pools; None keeps
            one pool, in order of length, then of row.
    """
    rows = np.arange(len(lengths))
    if seed is None:
        return _cut(rows, lengths, batch_size)
    shuffle = np.random.default_rng(seed)
    rows = shuffle.permutation(rows)
    pools = np.split(rows, range(POOL * batch_size, len(rows), POOL * batch_size))
    batches = [batch for pool in pools for batch in _cut(pool, lengths, batch_size)]
    return [batches[number] for number in shuffle.permutation(len(batches))]


def _cut(rows: np.ndarray, lengths: np.ndarray, batch_size: int) -> list[np.ndarray]:
    rows = rows[np.lexsort(lengths[rows].T[::-1])]
    return [rows[start : start + batch_size] for start in range(0, len(rows), batch_size)]


def ragged_rows(starts: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the values of `rows` stand in a ragged array.

    Args:
        starts: (n + 1), row i has the values from starts[i] up to starts[i + 1].

    Returns:
        The positions of all values of `rows`, row after row, and where each row begins in them.
    """
    counts = starts[rows + 1] - starts[rows]
    begins = np.cumsum(counts) - counts
    return np.arange(counts.sum()) + np.repeat(starts[rows] - begins, counts), begins
