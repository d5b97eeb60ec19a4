"""What test sets share with training, counted by hand."""

from itertools import product

import pytest

from kasu.blm.data.names import RegimeData
from kasu.blm.data.problems import PROBLEMS
from kasu.blm.evaluation.overlap import OVERLAP, measure_overlap
from kasu.files.tables import read_tsv, write_parquet

VARIANTS = [{"name": "own", "answers": "released"}]
TYPES = ("type_I", "type_II", "type_III")


def problem(context: str, candidates: str, answer: int = 0) -> dict:
    return {
        "problem_id": context + candidates,
        "context": list(context),
        "candidates": list(candidates),
        "labels": ["True", *"vwxyz"],
        "answer": answer,
        "variant": "released",
        "same_train": None,
    }


TRAIN = [problem("1234567", "abcdef"), problem("1234567", "ghijkl")]
TEST = [
    problem("........", "fedcba")  # the candidates of the first, in another order
    | {"context": list("1234567")},
    problem("1234567", "5mnopq"),  # the right answer is in a context
    problem("1234567", "mgnopq", answer=1),  # the right answer is a candidate
    problem("1234567", "mgnopq"),  # a wrong one is
]


def write(folder, test: list[dict]) -> RegimeData:
    for kind, (split, rows) in product(
        TYPES, {"train": TRAIN, "validation": test, "test": test}.items()
    ):
        write_parquet(folder / kind / f"{split}.parquet", rows, PROBLEMS)
    return RegimeData("allTrain", str(folder))


def test_shares_of_a_training_set(tmp_path):
    regime = write(tmp_path, TEST)
    measure_overlap([regime], tmp_path / "overlap.tsv", variants=VARIANTS)
    rows = read_tsv(tmp_path / "overlap.tsv", OVERLAP)
    assert [(row["train"], row["test"]) for row in rows] == [*product(TYPES, TYPES)]
    assert {tuple(row.values())[4:] for row in rows} == {("4", "0.25", "0.75")}
    assert {(row["variant"], row["regime"]) for row in rows} == {("own", "allTrain")}


def test_folds_are_counted_together(tmp_path):
    folds = [
        write(tmp_path / "1", TEST[:1])._replace(name="bySeed", fold=1),
        write(tmp_path / "2", TEST[1:])._replace(name="bySeed", fold=2),
    ]
    measure_overlap(folds, tmp_path / "overlap.tsv", variants=VARIANTS)
    rows = read_tsv(tmp_path / "overlap.tsv")
    assert len(rows) == 9
    shares = [float(rows[0][name]) for name in ("n", "candidate_sets", "answers")]
    assert shares == pytest.approx([4, 1 / 4, 3 / 4])
