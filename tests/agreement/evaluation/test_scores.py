"""Scores computed by hand: metrics, null models, seeds, comparisons."""

import numpy as np
import pandas as pd
import pytest

from kasu.agreement.evaluation.scores import PRINTED, compare, metrics, score
from kasu.results.scores import Score
from kasu.results.statistics import wilson

GOLD = ["singular", "singular", "plural", "plural", "none", "none"]
FILES = {system: f"{system}.parquet" for system in ("bilstm", "lstm", "majority")}
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


def values(rows: list[Score], **where: object) -> dict[str, float]:
    return {
        row.metric: row.value
        for row in rows
        if all(getattr(row, key) == value for key, value in where.items())
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
    rows = score(frame("bilstm", GOLD, PREDICTED, seed=1), FILES, "base", "", 1)
    assert values(rows, system="BiLSTM", condition="Base|dative") == {
        "accuracy": 0.5,
        "recall": 0.75,
        "strict_recall": 0.5,
        "recall_singular": 0.5,
        "recall_plural": 0.5,
    }
    accuracy = rows[0]
    assert {
        key: getattr(accuracy, key) for key in ("study", "paper", "table", "variant", "seed")
    } == {
        "study": "agreement",
        "paper": "basque2018",
        "table": "Table 4",
        "variant": "paper",
        "seed": 1,
    }
    assert (accuracy.n, accuracy.runs, accuracy.note) == (6, 1, None)
    assert 0 <= accuracy.low < 0.5 < accuracy.high <= 1


def test_recall_of_the_absolutive_notes_why_it_is_1():
    gold = ["singular", "plural"]
    rows = score(frame("bilstm", gold, gold, slot="absolutive", seed=1), FILES, "base", "", 1)
    notes = {row.metric: row.note for row in rows}
    assert values(rows)["recall"] == 1.0
    assert notes["recall"] == "by construction: 100.00% of the items mark an absolutive (S-5)"
    assert notes["accuracy"] is None


def test_a_score_of_1_has_wilsons_interval():
    gold = ["singular", "plural"] * 5
    (row,) = (
        row
        for row in score(frame("bilstm", gold, gold, seed=1), FILES, "base", "", 1)
        if row.metric == "accuracy"
    )
    assert (row.low, row.high) == wilson(10, 10)


def in_clusters(data: pd.DataFrame, size: int) -> pd.DataFrame:
    """The same rows, so many items to a cluster."""
    clusters = [f"c{int(name.partition('|')[0][1:]) // size}" for name in data["item_id"]]
    return data.assign(cluster=clusters)


def test_an_interval_is_over_clusters_of_items():
    """Two articles, one all right and one all wrong, show any share; eight items do not."""
    data = frame("bilstm", ["singular"] * 8, ["singular"] * 4 + ["plural"] * 4, seed=1)
    (row, *_) = score(in_clusters(data, 4), FILES, "base", "", 1)
    assert (row.metric, row.value) == ("accuracy", 0.5)
    assert (row.low, row.high) == pytest.approx((0.0015, 0.9985), abs=1e-4)
    (row, *_) = score(data, FILES, "base", "", 1)
    assert (row.low, row.high) == pytest.approx((0.1668, 0.8332), abs=1e-4)


def test_a_score_of_1_counts_clusters():
    data = frame("bilstm", ["singular"] * 8, ["singular"] * 8, seed=1)
    (row, *_) = score(in_clusters(data, 4), FILES, "base", "", 1)
    assert (row.low, row.high) == wilson(2, 2)


def test_recall_without_present_arguments_has_no_value():
    rows = score(frame("bilstm", ["none"] * 3, ["none"] * 3, seed=1), FILES, "base", "", 1)
    (recall,) = (row for row in rows if row.metric == "recall")
    assert (recall.value, recall.low, recall.high, recall.n) == (None, 0.0, 1.0, 0)


def test_nulls_are_in_every_table_with_a_network():
    systems = ("bilstm", "lstm", "majority")
    rows = score(pd.concat(frame(s, GOLD, GOLD) for s in systems), FILES, "base", "", 1)
    assert {(row.system, row.predictions) for row in rows} == {
        ("BiLSTM", "bilstm.parquet"),
        ("unidirectional LSTM", "lstm.parquet"),
        ("majority", "majority.parquet"),
    }
    assert sorted({(row.table, row.system) for row in rows}) == [
        ("Table 4", "BiLSTM"),
        ("Table 4", "majority"),
        ("footnote 6", "majority"),
        ("footnote 6", "unidirectional LSTM"),
    ]


@pytest.mark.parametrize(
    ("trained", "table"), [((), "Table 4"), (("lstm",), "footnote 6"), (PRINTED, "Table 4")]
)
def test_nulls_alone_are_in_the_first_table_of_the_study(trained, table):
    rows = score(frame("majority", GOLD, GOLD), FILES, "base", "", 1, trained=trained)
    assert {row.table for row in rows} == {table}


def test_the_condition_names_all_corpora_but_the_first():
    rows = score(frame("bilstm", GOLD, GOLD), FILES, "base", "news", 1)
    assert {row.condition for row in rows} == {"Base|dative|news"}


def test_a_training_set_is_named_in_the_condition():
    rows = score(frame("bilstm", GOLD, GOLD), FILES, "no_verb_lemma@300k", "", 1)
    named = "Base, verb lemma hidden, trained on 300k|dative"
    assert {row.condition for row in rows} == {named}


def test_several_seeds_have_one_row_each_and_one_over_all():
    half = ["singular", "plural", "plural", "none", "none", "singular"]
    both = pd.concat([frame("bilstm", GOLD, GOLD, seed=1), frame("bilstm", GOLD, half, seed=2)])
    rows = [row for row in score(both, FILES, "base", "", 1) if row.metric == "accuracy"]
    assert [(row.seed, row.value, row.n, row.runs) for row in rows] == [
        (None, 0.75, 6, 2),
        (1, 1.0, 6, 1),
        (2, 0.5, 6, 1),
    ]


def test_seeds_without_a_present_argument_have_no_deviation():
    both = pd.concat(frame("bilstm", ["none"] * 3, ["none"] * 3, seed=seed) for seed in (1, 2))
    rows = [row for row in score(both, FILES, "base", "", 1) if row.metric == "recall"]
    assert [(row.value, row.n, row.note) for row in rows] == [(None, 0, None)] * 3


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
