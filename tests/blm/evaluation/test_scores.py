"""Scores computed by hand: F1, errors, seeds, comparisons and the paper's claims."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.comparison import beside
from kasu.base.errors import KasuError
from kasu.base.published import read_published
from kasu.base.scores import SCORES
from kasu.base.tables import read_parquet, read_tsv, write_parquet
from kasu.base.verdicts import judge_claims
from kasu.blm.data.problems import PROBLEMS
from kasu.blm.evaluation.cells import Cell, Key, read_cells
from kasu.blm.evaluation.claims import list_claims
from kasu.blm.evaluation.scores import compare, count_problems, f1, score, score_study, share_errors
from kasu.blm.models.predictions import PREDICTIONS
from kasu.blm.names import NULLS

TYPES = ("type_I", "type_II", "type_III")
RIGHT, AE, N1, N2, COORD, MIS = (
    "True", "agreement_error", "N1_alter", "N2_alter", "coordination", "mis_num",
)  # fmt: skip
PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"


def predicted(
    labels: list[str], model="FFNN", seed=1, regime="allTrain", train="type_I", test="type_I",
    variant="released",
) -> list[dict]:  # fmt: skip
    """One run: the labels it chose, problem by problem; two problems per lexical seed."""
    trained = model in ("FFNN", "CNN")
    return [
        {
            "regime": regime, "fold": None, "train": train if trained else None, "test": test,
            "model": model, "variant": variant, "seed": seed if trained else None,
            "capped": False if trained else None, "problem_id": f"{test}-{row}",
            "cluster": row // 2, "chosen": 2 if label == RIGHT else 3, "label": label, "answer": 2,
        }
        for row, label in enumerate(labels)
    ]  # fmt: skip


def cells(folder: Path, rows: list[dict]) -> dict[Key, Cell]:
    write_parquet(folder / "predictions.parquet", rows, PREDICTIONS)
    return read_cells([folder / "predictions.parquet"])


def found(rows: list[dict], **where: object) -> dict:
    (row,) = (row for row in rows if all(row[key] == value for key, value in where.items()))
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


def test_mean_and_deviation_over_runs(tmp_path):
    rows = predicted([RIGHT, RIGHT, RIGHT, N2]) + predicted([RIGHT, N2, N2, N2], seed=2)
    rows = score(cells(tmp_path, rows), 1, "800 steps at most")
    key = {"table": "Table 1", "system": "FFNN", "condition": "allTrain|train=type_I|test=type_I"}
    mean = found(rows, **key, metric="f1_mean", seed=None)
    assert (mean["value"], mean["n"], mean["runs"]) == (0.5, 4, 2)
    assert mean["note"] == "800 steps at most"
    assert 0 <= mean["low"] < 0.5 < mean["high"] <= 1
    assert found(rows, **key, metric="f1_std")["value"] == pytest.approx(0.5 / np.sqrt(2))
    assert found(rows, **key, seed=2)["value"] == 0.25
    one = found(rows, **key, seed=1)
    assert one["value"] == 0.75
    assert one["note"] == (
        "800 steps at most; the released code starts all of its runs from this seed"
    )
    figure = found(rows, **{**key, "table": "Figure 8"}, seed=None)
    assert figure["value"] == 0.5


def test_a_single_run_has_no_deviation(tmp_path):
    rows = score(cells(tmp_path, predicted([RIGHT, N2])), 1, "")
    assert {(row["metric"], row["seed"], row["runs"]) for row in rows} == {("f1_mean", 1, 1)}


def test_heuristics_are_scored_under_every_training_type(tmp_path):
    rows = predicted([RIGHT, N2]) + predicted([RIGHT, RIGHT], model="oracle")
    rows = score(cells(tmp_path, rows), 1, "note")
    oracle = [row for row in rows if row["system"] == "oracle" and row["table"] == "Table 1"]
    assert [row["condition"] for row in oracle] == [
        f"allTrain|train={train}|test=type_I" for train in TYPES
    ]
    assert {(row["value"], row["seed"], row["note"]) for row in oracle} == {(1.0, None, None)}


def test_the_control_is_in_table_1_only(tmp_path):
    rows = score(cells(tmp_path, predicted([RIGHT, N2], regime="bySeed")), 1, "")
    assert [(row["table"], row["condition"]) for row in rows] == [
        ("Table 1", "bySeed|train=type_I|test=type_I")
    ]


def test_scores_join_the_published_figures(tmp_path):
    rows = [
        row
        for regime, train, test, model, seed in product(
            ("allTrain", "sameTrain"), TYPES, TYPES, ("FFNN", "CNN"), (1, 2)
        )
        for row in predicted([RIGHT, N2], model, seed, regime, train, test)
    ]
    ours = score(cells(tmp_path, rows), 1, "")
    for table, figures in (("Table 1", 72), ("Figure 8", 36)):
        shown = beside(ours, read_published(PUBLISHED), "blm_agrf2023", table)
        over_all = [row for row in shown if row["seed"] is None and row["published"] is not None]
        assert len(over_all) == figures
        assert all(row["ours"] is not None for row in over_all)


def test_folds_are_one_test_set(tmp_path):
    rows = predicted([RIGHT, RIGHT, N2, N2], regime="bySeed")
    for fold, row in enumerate(rows, start=1):
        row["fold"] = fold
    (shown,) = score(cells(tmp_path, rows), 1, "")
    assert (shown["value"], shown["n"], shown["runs"]) == (0.5, 4, 1)
    # Draws take both lexical seeds, of which one was solved, or one of them twice
    assert (shown["low"], shown["high"]) == (0.0, 1.0)


# Errors (BLM-18)


def test_shares_of_errors_and_their_difference_to_the_reference(tmp_path):
    rows = predicted([N2, RIGHT, RIGHT, RIGHT], test="type_II", train="type_II")
    rows += predicted([N2, N2, N1, RIGHT], test="type_II", train="type_I")
    errors = share_errors(cells(tmp_path, rows), 1)
    assert len(errors) == 10
    row = found(errors, train="type_I", label=N2)
    assert (row["share"], row["reference"], row["difference"], row["n"]) == (0.5, 0.25, 0.25, 4)
    assert found(errors, train="type_II", label=N2)["difference"] == 0
    assert found(errors, train="type_I", label=N1)["difference"] == 0.25


def test_errors_of_what_only_counts_have_no_reference(tmp_path):
    rows = predicted([AE, RIGHT], model="frequency")
    for row in rows:
        row["train"] = "type_I"
    (row, *_) = share_errors(cells(tmp_path, rows), 1)
    assert (row["train"], row["label"], row["share"]) == ("type_I", AE, 0.5)
    assert row["reference"] is row["difference"] is None


def test_errors_of_a_heuristic_have_no_reference(tmp_path):
    (row, *_) = share_errors(cells(tmp_path, predicted([AE, RIGHT], model="random")), 1)
    assert (row["train"], row["label"], row["share"]) == ("", AE, 0.5)
    assert row["reference"] is row["difference"] is None


# Comparisons


def test_networks_are_compared_with_each_other_and_with_heuristics(tmp_path):
    rows = [
        row
        for model, labels in {
            "FFNN": [RIGHT] * 8,
            "CNN": [RIGHT, N2] * 4,
            "oracle": [RIGHT] * 8,
            "random": [N2] * 8,
        }.items()
        for row in predicted(labels, model)
    ]
    compared = compare(cells(tmp_path, rows), 1)
    assert {(row["a"], row["b"]) for row in compared} == {
        ("FFNN", "CNN"), ("FFNN", "random"), ("CNN", "random"),
    }  # fmt: skip
    row = found(compared, a="FFNN", b="CNN")
    assert (row["f1_a"], row["f1_b"], row["difference"], row["n"]) == (1.0, 0.5, 0.5, 8)
    # Four lexical seeds: of 8 assignments of signs, up to a global sign, one is as large
    assert row["permutation_p"] == pytest.approx(1 / 8, abs=0.02)
    assert row["holm_p"] == pytest.approx(3 / 8, abs=0.06)


# Claims (BLM-20)


ALL_DATA = [{"train": train, "test": test} for train in TYPES for test in TYPES]


def nulls(labels: list[str], **cell: str) -> list[dict]:
    return [row for null in NULLS for row in predicted(labels, null, **cell)]


def full(ffnn: list[str], cnn: list[str], null: list[str]) -> list[dict]:
    """All nine cells of both networks, and the nulls on each test set."""
    rows = [row for test in TYPES for row in nulls(null, test=test)]
    for cell in ALL_DATA:
        rows += predicted(ffnn, **cell) + predicted(cnn, "CNN", **cell)
    return rows


def judged(folder: Path, rows: list[dict], local=False) -> dict[str, tuple[str, str]]:
    claims = judge_claims("paper", list_claims(cells(folder, rows), local=local))
    return {row["claim"]: (row["result"], row["evidence"]) for row in claims}


RULES = "To find the right answer on type_II, a model must detect the rules (abstract)"
WELL = "With all training data, the FFNN does well on type_II (§3.2)"
BETTER = "The FFNN does better than the CNN on all training data (§3.2)"
COLLAPSE = "With as few problems as type I has, the FFNN collapses on type_II (§3.2)"
MOST = "Most errors of the FFNN are N2_alter (§3.2)"
RARE = "coordination and mis_num are rare errors of the FFNN (§3.2)"


def test_claims_that_hold(tmp_path):
    rows = full([RIGHT, N2] * 11 + [RIGHT, N1], [N2, N2] * 12, [N1] * 24)
    rows += predicted([AE, N1] * 12, regime="sameTrain", train="type_II", test="type_II")
    claims = judged(tmp_path, rows)
    named = (RULES, WELL, BETTER, COLLAPSE, MOST, RARE)
    assert {claim: claims[claim][0] for claim in named} == dict.fromkeys(named, "holds")
    assert claims[BETTER][1].startswith("above 0 in 9 of 9 cells, difference +0.5000 (")
    assert claims[COLLAPSE][1].startswith("0.5000 with all, 0.0000 with few, difference +0.5000 (")
    assert claims[MOST][1].startswith(
        "N2_alter 0.4583, N1_alter 0.0417, above 0 in 9 of 9 cells, difference +0.4167 ("
    )
    assert claims[RARE][1].startswith("above 0 in 9 of 9 cells, difference +0.1667 (")


HALF, OTHER_HALF = [RIGHT, N2] * 16, [N2, RIGHT] * 16


@pytest.mark.parametrize(
    ("ffnn", "cnn", "result"),
    [
        ([RIGHT] * 32, HALF, "holds"),
        (HALF, [RIGHT] * 32, "fails"),
        (HALF, OTHER_HALF, "undecided"),
    ],
)
def test_claim_of_a_difference(tmp_path, ffnn, cnn, result):
    assert judged(tmp_path, full(ffnn, cnn, [N1] * 32))[BETTER][0] == result


@pytest.mark.parametrize(
    ("network", "null", "well", "rules"),
    [
        (HALF, [N1] * 32, "holds", "holds"),
        (HALF, [RIGHT] * 32, "fails", "fails"),
        ([RIGHT] * 32, [RIGHT] * 32, "undecided", "fails"),  # what a null can do earns no credit
    ],
)
def test_a_network_is_credited_only_above_every_null(tmp_path, network, null, well, rules):
    claims = judged(tmp_path, full(network, network, null))
    assert (claims[WELL][0], claims[RULES][0]) == (well, rules)


def test_one_null_takes_the_credit(tmp_path):
    rows = full(HALF, HALF, [N1] * 32)
    rows = [row for row in rows if (row["model"], row["test"]) != ("medoid", "type_II")]
    rows += predicted([RIGHT] * 32, "medoid", test="type_II")
    claims = judged(tmp_path, rows)
    assert (claims[WELL][0], claims[RULES][0]) == ("fails", "fails")
    assert "minus medoid, difference -0.5000 (" in claims[WELL][1]
    assert "minus parallelogram, difference +0.5000 (" in claims[WELL][1]


@pytest.mark.parametrize(
    ("labels", "most", "rare"),
    [
        ([N2] * 6 + [RIGHT] * 2, "holds", "holds"),
        ([COORD] * 8, "fails", "fails"),
        ([RIGHT] * 8, "undecided", "undecided"),
    ],
)
def test_claims_on_errors(tmp_path, labels, most, rare):
    claims = judged(tmp_path, full(labels * 4, labels * 4, [N1] * 32))
    assert (claims[MOST][0], claims[RARE][0]) == (most, rare)


def test_a_claim_about_networks_that_did_not_run_is_untestable(tmp_path):
    claims = judged(tmp_path, predicted([RIGHT, N2]))
    missing = ("untestable here", "a system or a regime that it takes did not run")
    assert {claims[name] for name in (RULES, WELL, BETTER, COLLAPSE)} == {missing}


def test_a_network_that_its_cap_stopped_is_no_evidence(tmp_path):
    rows = full(HALF, [RIGHT] * 32, [RIGHT] * 32)
    for row in rows:
        row["capped"] = (row["model"] == "FFNN" and row["test"] == "type_II") or None
    claims = judged(tmp_path, rows)
    capped = (
        "untestable here",
        "max_steps ended the training of a network before its epochs or its patience did",
    )
    assert claims[WELL] == claims[BETTER] == claims[MOST] == capped
    assert claims[RULES][0] == "fails"  # nulls have no cap


def test_claims_say_nothing_of_problems_that_are_not_the_papers(tmp_path):
    claims = judged(tmp_path, full(HALF, HALF, [RIGHT] * 32), local=True)
    assert set(claims.values()) == {("untestable here", "the problems are not the paper's")}


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
    released = [row for row in rows if row["variant"] == "released"]
    keys = {(row["table"], row["system"], row["condition"]): row["value"] for row in released}
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
    assert found(released, table="Table 1")["note"] == "train/validation 6/2"


OUTPUTS = ("scores.parquet", "errors.tsv", "comparisons.tsv", "claims.tsv")


def run(folder: Path) -> Path:
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
        local=False,
        note="",
    )  # fmt: skip
    return folder


def test_the_study_is_scored_into_four_reproducible_files(tmp_path):
    one, two = run(tmp_path / "one"), run(tmp_path / "two")
    assert read_parquet(one / "scores.parquet").schema == SCORES
    # types, variants, networks, errors; the heuristic is not trained on a type
    assert len(read_tsv(one / "errors.tsv")) == 3 * 2 * 2 * 5 + 2 * 5
    assert len(read_tsv(one / "comparisons.tsv")) == 3 * 2 * 3
    assert len(read_tsv(one / "claims.tsv")) == 2 * (3 + 6 + 1 + 4 + 4)
    for name in OUTPUTS:
        assert (one / name).read_bytes() == (two / name).read_bytes()


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        (
            predicted([RIGHT] * 3) + predicted([RIGHT] * 2, model="random"),
            "FFNN, allTrain.*: 3 problems; expected the same 2 as the other systems",
        ),
        (
            predicted([RIGHT] * 3) + predicted([RIGHT] * 2, seed=2),
            "FFNN, allTrain.*: a problem repeated in a run, or missing from one; expected each",
        ),
    ],
)
def test_systems_and_runs_must_share_their_problems(tmp_path, rows, line):
    with pytest.raises(KasuError, match=line):
        cells(tmp_path, rows)
