"""Scores computed by hand: F1, errors, seeds, comparisons."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.blm.data.names import TYPES
from kasu.blm.data.problems import PROBLEMS
from kasu.blm.evaluation.scores import compare, count_problems, f1, score, score_study, share_errors
from kasu.blm.models.predictions import PREDICTIONS
from kasu.files.tables import read_parquet, read_tsv, write_parquet
from kasu.results.comparison import beside
from kasu.results.published import read_published
from kasu.results.scores import SCORES, Score

RIGHT, AE, N1, N2, COORD, MIS = (
    "True", "agreement_error", "N1_alter", "N2_alter", "coordination", "mis_num",
)  # fmt: skip
PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"


def found(rows: list[dict], **where: object) -> dict:
    (row,) = (row for row in rows if all(row[key] == value for key, value in where.items()))
    return row


def scored(rows: list[Score], **where: object) -> Score:
    (row,) = (r for r in rows if all(getattr(r, key) == value for key, value in where.items()))
    return row


# F1 (BLM-16)


@given(st.lists(st.booleans(), min_size=1, max_size=300))
def test_f1_is_the_share_solved(solved):
    assert abs(f1(np.array(solved)) - sum(solved) / len(solved)) < 1e-12


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_f1_is_that_of_the_candidates_taken_as_right(solved):
    true_positives = sum(solved)
    false_positives = false_negatives = len(solved) - true_positives
    precision = true_positives / (true_positives + false_positives)
    recall = true_positives / (true_positives + false_negatives)
    expected = 2 * precision * recall / (precision + recall) if true_positives else 0
    assert abs(f1(np.array(solved)) - expected) < 1e-12


@pytest.mark.parametrize(("right", "total"), [(230, 231), (2499, 3840), (1791, 3840)])
def test_published_figures_without_deviation_are_whole_numbers_of_problems(right, total):
    solved = np.arange(total) < right
    printed = {230: 0.9957, 2499: 0.6508, 1791: 0.4664}[right]
    assert round(f1(solved), 4) == printed


# Scores


def test_mean_and_deviation_over_runs(predicted, cells):
    rows = predicted([RIGHT, RIGHT, RIGHT, N2]) + predicted([RIGHT, N2, N2, N2], seed=2)
    rows = score(cells(rows), 1, "800 steps at most")
    key = {"table": "Table 1", "system": "FFNN", "condition": "allTrain|train=type_I|test=type_I"}
    mean = scored(rows, **key, metric="f1_mean", seed=None)
    assert (mean.value, mean.n, mean.runs) == (0.5, 4, 2)
    assert mean.note == "800 steps at most"
    assert 0 <= mean.low < 0.5 < mean.high <= 1
    assert scored(rows, **key, metric="f1_std").value == pytest.approx(0.5 / np.sqrt(2))
    assert scored(rows, **key, seed=2).value == 0.25
    one = scored(rows, **key, seed=1)
    assert one.value == 0.75
    assert one.note == (
        "800 steps at most; the released code starts all of its runs from this seed"
    )
    figure = scored(rows, **{**key, "table": "Figure 8"}, seed=None)
    assert figure.value == 0.5


def test_a_single_run_has_no_deviation(predicted, cells):
    rows = score(cells(predicted([RIGHT, N2])), 1, "")
    assert {(row.metric, row.seed, row.runs) for row in rows} == {("f1_mean", 1, 1)}


def test_heuristics_are_scored_under_every_training_type(predicted, cells):
    rows = predicted([RIGHT, N2]) + predicted([RIGHT, RIGHT], model="oracle")
    rows = score(cells(rows), 1, "note")
    oracle = [row for row in rows if row.system == "oracle" and row.table == "Table 1"]
    assert [row.condition for row in oracle] == [
        f"allTrain|train={train}|test=type_I" for train in TYPES
    ]
    assert {(row.value, row.seed, row.note) for row in oracle} == {(1.0, None, None)}


def test_the_control_is_in_table_1_only(predicted, cells):
    rows = score(cells(predicted([RIGHT, N2], regime="bySeed")), 1, "")
    assert [(row.table, row.condition) for row in rows] == [
        ("Table 1", "bySeed|train=type_I|test=type_I")
    ]


def test_scores_join_the_published_figures(predicted, cells):
    rows = [
        row
        for regime, train, test, model, seed in product(
            ("allTrain", "sameTrain"), TYPES, TYPES, ("FFNN", "CNN"), (1, 2)
        )
        for row in predicted([RIGHT, N2], model, seed, regime, train, test)
    ]
    ours = score(cells(rows), 1, "")
    for table, figures in (("Table 1", 72), ("Figure 8", 36)):
        shown = beside(map(vars, ours), read_published(PUBLISHED), "blm_agrf2023", table)
        over_all = [row for row in shown if row["seed"] is None and row["published"] is not None]
        assert len(over_all) == figures
        assert all(row["ours"] is not None for row in over_all)


def test_folds_are_one_test_set(predicted, cells):
    rows = predicted([RIGHT, RIGHT, N2, N2], regime="bySeed")
    for fold, row in enumerate(rows, start=1):
        row["fold"] = fold
    (shown,) = score(cells(rows), 1, "")
    assert (shown.value, shown.n, shown.runs) == (0.5, 4, 1)
    # Of two lexical seeds, one was solved: four problems say no more
    assert (shown.low, shown.high) == pytest.approx((0.0015, 0.9985), abs=1e-4)


# Errors (BLM-18)


def test_shares_of_errors_and_their_difference_to_the_reference(predicted, cells):
    rows = predicted([N2, RIGHT, RIGHT, RIGHT], test="type_II", train="type_II")
    rows += predicted([N2, N2, N1, RIGHT], test="type_II", train="type_I")
    errors = share_errors(cells(rows), 1)
    assert len(errors) == 10
    row = found(errors, train="type_I", label=N2)
    assert (row["share"], row["reference"], row["difference"], row["n"]) == (0.5, 0.25, 0.25, 4)
    assert found(errors, train="type_II", label=N2)["difference"] == 0
    assert found(errors, train="type_I", label=N1)["difference"] == 0.25


def test_errors_of_what_only_counts_have_no_reference(predicted, cells):
    rows = predicted([AE, RIGHT], model="frequency")
    for row in rows:
        row["train"] = "type_I"
    (row, *_) = share_errors(cells(rows), 1)
    assert (row["train"], row["label"], row["share"]) == ("type_I", AE, 0.5)
    assert row["reference"] is row["difference"] is None


def test_errors_of_a_heuristic_have_no_reference(predicted, cells):
    (row, *_) = share_errors(cells(predicted([AE, RIGHT], model="random")), 1)
    assert (row["train"], row["label"], row["share"]) == ("", AE, 0.5)
    assert row["reference"] is row["difference"] is None


# Comparisons


def test_networks_are_compared_with_each_other_and_with_heuristics(predicted, cells):
    rows = [
        row
        for model, labels in {
            "FFNN": [RIGHT] * 8,
            "CNN": [RIGHT, N2] * 4,
            "oracle": [RIGHT] * 8,
            "random": [N2] * 8,
        }.items()
        for variant in ("paper", "released")
        for row in predicted(labels, model, variant=variant)
    ]
    both = compare(cells(rows), 1)
    compared = [row for row in both if row["variant"] == "paper"]
    assert len(both) == 2 * len(compared)
    assert {(row["a"], row["b"]) for row in compared} == {
        ("FFNN", "CNN"), ("FFNN", "random"), ("CNN", "random"),
    }  # fmt: skip
    row = found(compared, a="FFNN", b="CNN")
    assert (row["f1_a"], row["f1_b"], row["difference"], row["n"]) == (1.0, 0.5, 0.5, 8)
    # Four lexical seeds: of 8 assignments of signs, up to a global sign, one is as large
    assert row["permutation_p"] == pytest.approx(1 / 8, abs=0.02)
    # Of three comparisons: those of the other variant are another family
    assert row["holm_p"] == pytest.approx(3 / 8, abs=0.06)


# Counts and files


def datasets(folder: Path) -> Path:
    sizes = {"type_I": (6, 2, 2), "type_II": (20, 5, 4), "type_III": (20, 5, 4)}
    for kind, counts in sizes.items():
        every = []
        for split, count in zip(("train", "validation", "test"), counts, strict=True):
            parts = {"train": ["train"] * 6, "validation": ["validation"] * 2}.get(split, [])
            rows = [
                {"problem_id": f"{split}-{row}-{variant}", "variant": variant, "same_train": part}
                for variant in ("released", "paper")
                for row, part in zip(range(count), parts + [None] * count, strict=False)
            ]
            write_parquet(folder / kind / f"{split}.parquet", rows, PROBLEMS)
            every += rows
        write_parquet(folder / kind / "problems.parquet", every, PROBLEMS)
    return folder


def test_counts_have_the_keys_of_the_published_ones(tmp_path):
    rows = count_problems(datasets(tmp_path))
    released = [row for row in rows if row.variant == "released"]
    keys = {(row.table, row.system, row.condition): row.value for row in released}
    assert keys == {
        ("text", "type_I", "all"): 10,
        ("text", "type_I", "train"): 8,
        ("inferred", "type_I", "test"): 2,
        ("text", "type_II", "all"): 29,
        ("inferred", "type_II", "train"): 25,
        ("inferred", "type_II", "test"): 4,
        ("text", "type_III", "all"): 29,
        ("inferred", "type_III", "train"): 25,
        ("inferred", "type_III", "test"): 4,
        ("Table 1", "sameTrain", "train/validation"): 6,
    }
    printed = {
        figure.key[1:4]
        for figure in read_published(PUBLISHED)
        if figure.paper == "blm_agrf2023" and figure.metric == "problems"
    }
    assert set(keys) == printed
    assert scored(released, table="Table 1").note == "train/validation 6/2"


OUTPUTS = ("scores.parquet", "errors.tsv", "comparisons.tsv", "claims.tsv")


def run(folder: Path, predicted) -> Path:
    rows = [
        row
        for train, model, variant, seed in product(
            TYPES, ("FFNN", "CNN"), ("paper", "released"), (1, 2)
        )
        for row in predicted([RIGHT, N2, MIS], model, seed, train=train, variant=variant)
    ]
    heuristics = predicted([N1] * 3, "random") + predicted([N1] * 3, "random", variant="paper")
    write_parquet(folder / "networks.parquet", rows, PREDICTIONS)
    write_parquet(folder / "heuristics.parquet", heuristics, PREDICTIONS)
    score_study(
        [folder / "networks.parquet", folder / "heuristics.parquet"],
        datasets(folder / "datasets"),
        *(folder / name for name in OUTPUTS),
        seed=1,
        untestable=None,
        note="",
    )  # fmt: skip
    return folder


def test_the_study_is_scored_into_four_reproducible_files(tmp_path, predicted):
    one, two = (run(tmp_path / name, predicted) for name in ("one", "two"))
    scores = read_parquet(one / "scores.parquet")
    assert scores.schema == SCORES
    files = {(row["metric"], row["predictions"]) for row in scores.to_pylist()}
    assert files == {
        ("f1_mean", "networks.parquet"), ("f1_std", "networks.parquet"),
        ("f1_mean", "heuristics.parquet"), ("problems", None),
    }  # fmt: skip
    # types, variants, networks, errors; the heuristic is not trained on a type
    assert len(read_tsv(one / "errors.tsv")) == 3 * 2 * 2 * 5 + 2 * 5
    assert len(read_tsv(one / "comparisons.tsv")) == 3 * 2 * 3
    assert len(read_tsv(one / "claims.tsv")) == 2 * (3 + 6 + 1 + 4 + 4)
    for name in OUTPUTS:
        assert (one / name).read_bytes() == (two / name).read_bytes()


@pytest.mark.parametrize(
    ("other", "line"),
    [
        (
            {"model": "random"},
            "FFNN, allTrain.*: 3 problems; expected the same 2 as the other systems",
        ),
        (
            {"seed": 2},
            "FFNN, allTrain.*: a problem repeated in a run, or missing from one; expected each",
        ),
    ],
)
def test_systems_and_runs_must_share_their_problems(predicted, cells, other, line):
    with pytest.raises(KasuError, match=line):
        cells(predicted([RIGHT] * 3) + predicted([RIGHT] * 2, **other))
