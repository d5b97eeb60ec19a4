"""Predictions of several files, which must be complete: each system answered each item once."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from kasu.files.tables import read_parquet


def read_frames(paths: Sequence[str | Path], columns: list[str] | None = None) -> pd.DataFrame:
    """Read files of predictions into one frame, with a column `file`: the position in `paths`.

    Args:
        columns: the columns to read, by default all. All files have the same columns.
    """
    frames = [
        # A number takes less memory than the path, of which there is one a row
        read_parquet(path, columns).to_pandas().assign(file=np.int16(at))
        for at, path in enumerate(paths)
    ]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def is_grid(rows: pd.DataFrame, line: str, column: str) -> bool:
    """Return whether every line has every column once, as each run has each problem.

    Args:
        rows: one or more, sorted by `line` and `column`.
        line, column: names of columns of the frame; nulls are one line.
    """
    names = rows[column].drop_duplicates().to_numpy()
    shape = (rows[line].nunique(dropna=False), len(names))
    if len(rows) != shape[0] * shape[1]:
        return False
    return bool((rows[column].to_numpy().reshape(shape) == names).all())
