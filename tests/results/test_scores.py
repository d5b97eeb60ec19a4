"""Rows of scores, and means over them."""

from dataclasses import replace

import pytest

from kasu.files.tables import read_parquet
from kasu.results.scores import SCORES, Score, mean_score, with_all_seeds, write_scores

FACT = Score("blm", "blm2023", table="Table 1", system="CNN", metric="f1")


def test_scores_has_the_columns_of_the_design():
    text, number, count = "string", "double", "int64"
    assert {field.name: str(field.type) for field in SCORES} == {
        "study": text, "paper": text, "table": text, "system": text, "condition": text,
        "metric": text, "value": number, "low": number, "high": number, "n": count, "runs": count,
        "variant": text, "seed": count, "note": text, "predictions": text,
    }  # fmt: skip


def test_scores_are_written_nulls_first(tmp_path):
    keys = [("b", 2), (None, 10), ("b", None), (None, 9), ("a", 1), (None, None)]
    scores = [replace(FACT, variant=variant, seed=seed) for variant, seed in keys]
    scores.append(replace(FACT, system="BERT", variant="z"))
    write_scores(tmp_path / "scores.parquet", scores)
    table = read_parquet(tmp_path / "scores.parquet")
    assert table.schema == SCORES
    assert [(row["variant"], row["seed"]) for row in table.to_pylist()] == [
        ("z", None), (None, None), (None, 9), (None, 10), ("a", 1), ("b", None), ("b", 2),
    ]  # fmt: skip


def test_predictions_are_named_from_the_folder_of_the_study(tmp_path):
    written = []
    for place in ("here", "there/deeper"):
        folder = tmp_path / place / "blm"
        path = folder / "predictions" / "networks.parquet"
        write_scores(folder / "scores.parquet", [replace(FACT, predictions=str(path)), FACT])
        written.append((folder / "scores.parquet").read_bytes())
    names = read_parquet(folder / "scores.parquet")["predictions"].to_pylist()
    assert names == ["predictions/networks.parquet", None]
    assert written[0] == written[1]


@pytest.mark.parametrize("column", ["table", "system", "metric"])
def test_a_score_names_its_figure(tmp_path, column):
    with pytest.raises(ValueError, match="a score without table, system or metric"):
        write_scores(tmp_path / "scores.parquet", [replace(FACT, **{column: ""})])


def figure(value, **more) -> dict:
    return {"value": value, "low": value - 0.03, "high": value + 0.04, "n": 100, "runs": 1} | more


def test_mean_score_of_independent_figures():
    one = replace(FACT, value=0.5, low=0.47, high=0.54, n=100, runs=3, seed=1, note="a")
    other = replace(one, value=0.7, low=0.67, high=0.74, n=50, runs=2, note="b")
    mean = mean_score([replace(one, predictions="a.parquet"), other])
    assert mean == replace(
        FACT,
        value=pytest.approx(0.6),
        # the root of two squares, divided by two languages
        low=pytest.approx(0.6 - 0.03 / 2**0.5),
        high=pytest.approx(0.6 + 0.04 / 2**0.5),
        n=150,
        runs=2,
        seed=1,
        note="mean over 2 languages",
    )
    # An unknown bound is not one of no width
    assert mean_score([replace(one, low=None), other]).low is None
    assert mean_score([replace(one, low=None), other]).high == mean.high
    assert mean_score([one]).note == "mean over 1 language"


def test_a_mean_score_names_the_file_that_all_its_figures_were_taken_from():
    one = replace(FACT, value=0.5, predictions="a.parquet")
    assert mean_score([one, replace(one, value=0.7)]).predictions == "a.parquet"
    assert mean_score([one, replace(one, predictions="b.parquet")]).predictions is None


def test_a_mean_score_with_an_unknown_figure_is_unknown():
    known = replace(FACT, value=0.5, low=0.4, high=0.6, n=10, runs=1, predictions="a.parquet")
    unknown = replace(FACT, note="lost")
    assert mean_score([unknown, known]) == unknown


def test_languages_with_a_single_seed_join_those_over_all_seeds():
    one, two, both = figure(0.2), figure(0.4), figure(0.3)
    seeds = {1: {"a": one, "b": one}, 2: {"a": two}, None: {"a": both}}
    assert with_all_seeds(seeds)[None] == {"a": both, "b": one}
    assert with_all_seeds({1: {"a": one}}) == {1: {"a": one}}
