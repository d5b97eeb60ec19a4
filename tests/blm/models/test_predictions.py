"""Problems as they are read, and the predictions of heuristics."""

import numpy as np
import pyarrow.parquet as pq
import pytest

from kasu.base.errors import KasuError
from kasu.blm.data.names import TYPES, RegimeData
from kasu.blm.data.problems import PROBLEMS
from kasu.blm.models.predictions import (
    PREDICTIONS,
    predict_heuristics,
    read_problems,
    read_training,
    split_path,
)
from kasu.files.tables import write_parquet

VARIANTS = [{"name": name, "answers": name} for name in ("paper", "released")]


def solved(rows: list[dict], model: str) -> float:
    chosen = [row["chosen"] == row["answer"] for row in rows if row["model"] == model]
    return sum(chosen) / len(chosen)


# Problems


def test_an_unknown_answer_set_is_one_line(data):
    with pytest.raises(KasuError, match="answers: 'mine'; expected released or paper"):
        read_problems(split_path(data, "type_I", "test"), "mine")


def test_a_problem_with_a_wrong_number_of_candidates_is_named(tmp_path, data):
    rows = pq.read_table(split_path(data, "type_I", "test")).to_pylist()
    row = next(row for row in rows if row["variant"] == "paper")
    row["candidates"] = row["candidates"][:5]
    write_parquet(tmp_path / "test.parquet", rows, PROBLEMS)
    with pytest.raises(KasuError, match=f"{row['problem_id']}: 5 in candidates; expected 6"):
        read_problems(tmp_path / "test.parquet", "paper")


def test_same_train_without_marked_problems_is_one_line(tmp_path, data):
    for split in ("train", "validation"):
        rows = pq.read_table(split_path(data, "type_I", split)).to_pylist()
        unmarked = [row | {"same_train": None} for row in rows]
        write_parquet(split_path(tmp_path, "type_I", split), unmarked, PROBLEMS)
    with pytest.raises(KasuError, match=r"train\.parquet: no problems of sameTrain"):
        read_training(RegimeData("sameTrain", str(tmp_path)), "type_I", "paper")


# Heuristics


def test_heuristics_write_the_same_schema_as_networks(tmp_path, data):
    predict_heuristics(
        [RegimeData("allTrain", str(data))],
        tmp_path / "heuristics.parquet",
        heuristics={
            "oracle": lambda problems: problems["answer"].to_pylist(),
            "first": lambda problems: [0] * problems.num_rows,
            "none": lambda problems: [-1] * problems.num_rows,
        },
        learned={},
        variants=VARIANTS,
    )
    table = pq.read_table(tmp_path / "heuristics.parquet")
    assert table.schema.equals(PREDICTIONS)
    rows = table.to_pylist()
    assert len(rows) == 2 * 3 * 3 * 30
    assert solved(rows, model="oracle") == 1.0
    assert 0 < solved(rows, model="first") < 0.4
    assert {row["label"] for row in rows if row["model"] == "none"} == {"none"}
    assert {(row["train"], row["seed"]) for row in rows} == {(None, None)}


def test_heuristics_choose_where_the_networks_of_a_variant_do(tmp_path, data):
    variants = [VARIANTS[1], VARIANTS[1] | {"name": "other", "regimes": ["allTrain"]}]
    regimes = [RegimeData(name, str(data)) for name in ("allTrain", "sameTrain")]
    predict_heuristics(
        regimes,
        tmp_path / "p.parquet",
        heuristics={"first": lambda problems: [0] * problems.num_rows},
        learned={"second": lambda training, problems: np.ones(problems.num_rows, int)},
        variants=variants,
    )
    rows = pq.read_table(tmp_path / "p.parquet").to_pylist()
    assert {(row["variant"], row["regime"]) for row in rows} == {
        ("released", "allTrain"), ("released", "sameTrain"), ("other", "allTrain")
    }  # fmt: skip
    assert {row["model"] for row in rows} == {"first", "second"}


def test_what_learns_from_training_problems_has_a_row_for_each_type(tmp_path, data):
    def by_count(training, problems):
        return np.full(problems.num_rows, training.num_rows % 5)

    predict_heuristics(
        [
            RegimeData("allTrain", str(data)),
            RegimeData("sameTrain", str(data)),
            RegimeData("bySeed", str(data), 2),
        ],
        tmp_path / "heuristics.parquet",
        heuristics={},
        learned={"by_count": by_count},
        variants=VARIANTS[:1],
    )
    rows = pq.read_table(tmp_path / "heuristics.parquet").to_pylist()
    assert len(rows) == 3 * 3 * 3 * 30
    # 60 problems to train; 32 of them for sameTrain
    assert {(row["regime"], row["fold"], row["chosen"]) for row in rows} == {
        ("allTrain", None, 0), ("sameTrain", None, 2), ("bySeed", 2, 0),
    }  # fmt: skip
    assert {row["train"] for row in rows} == set(TYPES)
    assert {(row["seed"], row["capped"]) for row in rows} == {(None, None)}
