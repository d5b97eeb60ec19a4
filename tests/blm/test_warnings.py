"""Warnings of BLM: an encoder with one vector, an oracle that fails, networks that choose by place
or like a null."""

import math

import pyarrow as pa
import pytest

from kasu.blm.models.predictions import PREDICTIONS
from kasu.blm.warnings import find_warnings
from kasu.files.tables import write_counts, write_parquet
from kasu.results.warnings.table import ResultWarning

ANSWERS = [number % 6 for number in range(30)]
OTHERS = [(number + number // 6) % 6 for number in range(30)]
VECTORS = [[1.0, 2.0], [1.0, 2.0], [1.0, 2.5]]


@pytest.fixture
def find(tmp_path):
    """Find the warnings of vectors and counts, and of choices by (model, train, seed)."""

    def run(vectors, networks=(), heuristics=(), encoding="camembert-mean", **counts):
        files = {}
        for name, runs in (("networks", networks), ("heuristics", heuristics)):
            rows = [
                dict.fromkeys(PREDICTIONS.names)
                | {"regime": "allTrain", "test": "type_I", "variant": "released"}
                | {"model": model, "train": train, "seed": seed, "chosen": chosen, "answer": right}
                for (model, train, seed), choices in dict(runs).items()
                for chosen, right in zip(choices, ANSWERS, strict=True)
            ]
            files[name] = [str(tmp_path / f"{name}.parquet")]
            write_parquet(files[name][0], rows, PREDICTIONS)
        schema = pa.schema([("sentence", pa.string()), ("vector", pa.list_(pa.float32(), 2))])
        rows = [{"sentence": str(at), "vector": vector} for at, vector in enumerate(vectors)]
        files["embeddings"] = [str(tmp_path / "vectors.parquet")]
        write_parquet(files["embeddings"][0], rows, schema)
        files["counts"] = [str(tmp_path / "counts.tsv")]
        each = {"distinct": len(rows), "distinct vectors": len(rows)}
        if encoding != "states":
            each |= {"with unknown text": 0, "cut": 0}
        write_counts(files["counts"][0], each | counts)
        return list(find_warnings(files, encodings=[encoding]))

    return run


@pytest.mark.parametrize(
    ("vectors", "wrong"),
    [
        (VECTORS[:2], "gives every sentence the same vector"),
        ([[math.nan, 1.0], [0.5, math.inf]], "gives no sentence a finite vector"),
    ],
)
def test_vectors_that_tell_no_sentences_apart(find, vectors, wrong):
    assert find(vectors) == [ResultWarning("camembert-mean", wrong, "2 sentences")]


@pytest.mark.parametrize("vectors", [VECTORS, VECTORS[:1], [[1.0, math.nan], [1.0, 2.0]]])
def test_vectors_that_may_be_right(find, vectors):
    assert find(vectors) == []


@pytest.mark.parametrize(
    ("counts", "wrong"),
    [
        (
            {"with unknown text": 50},
            "has no tokens for some text of many sentences, and cannot tell unknown words apart",
        ),
        ({"cut": 50}, "reads only the beginning of many sentences, which are too long for it"),
        ({"distinct vectors": 950}, "gives many sentences the vector of another"),
    ],
)
def test_an_encoder_that_misreads_many_sentences(find, counts, wrong):
    where = "50 of 1,000 sentences"
    each = {"distinct": 1000, "distinct vectors": 1000}
    assert find(VECTORS, **each | counts) == [ResultWarning("camembert-mean", wrong, where)]


@pytest.mark.parametrize(
    "counts", [{"with unknown text": 49}, {"cut": 49}, {"distinct vectors": 951}]
)
def test_an_encoder_that_misreads_few_sentences(find, counts):
    assert find(VECTORS, **{"distinct": 1000, "distinct vectors": 1000} | counts) == []


def test_state_features_may_give_sentences_one_vector(find):
    assert find(VECTORS, encoding="states", **{"distinct": 1000, "distinct vectors": 9}) == []


def test_a_network_that_chooses_by_place(find):
    assert find(VECTORS, {("FFNN", "type_I", 1): [3] * 30, ("CNN", "type_I", 1): OTHERS}) == [
        ResultWarning(
            "FFNN",
            "gives the same answer, '3', to every item",
            "allTrain, type_I → type_I, released, 30 problems, seed 1",
        )
    ]


@pytest.mark.parametrize("train", ["type_I", None])
def test_a_network_that_chooses_as_a_null_does(find, train):
    (found,) = find(VECTORS, {("FFNN", "type_I", 1): OTHERS}, {("medoid", train, None): OTHERS})
    assert found.warning == "answers as medoid does in 99% of the items or more"


def test_problems_that_the_oracle_does_not_solve(find):
    assert find(VECTORS, {}, {("oracle", None, None): [*ANSWERS[:28], -1, 0]}) == [
        ResultWarning(
            "oracle",
            "does not solve every problem: some sentences can be read in two ways, or in none",
            "allTrain, type_I, released, 2 of 30 problems",
        )
    ]


def test_choices_of_the_oracle_or_of_another_training_set_are_no_null(find):
    beside = {("oracle", None, None): OTHERS, ("frequency", "type_II", None): OTHERS}
    found = find(VECTORS, {("FFNN", "type_I", 1): OTHERS}, beside)
    assert [each.system for each in found] == ["oracle"]
