"""Scores computed by hand: metrics, null models, seeds, comparisons, and all of a study."""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from kasu.agreement.data.labels import SLOTS, SPLITS
from kasu.agreement.data.verb_number import SCHEMA
from kasu.agreement.evaluation import scores as evaluation
from kasu.agreement.evaluation.scores import (
    compare,
    correct,
    metrics,
    read_predictions,
    score,
)
from kasu.agreement.models.predictions import PREDICTIONS
from kasu.agreement.runs import Run
from kasu.base.errors import KasuError
from kasu.base.scores import SCORES, wilson
from kasu.base.tables import read_parquet, read_tsv, write_counts, write_parquet

GOLD = ["singular", "singular", "plural", "plural", "none", "none"]
PREDICTED = ["singular", "plural", "plural", "none", "none", "singular"]


def frame(
    system: str, gold: list[str], predicted: list[str], slot="dative", variant="paper", seed=None
) -> pd.DataFrame:
    rows = range(len(gold))
    return pd.DataFrame(
        {
            "item_id": [f"s{i}|{variant}" for i in rows],
            "cluster": [f"c{i}" for i in rows],
            "slot": slot,
            "gold": gold,
            "prediction": predicted,
            "variant": variant,
            "seed": pd.Series([seed] * len(gold), dtype="Int64"),
            "system": system,
        }
    )


def values(rows: list[dict], **where: object) -> dict[str, float]:
    return {
        row["metric"]: row["value"]
        for row in rows
        if all(row[key] == value for key, value in where.items())
    }


# Metrics (BASQUE-11)


def test_metrics_by_hand():
    found = {
        name: (int(hits.sum()), int(trials.sum()))
        for name, hits, trials in metrics(np.array(GOLD), np.array(PREDICTED))
    }
    assert found == {
        "accuracy": (3, 6),
        # presence is enough: the wrong number of the second item counts
        "recall": (3, 4),
        "strict_recall": (2, 4),
        "recall_singular": (1, 2),
        "recall_plural": (1, 2),
    }


def test_scores_of_one_run():
    rows = score(frame("bilstm", GOLD, PREDICTED, seed=1), "base", "", 1)
    assert values(rows, system="BiLSTM", condition="Base|dative") == {
        "accuracy": 0.5,
        "recall": 0.75,
        "strict_recall": 0.5,
        "recall_singular": 0.5,
        "recall_plural": 0.5,
    }
    accuracy = rows[0]
    assert {key: accuracy[key] for key in ("study", "paper", "table", "variant", "seed")} == {
        "study": "agreement",
        "paper": "basque2018",
        "table": "Table 4",
        "variant": "paper",
        "seed": 1,
    }
    assert (accuracy["n"], accuracy["runs"], accuracy["note"]) == (6, 1, None)
    assert 0 <= accuracy["low"] < 0.5 < accuracy["high"] <= 1


def test_recall_of_the_absolutive_notes_why_it_is_1():
    gold = ["singular", "plural"]
    rows = score(frame("bilstm", gold, gold, slot="absolutive", seed=1), "base", "", 1)
    notes = {row["metric"]: row["note"] for row in rows}
    assert values(rows)["recall"] == 1.0
    assert notes["recall"] == "by construction: 100.00% of the items mark an absolutive (S-5)"
    assert notes["accuracy"] is None


def test_a_score_of_1_has_wilsons_interval():
    gold = ["singular", "plural"] * 5
    (row,) = (
        row
        for row in score(frame("bilstm", gold, gold, seed=1), "base", "", 1)
        if row["metric"] == "accuracy"
    )
    assert (row["low"], row["high"]) == wilson(10, 10)


def in_clusters(data: pd.DataFrame, size: int) -> pd.DataFrame:
    """The same rows, so many items to a cluster."""
    clusters = [f"c{int(name.partition('|')[0][1:]) // size}" for name in data["item_id"]]
    return data.assign(cluster=clusters)


def test_an_interval_is_over_clusters_of_items():
    """Two articles, one all right and one all wrong, show any share; eight items do not."""
    data = frame("bilstm", ["singular"] * 8, ["singular"] * 4 + ["plural"] * 4, seed=1)
    (row, *_) = score(in_clusters(data, 4), "base", "", 1)
    assert (row["metric"], row["value"], row["low"], row["high"]) == ("accuracy", 0.5, 0.0, 1.0)
    (row, *_) = score(data, "base", "", 1)
    assert 0.0 < row["low"] < row["high"] < 1.0


def test_a_score_of_1_counts_clusters():
    data = frame("bilstm", ["singular"] * 8, ["singular"] * 8, seed=1)
    (row, *_) = score(in_clusters(data, 4), "base", "", 1)
    assert (row["low"], row["high"]) == wilson(2, 2)


def test_recall_without_present_arguments_has_no_value():
    rows = score(frame("bilstm", ["none"] * 3, ["none"] * 3, seed=1), "base", "", 1)
    (recall,) = (row for row in rows if row["metric"] == "recall")
    assert (recall["value"], recall["low"], recall["high"], recall["n"]) == (None, 0.0, 1.0, 0)


def test_nulls_are_in_every_table_with_a_network():
    systems = ("bilstm", "lstm", "majority")
    rows = score(pd.concat(frame(s, GOLD, GOLD) for s in systems), "base", "", 1)
    assert sorted({(row["table"], row["system"]) for row in rows}) == [
        ("Table 4", "BiLSTM"),
        ("Table 4", "majority"),
        ("footnote 6", "majority"),
        ("footnote 6", "unidirectional LSTM"),
    ]


def test_the_condition_names_all_corpora_but_the_first():
    rows = score(frame("bilstm", GOLD, GOLD), "base", "news", 1)
    assert {row["condition"] for row in rows} == {"Base|dative|news"}


def test_several_seeds_have_one_row_each_and_one_over_all():
    half = ["singular", "plural", "plural", "none", "none", "singular"]
    both = pd.concat([frame("bilstm", GOLD, GOLD, seed=1), frame("bilstm", GOLD, half, seed=2)])
    rows = [row for row in score(both, "base", "", 1) if row["metric"] == "accuracy"]
    assert [(row["seed"], row["value"], row["n"], row["runs"]) for row in rows] == [
        (None, 0.75, 6, 2),
        (1, 1.0, 6, 1),
        (2, 0.5, 6, 1),
    ]
    # of 1.0 and 0.5
    assert rows[0]["note"] == "standard deviation over seeds 0.3536"
    assert rows[1]["note"] is None


def test_seeds_without_a_present_argument_have_no_deviation():
    both = pd.concat(frame("bilstm", ["none"] * 3, ["none"] * 3, seed=seed) for seed in (1, 2))
    rows = [row for row in score(both, "base", "", 1) if row["metric"] == "recall"]
    assert [(row["value"], row["n"], row["note"]) for row in rows] == [(None, 0, None)] * 3


# Comparisons


def two(right_a: list[bool], right_b: list[bool], slots=("dative",)) -> pd.DataFrame:
    def side(system: str, right: list[bool], slot: str) -> pd.DataFrame:
        predicted = ["singular" if r else "plural" for r in right]
        return frame(system, ["singular"] * len(right), predicted, slot=slot)

    return pd.concat(
        side(s, r, slot) for slot in slots for s, r in (("bilstm", right_a), ("majority", right_b))
    )


def test_comparison_by_hand():
    (row,) = compare(two([True] * 8 + [False] * 2, [False] * 8 + [True] * 2), "base", "", 1)
    assert {key: row[key] for key in ("condition", "variant", "a", "b", "n")} == {
        "condition": "Base|dative",
        "variant": "paper",
        "a": "bilstm",
        "b": "majority",
        "n": 10,
    }
    assert (row["accuracy_a"], row["accuracy_b"]) == (0.8, 0.2)
    assert row["difference"] == pytest.approx(0.6)
    assert row["low"] < 0.6 < row["high"]
    # 8 against 2: 2 * (C(10,0) + C(10,1) + C(10,2)) / 2^10
    assert row["mcnemar_p"] == pytest.approx(112 / 1024)
    assert row["permutation_p"] == pytest.approx(112 / 1024, abs=0.02)


def test_comparisons_swap_and_resample_whole_clusters():
    data = two([True] * 8, [False] * 8)
    (row,) = compare(in_clusters(data, 4), "base", "", 1)
    # with two clusters, half of the swaps are as extreme; with eight items, 2 of 256 are
    assert row["permutation_p"] == pytest.approx(0.5, abs=0.02)
    (row,) = compare(data, "base", "", 1)
    assert row["permutation_p"] == pytest.approx(2 / 256, abs=0.005)
    mixed = two([True] * 4 + [False] * 4, [False] * 4 + [True] * 4)
    (row,) = compare(in_clusters(mixed, 4), "base", "", 1)
    assert (row["low"], row["high"]) == (-1.0, 1.0)
    (row,) = compare(mixed, "base", "", 1)
    assert -1.0 < row["low"] < row["high"] < 1.0


def test_difference_keeps_its_sign():
    (row,) = compare(two([False] * 10, [True] * 10), "base", "", 1)
    assert row["difference"] == -1.0


def test_equal_systems_do_not_differ():
    (row,) = compare(two([True, False] * 5, [True, False] * 5), "base", "", 1)
    assert (row["difference"], row["mcnemar_p"], row["permutation_p"]) == (0.0, 1.0, 1.0)


def test_holm_corrects_over_the_comparisons_of_a_variant():
    data = two([True] * 12, [False] * 12, slots=SLOTS)
    rows = compare(data, "base", "", 1) + compare(data, "no_verb_lemma", "", 1)
    correct(rows)
    assert len(rows) == 6
    smallest = min(row["permutation_p"] for row in rows)
    assert all(row["holm_p"] >= row["permutation_p"] for row in rows)
    assert min(row["holm_p"] for row in rows) == pytest.approx(6 * smallest)


def test_variants_are_corrected_separately():
    one = two([True] * 12, [False] * 12)
    rows = compare(pd.concat([one, one.assign(variant="released")]), "base", "", 1)
    correct(rows)
    assert [row["holm_p"] == row["permutation_p"] for row in rows] == [True, True]


def test_mcnemar_is_left_out_where_seeds_disagree():
    gold = ["singular"] * 4
    data = pd.concat(
        [
            frame("bilstm", gold, ["singular"] * 4, seed=1),
            frame("bilstm", gold, ["plural"] * 4, seed=2),
            frame("majority", gold, ["plural"] * 4),
        ]
    )
    (row,) = compare(data, "base", "", 1)
    assert (row["accuracy_a"], row["accuracy_b"], row["mcnemar_p"]) == (0.5, 0.0, None)


# Files


def write_predictions(
    path: Path, predicted: list[str], seeds=(None,), gold=GOLD, backwards=False
) -> Path:
    rows = []
    for variant, seed, slot in product(("paper", "released"), seeds, SLOTS):
        one = frame("", gold, predicted, slot, variant, seed).drop(columns="system")
        one = one.astype(object).where(one.notna(), None)
        rows += one.iloc[:: -1 if backwards else 1].to_dict("records")
    write_parquet(path, rows, PREDICTIONS)
    return path


def write_items(path: Path) -> None:
    rows = [
        {"item_id": f"{name}|{variant}", "cluster": name, "variant": variant, "tokens": ["du"],
         "suffixes": ["none"], "dative": "none", "third_plural_ergative": True}
        for name in "ab" for variant in ("paper", "released")
    ]  # fmt: skip
    columns = [SCHEMA.field(name) for name in rows[0]]
    write_parquet(path, rows, pa.schema(columns))


def run(folder: Path, corpora: tuple[str, ...] = ("demo",)) -> Path:
    folder.mkdir(exist_ok=True)
    counts = {f"{v}: {s}": 6 for v in ("paper", "released") for s in SPLITS}
    write_counts(folder / "counts.tsv", {"sentences": 9, **counts})
    write_items(folder / "test.parquet")
    predicted = {"bilstm": (GOLD, (1, 2)), "majority": (["singular"] * 6, (None,))}
    runs = [
        Run(
            system,
            corpus,
            "base",
            write_predictions(folder / f"{system}-{corpus}.parquet", *predicted[system]),
        )
        for system, corpus in product(predicted, corpora)
    ]
    evaluation.score_study(
        runs, folder, folder / "scores.parquet", folder / "comparisons.tsv",
        folder / "claims.tsv", main_corpus=corpora[0], untestable=None, seed=1,
    )  # fmt: skip
    return folder


def test_study_is_scored_into_three_files(tmp_path):
    run(tmp_path)
    scores = read_parquet(tmp_path / "scores.parquet")
    assert scores.schema == SCORES
    rows = scores.to_pylist()
    found = {"table": "Table 4", "condition": "Base|ergative", "variant": "released", "seed": None}
    assert values(rows, system="BiLSTM", **found)["accuracy"] == 1.0
    assert values(rows, system="majority", **found)["accuracy"] == pytest.approx(1 / 3)
    assert len(read_tsv(tmp_path / "comparisons.tsv")) == 6
    assert len(read_tsv(tmp_path / "claims.tsv")) == 14


def test_the_facts_of_the_corpus_are_among_the_scores(tmp_path):
    rows = read_parquet(run(tmp_path, ("demo", "news")) / "scores.parquet").to_pylist()
    facts = [row for row in rows if row["system"] == "corpus" and row["variant"] == "paper"]
    assert {row["table"] for row in facts} == {"section 5", "section 6.1", "section 7"}
    assert len(facts) == 4 + 1 + 2


def test_claims_are_judged_on_the_main_corpus_and_the_papers_condition(tmp_path):
    rows = read_tsv(run(tmp_path, ("demo", "news")) / "claims.tsv")
    assert len(rows) == 2 * 7
    (ergative,) = (
        r for r in rows if "number of the ergative" in r["claim"] and r["variant"] == "paper"
    )
    # 6 items right of 6 against 2 of 6: each item is a cluster, run twice
    assert ergative["evidence"].startswith("1.0000 and 0.3333, difference +0.6667 ")


def test_the_second_corpus_has_its_name_in_the_condition(tmp_path):
    rows = read_parquet(run(tmp_path, ("demo", "news")) / "scores.parquet").to_pylist()
    conditions = {row["condition"] for row in rows}
    assert {"Base|dative", "Base|dative|news"} <= conditions


def test_scores_are_sorted_with_the_row_over_all_seeds_last(tmp_path):
    rows = read_parquet(run(tmp_path) / "scores.parquet").to_pylist()
    keys = [(row["table"], row["system"], row["condition"], row["metric"]) for row in rows]
    assert keys == sorted(keys)
    chosen = {"system": "BiLSTM", "condition": "Base|dative", "metric": "accuracy"}
    of = [row for row in rows if all(row[key] == value for key, value in chosen.items())]
    assert [(row["variant"], row["seed"]) for row in of] == [
        ("paper", 1), ("paper", 2), ("paper", None),
        ("released", 1), ("released", 2), ("released", None),
    ]  # fmt: skip


def test_scores_are_the_same_bytes_twice(tmp_path):
    one, two = run(tmp_path / "one"), run(tmp_path / "two")
    for name in ("scores.parquet", "comparisons.tsv", "claims.tsv"):
        assert (one / name).read_bytes() == (two / name).read_bytes()


def test_comparisons_of_all_corpora_are_corrected_together(tmp_path):
    rows = read_tsv(run(tmp_path, ("demo", "news", "web")) / "comparisons.tsv")
    paper = [row for row in rows if row["variant"] == "paper"]
    assert len(paper) == 9
    lowest = min(float(row["permutation_p"]) for row in paper)
    assert min(float(row["holm_p"]) for row in paper) == pytest.approx(min(9 * lowest, 1))


def test_predictions_are_read_as_numbers_and_categories(tmp_path):
    paths = {
        "majority": write_predictions(tmp_path / "a.parquet", GOLD),
        "bilstm": write_predictions(
            tmp_path / "b.parquet", PREDICTED, seeds=(1, 2), backwards=True
        ),
    }
    data = read_predictions(paths, "released")
    assert data.dtypes.map(str).to_dict() == {
        "item_id": "int8",
        "cluster": "int8",
        **dict.fromkeys(("slot", "gold", "prediction", "variant"), "category"),
        "seed": "float64",
        "system": "category",
    }
    assert len(data) == 6 * 3 + 6 * 3 * 2
    # all labels, in their order, whichever of them a file has
    assert list(data["prediction"].cat.categories) == ["none", "singular", "plural"]
    assert list(data["slot"].cat.categories) == ["ergative", "absolutive", "dative"]
    # the last item comes first in the file of the second system
    assert data["item_id"].tolist()[:18:6] == [0, 0, 0]
    assert data["item_id"].tolist()[18::6] == [5] * 6
    assert set(data["variant"]) == {"released"}


def test_scores_do_not_depend_on_the_order_of_rows(tmp_path):
    """The expected numbers come from a version that compared the names of items and clusters."""
    paths = {
        "majority": write_predictions(tmp_path / "a.parquet", GOLD),
        "bilstm": write_predictions(tmp_path / "b.parquet", PREDICTED, seeds=(1,), backwards=True),
    }
    data = read_predictions(paths, "paper")
    rows = score(data, "base", "", 1)
    found = values(rows, system="BiLSTM", condition="Base|dative")
    assert found["accuracy"] == 0.5
    row = next(row for row in rows if row["system"] == "BiLSTM" and row["metric"] == "recall")
    assert (row["low"], row["high"]) == (0.25, 1.0)
    (row, *_) = compare(data, "base", "", 1)
    assert (row["a"], row["b"], row["difference"], row["low"], row["high"]) == (
        "bilstm", "majority", -0.5, -0.8333333333333334, -0.16666666666666666,
    )  # fmt: skip


def test_systems_must_share_their_items(tmp_path):
    paths = {
        "bilstm": write_predictions(tmp_path / "a.parquet", GOLD),
        "majority": write_predictions(tmp_path / "b.parquet", GOLD[:5], gold=GOLD[:5]),
    }
    with pytest.raises(KasuError, match=r"b\.parquet: other test items than the first system's"):
        read_predictions(paths, "paper")


def test_predictions_without_a_column_are_one_line(tmp_path):
    write_parquet(tmp_path / "a.parquet", [{"x": 1}], pa.schema([("x", pa.int64())]))
    with pytest.raises(KasuError, match=r"a\.parquet: unreadable parquet"):
        read_predictions({"bilstm": tmp_path / "a.parquet"}, "paper")
