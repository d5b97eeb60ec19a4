"""Problems as rows of one matrix of sentence vectors."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import torch
from torch import Tensor

from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet
from kasu.blm.models.predictions import read_problems


class Vectors:
    """The vectors of all distinct sentences, loaded once.

    Attributes:
        matrix: (sentences, width), float32, on the device.
    """

    def __init__(self, path: str | Path, device: torch.device) -> None:
        """Read them.

        Raises:
            KasuError: no row, vectors that are no lists of one length, or a number that is not
                finite.
        """
        table = read_parquet(path, ["sentence", "vector"])
        kind = table.schema.field("vector").type
        if not table.num_rows or not pa.types.is_fixed_size_list(kind):
            found = f"{table.num_rows} rows of {kind}"
            raise KasuError(path, found, "a vector of one length for each sentence")
        numbers = table["vector"].combine_chunks().flatten().to_numpy().astype(np.float32)
        numbers = numbers.reshape(table.num_rows, kind.list_size)
        if not np.isfinite(numbers).all():
            bad = int(np.flatnonzero(~np.isfinite(numbers).all(axis=1))[0])
            raise KasuError(f"{path}: {table['sentence'][bad]}", "no finite number", "a vector")
        self.path, self.device = path, device
        self.matrix = torch.from_numpy(numbers).to(device)
        self._sentences = table["sentence"].combine_chunks()

    @property
    def width(self) -> int:
        """Numbers of a vector."""
        return self.matrix.shape[1]

    def rows(self, sentences: pa.ChunkedArray, where: object) -> Tensor:
        """The rows of sentences, from a column of lists: (lists, sentences of each).

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
        """The vectors of rows (B, sentences): (B, sentences, width)."""
        return self.matrix.index_select(0, rows.flatten()).view(*rows.shape, self.width)


@dataclass(frozen=True)
class Problems:
    """Problems of one set.

    Attributes:
        table: problem_id, seed, labels, answer and same_train of each.
        context: (problems, 7) rows of the vectors.
        candidates: (problems, 6) likewise.
        answer: (problems) places of the right ones.
    """

    table: pa.Table
    context: Tensor
    candidates: Tensor
    answer: Tensor

    @classmethod
    def read(cls, path: str | Path, answers: str, vectors: Vectors) -> "Problems":
        """Read a split with the answer sets of one variant.

        Raises:
            KasuError: see `read_problems` and `Vectors.rows`.
        """
        table = read_problems(path, answers)
        context = vectors.rows(table["context"], path)
        candidates = vectors.rows(table["candidates"], path)
        answer = torch.from_numpy(table["answer"].to_numpy().astype(np.int64))
        table = table.drop_columns(["context", "candidates"])
        return cls(table, context, candidates, answer.to(vectors.device))

    def __len__(self) -> int:
        return len(self.answer)

    def __add__(self, other: "Problems") -> "Problems":
        return Problems(
            pa.concat_tables([self.table, other.table]),
            torch.cat([self.context, other.context]),
            torch.cat([self.candidates, other.candidates]),
            torch.cat([self.answer, other.answer]),
        )

    def same_train(self, split: str) -> "Problems":
        """Those of a split where all types train on as many problems."""
        rows = np.flatnonzero(pc.equal(self.table["same_train"], split).fill_null(False))
        at = torch.from_numpy(rows).to(self.answer.device)
        return Problems(
            self.table.take(pa.array(rows)), self.context[at], self.candidates[at], self.answer[at]
        )
