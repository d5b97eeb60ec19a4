"""Padded batches of few shapes, so that results do not depend on what else is in a batch."""

from typing import NamedTuple

import numpy as np

from kasu.base.errors import KasuError

STEP = 4  # every width is a multiple of it


class PaddedBatch(NamedTuple):
    """Numbers of rows that are padded to a common width, a multiple of STEP."""

    rows: np.ndarray
    width: int


def token_batches(lengths: np.ndarray, tokens: int) -> list[PaddedBatch]:
    """Cut rows into batches of similar length, each of at most `tokens` tokens with padding.

    Batches are in order of width, then of row. A batch has `rows_of(width, tokens)` rows; the
    last of a width may have fewer.

    Args:
        lengths: (rows) number of tokens of each row.

    Raises:
        KasuError: a row is longer than `tokens`.
    """
    if not len(lengths):
        return []
    widths = -(-lengths // STEP) * STEP
    if widths.max() > tokens:
        raise KasuError("tokens per batch", f"{tokens}", f"at least {widths.max()}, one row's")
    rows = np.argsort(widths, kind="stable")
    distinct, begins = np.unique(widths[rows], return_index=True)
    return [
        PaddedBatch(group[start : start + count], width)
        for width, group in zip(distinct.tolist(), np.split(rows, begins[1:]), strict=True)
        for count in [rows_of(width, tokens)]
        for start in range(0, len(group), count)
    ]


def rows_of(width: int, tokens: int) -> int:
    """Return the number of rows of a full batch of this width."""
    return tokens // width


def pad(ids: list[list[int]], width: int, padding: int) -> tuple[np.ndarray, np.ndarray]:
    """Pad token ids to a matrix; return it and a mask, False at padding: both (rows, width)."""
    lengths = np.array([len(row) for row in ids])
    mask = np.arange(width) < lengths[:, None]
    matrix = np.full(mask.shape, padding, np.int64)
    matrix[mask] = np.concatenate(ids)
    return matrix, mask
