"""Batches of few shapes, so that padding is small and no vector depends on its company."""

from typing import NamedTuple

import numpy as np

from kasu.base.errors import KasuError

STEP = 4  # widths are multiples of it


class Batch(NamedTuple):
    """Rows that are padded to a common width, which is a multiple of STEP."""

    rows: np.ndarray
    width: int


def token_batches(lengths: np.ndarray, tokens: int) -> list[Batch]:
    """Cut rows into batches of like length, each of `tokens` tokens at most, padding included.

    They come in order of width, then of row. A batch of a width has `rows_of(width, tokens)` rows,
    the last of each width perhaps fewer.

    Args:
        lengths: (rows) tokens of each.

    Raises:
        KasuError: a row is longer than `tokens`.
    """
    if not len(lengths):
        return []
    widths = -(-lengths // STEP) * STEP
    if widths.max() > tokens:
        raise KasuError("tokens a batch", f"{tokens}", f"{widths.max()} or more, as a row has")
    rows = np.argsort(widths, kind="stable")
    found, begins = np.unique(widths[rows], return_index=True)
    return [
        Batch(group[start : start + count], width)
        for width, group in zip(found.tolist(), np.split(rows, begins[1:]), strict=True)
        for count in [rows_of(width, tokens)]
        for start in range(0, len(group), count)
    ]


def rows_of(width: int, tokens: int) -> int:
    """How many rows a full batch of this width has."""
    return tokens // width


def pad(ids: list[list[int]], width: int, padding: int) -> tuple[np.ndarray, np.ndarray]:
    """Token numbers as a matrix, and where they are no padding: both (rows, width)."""
    lengths = np.array([len(row) for row in ids])
    mask = np.arange(width) < lengths[:, None]
    matrix = np.full(mask.shape, padding, np.int64)
    matrix[mask] = np.concatenate(ids)
    return matrix, mask
