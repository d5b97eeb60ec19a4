"""Table 2, by hand."""

import csv
from pathlib import Path

import pyarrow as pa
import pytest

from kasu.agreement.evaluation.closest import closest_claim, read_events, score_closest
from kasu.agreement.models.predictions import SUFFIX_PREDICTIONS
from kasu.files.tables import write_parquet
from kasu.results.verdicts import judge_claims

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"
# 'That the men have seen the house is true': *du* licenses -a and -ak, *da* -a
TOKENS = ["Gizonak", "etxea", "ikusi", "duela", "egia", "da"]
FINITE = [False, False, False, True, False, True]
LICENSED = ["", "", "", "-a -ak", "", "-a"]
ITEM = {
    "tokens": TOKENS, "finite": FINITE, "licensed": LICENSED, "variant": "paper",
    "suffixes": ["-ak", "-a", "none", "none", "none", "none"],
}  # fmt: skip
ITEMS = pa.schema(
    [
        ("item_id", pa.string()),
        ("tokens", pa.list_(pa.string())),
        ("finite", pa.list_(pa.bool_())),
        ("licensed", pa.list_(pa.string())),
        ("suffixes", pa.list_(pa.string())),
        ("variant", pa.string()),
    ]
)


def events(folder, words):
    """Words as (position, gold, prediction), each in a sentence of its own."""
    rows = [{**ITEM, "item_id": f"s{number}"} for number in range(len(words))]
    write_parquet(folder / "test", rows, ITEMS)
    rows = [
        {"item_id": f"s{number}", "cluster": f"c{number}", "position": at, "gold": gold,
         "prediction": predicted, "variant": "paper", "seed": 1}
        for number, (at, gold, predicted) in enumerate(words)
    ]  # fmt: skip
    write_parquet(folder / "predictions", rows, SUFFIX_PREDICTIONS)
    return read_events(folder / "test", folder / "predictions", "paper")


def test_recall_and_precision_are_those_of_the_words_linked_by_their_own_suffix(tmp_path):
    words = [
        (0, "-ak", "-ak"),
        (0, "-ak", "-a"),
        (0, "none", "-ak"),
        (0, "-ak", "-ak"),
        (5, "-ak", "-ak"),
    ]
    rows = [*score_closest(events(tmp_path, words), "suffix.parquet", "bilstm", "paper", 1)]
    found = {(row.condition, row.metric): row.value for row in rows}
    assert {row.predictions for row in rows} == {"suffix.parquet"}
    right = "verb=da;closest_verb_correct;suffix=-ak"
    wrong = "verb=da;closest_verb_incorrect;suffix=-ak"
    assert found == {
        (right, "recall"): pytest.approx(2 / 3),
        (right, "recall_n_gold"): 3,
        (right, "precision"): pytest.approx(2 / 3),
        (right, "precision_n_predicted"): 3,
        (right, "f1"): pytest.approx(4 / 6),
        (wrong, "recall"): 1.0,
        (wrong, "recall_n_gold"): 1,
        (wrong, "precision"): 1.0,
        (wrong, "precision_n_predicted"): 1,
        (wrong, "f1"): 1.0,
    }


def test_other_forms_need_enough_words(tmp_path):
    words = [(0, "-ak", "-ak")] * 500
    rows = score_closest(events(tmp_path, words), "suffix.parquet", "bilstm", "paper", 1)
    assert {row.condition.split(";")[0] for row in rows} == {"verb=da", "verb=duela"}


def verdict(found, why=None):
    (row,) = judge_claims("basque2018", [closest_claim(found, "paper", why)])
    return row["result"], row["evidence"]


def test_the_claim_compares_easy_with_hard_words(tmp_path):
    words = [(0, "-ak", "-ak")] * 30 + [(5, "-ak", "none")] * 30
    result, evidence = verdict(events(tmp_path, words))
    assert result == "holds"
    assert evidence.startswith("-ak 1.0000 and 0.0000, difference +1.0000")
    assert verdict(None) == ("untestable here", "bilstm under base did not run")
    easy = events(tmp_path, words[:30])
    assert verdict(easy)[1] == "no suffix is in sentences with da both ways"


def printed() -> dict[str, dict[str, float]]:
    with (PUBLISHED / "basque_table2.tsv").open(encoding="utf-8") as file:
        rows: dict[str, dict[str, float]] = {}
        for row in csv.DictReader(file, delimiter="\t"):
            rows.setdefault(row["condition"], {})[row["metric"]] = float(row["value"])
    return rows


def test_printed_f1_of_table_2_agrees_with_precision_and_recall():
    for row in printed().values():
        precision, recall = row["precision"], row["recall"]
        assert row["f1"] == pytest.approx(2 * precision * recall / (precision + recall), abs=0.1)


def test_one_printed_number_of_predictions_contradicts_its_row():
    """Hits are recall times gold words, and precision times predicted words."""
    slips = [
        name
        for name, row in printed().items()
        if row["recall"] * row["recall_n_gold"] / row["precision"]
        != pytest.approx(row["precision_n_predicted"], rel=0.01)
    ]
    assert slips == ["verb=da;closest_verb_correct;suffix=-ak"]
    row = printed()[slips[0]]
    assert row["precision_n_predicted"] == 4954
    assert round(row["recall"] * row["recall_n_gold"] / row["precision"]) == 7586
