"""Batches of sequences of similar length, and rows of ragged arrays."""

import itertools

import numpy as np

# Batches whose rows are sorted together: enough for similar lengths, few enough to stay shuffled
POOL = 300


def length_batches(lengths: np.ndarray, batch_size: int, seed: int | None) -> list[np.ndarray]:
    """Split row numbers into batches, one array each; the rows of a batch have similar lengths.

    Args:
        lengths: (rows, parts), the lengths of the parts of each row, the most important first.
        seed: shuffles rows into pools of POOL batches, sorts each pool by length, and shuffles the
            batches of all pools. None sorts all rows by length, then by number.
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
    keys = lengths[rows].T.copy()
    # A part ascends where the one before it is even, and else descends: at a change of the first
    # part the second goes on from where it was, and no batch mixes the longest with the shortest
    for before, part in itertools.pairwise(keys):
        part[before % 2 == 1] *= -1
    rows = rows[np.lexsort(keys[::-1])]
    return [rows[start : start + batch_size] for start in range(0, len(rows), batch_size)]


def ragged_rows(starts: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of the values of `rows` in a ragged array.

    Args:
        starts: (n + 1); row i has the values from starts[i] up to, not including, starts[i + 1].

    Returns:
        The positions of all values, row after row, and the offset of each row among them.
    """
    counts = starts[rows + 1] - starts[rows]
    begins = np.cumsum(counts) - counts
    # Each value's place in the result, moved by the distance of its row from there to the array
    return np.arange(counts.sum()) + np.repeat(starts[rows] - begins, counts), begins
