"""Problems as rows of a matrix of sentence vectors."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import torch
from torch import Tensor

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet


class Vectors:
    """The vectors of all distinct sentences, loaded once.

    Attributes:
        matrix: (sentences, width), float32, on the device.
    """

    def __init__(self, path: str | Path, device: torch.device) -> None:
        """Read the vectors.

        Raises:
            KasuError: there are no rows, the vectors differ in length, or one contains NaN or
                infinity.
        """
        table = read_parquet(path, ["sentence", "vector"])
        kind = table.schema.field("vector").type
        if not table.num_rows or not pa.types.is_fixed_size_list(kind):
            found = f"{table.num_rows} rows of {kind}"
            raise KasuError(path, found, "vectors of the same length, one for each sentence")
        numbers = table["vector"].combine_chunks().flatten().to_numpy().astype(np.float32)
        numbers = numbers.reshape(table.num_rows, kind.list_size)
        if not np.isfinite(numbers).all():
            bad = int(np.flatnonzero(~np.isfinite(numbers).all(axis=1))[0])
            where = f"{path}: {table['sentence'][bad]}"
            raise KasuError(where, "NaN or infinity", "a vector of finite numbers")
        self.path, self.device = path, device
        self.matrix = torch.from_numpy(numbers).to(device)
        self._sentences = table["sentence"].combine_chunks()

    @property
    def width(self) -> int:
        """The length of a vector."""
        return self.matrix.shape[1]

    def rows(self, sentences: pa.ChunkedArray, where: object) -> Tensor:
        """Find the rows of sentences given as a column of lists: (lists, sentences per list).

        Raises:
            KasuError: a sentence has no vector.
        """
        flat = sentences.combine_chunks().flatten()
        rows = pc.index_in(flat, self._sentences)
        if rows.null_count:
            missing = flat[pc.index(rows.is_null(), True).as_py()]
            raise KasuError(where, f"no vector of {missing.as_py()!r} in {self.path}", "one")
        numbers = rows.to_numpy().astype(np.int64).reshape(len(sentences), -1)
        return torch.from_numpy(numbers).to(self.device)

    def at(self, rows: Tensor) -> Tensor:
        """Look up the vectors of rows (B, sentences): (B, sentences, width)."""
        return self.matrix.index_select(0, rows.flatten()).view(*rows.shape, self.width)


@dataclass(frozen=True)
class EmbeddedProblems:
    """The problems of a split, their sentences as rows of the vectors.

    Attributes:
        table: the columns of `read_problems` without the sentences.
        context: (problems, 7) rows of the vectors.
        candidates: (problems, 6) rows of the vectors.
        answer: (problems,) position of the right candidate.
    """

    table: pa.Table
    context: Tensor
    candidates: Tensor
    answer: Tensor

    @classmethod
    def of(cls, table: pa.Table, vectors: Vectors, where: object) -> "EmbeddedProblems":
        """Look up the sentences of problems (from `read_problems`).

        Raises:
            KasuError: a sentence has no vector (names `where` the problems come from).
        """
        context = vectors.rows(table["context"], where)
        candidates = vectors.rows(table["candidates"], where)
        answer = torch.from_numpy(table["answer"].to_numpy().astype(np.int64))
        table = table.drop_columns(["context", "candidates"])
        return cls(table, context, candidates, answer.to(vectors.device))

    def __len__(self) -> int:
        return len(self.answer)
