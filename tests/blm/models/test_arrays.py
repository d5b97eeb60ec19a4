"""Vectors of sentences, and what is wrong with them."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

from kasu.base.errors import KasuError
from kasu.blm.models.arrays import EmbeddedProblems, Vectors
from kasu.blm.models.predictions import read_problems, split_path
from kasu.files.tables import write_parquet

CPU = torch.device("cpu")


def test_a_sentence_without_a_vector_is_named(tmp_path, data):
    rows = pq.read_table(data / "embeddings.parquet").slice(1)
    write_parquet(tmp_path / "embeddings.parquet", rows, rows.schema)
    vectors = Vectors(tmp_path / "embeddings.parquet", CPU)
    path = split_path(data, "type_I", "train")
    with pytest.raises(
        KasuError, match=r"train\.parquet: no vector of '0 N1_alter' in .*; expected one"
    ):
        EmbeddedProblems.of(read_problems(path, "paper"), vectors, path)


@pytest.mark.parametrize(
    ("vectors", "line"),
    [
        (pa.array([[1.0, float("nan")]], pa.list_(pa.float32(), 2)), "a: NaN or infinity"),
        (pa.array([[1.0, 2.0]], pa.list_(pa.float32())), "1 rows of list<.*of the same length"),
        (pa.array([], pa.list_(pa.float32(), 2)), "0 rows of fixed_size_list"),
    ],
)
def test_malformed_vectors_are_one_line(tmp_path, vectors, line):
    table = pa.table({"sentence": pa.array(["a"] * len(vectors), pa.string()), "vector": vectors})
    write_parquet(tmp_path / "embeddings.parquet", table, table.schema)
    with pytest.raises(KasuError, match=rf"embeddings\.parquet.*{line}"):
        Vectors(tmp_path / "embeddings.parquet", CPU)
