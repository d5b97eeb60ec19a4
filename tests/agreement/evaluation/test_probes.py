"""Table 3 and its claims, by hand."""

import pandas as pd
import pytest

from kasu.agreement.evaluation.probes import list_probe_claims, read_probed, score_probes
from kasu.agreement.models.predictions import PROBED
from kasu.base.tables import write_parquet
from kasu.base.verdicts import judge_claims


def rows(hits, *, task="verb=da", probe="linear", source="trained", labels=("closest",)):
    """Words as (whether the network is right, whether the probe is), each in its own cluster."""
    for number, (right, hit) in enumerate(hits):
        gold = labels[number % len(labels)]
        yield {
            "item_id": f"s{number}", "cluster": f"c{number}", "position": 0, "task": task,
            "table": "Table 3" if task.startswith("verb=") else "section 7.1 UD probes",
            "probe": probe, "source": source, "gold": gold,
            "prediction": gold if hit else "another", "right": right, "variant": "paper", "seed": 1,
        }  # fmt: skip


def read(folder, *groups) -> pd.DataFrame:
    write_parquet(folder / "probed", [row for group in groups for row in group], PROBED)
    return read_probed(folder / "probed", "paper")


HITS = [(True, True)] * 6 + [(True, False)] * 2 + [(False, True)] + [(False, False)] * 3


def test_accuracy_in_total_and_by_whether_the_network_is_right(tmp_path):
    probed = read(tmp_path, rows(HITS), rows(HITS, source="untrained", probe="1-layer MLP"))
    found = {
        (row["system"], row["condition"]): (row["value"], row["n"])
        for row in score_probes(probed, "paper", 1)
    }
    assert found["linear", "verb=da;total"] == (pytest.approx(7 / 12), 12)
    assert found["linear", "verb=da;BiLSTM_wrong"] == (0.25, 4)
    assert found["linear", "verb=da;BiLSTM_correct"] == (0.75, 8)
    assert found["1-layer MLP, untrained encoder", "verb=da;total"][1] == 12


def verdicts(probed, why=None):
    judged = judge_claims("basque2018", list_probe_claims(probed, "paper", why))
    return [(row["result"], row["evidence"]) for row in judged]


MANY = [(True, True)] * 80 + [(False, True)] * 20 + [(False, False)] * 60
NULL = [(True, True)] * 40 + [(True, False)] * 40 + [(False, True)] * 40 + [(False, False)] * 40


def test_probes_are_better_where_the_network_is_right(tmp_path):
    majority = {"probe": "majority"}
    groups = [
        part
        for task in ("verb=da", "verb=any")
        for part in (
            rows(MANY, task=task),
            rows(NULL, task=task, **majority),
            rows(NULL, task=task, source="untrained"),
            rows(NULL, task=task, source="word"),
        )
    ]
    found = verdicts(read(tmp_path, *groups))
    assert [result for result, _ in found] == ["holds"] * 4 + ["untestable here"] * 2
    assert found[0][1].startswith(
        "verb=da, linear 1.0000 and 0.2500 (majority 0.5000 and 0.5000), difference +0.7500"
    )
    # 100 of 160 are right, and 80 of the nulls
    for null in ("majority", "linear, untrained encoder", "linear, word without sentence"):
        assert f"linear 0.6250, {null} 0.5000, difference +0.1250" in found[3][1]


def test_a_probe_that_follows_the_majority_shows_the_mix_of_labels_alone(tmp_path):
    groups = [
        part
        for source in ("trained", "untrained", "word")
        for part in (rows(MANY, task="verb=any", source=source),)
    ]
    majority = rows(MANY, task="verb=any", probe="majority")
    found = verdicts(read(tmp_path, *groups, majority))
    # Better where the network is right, and so is the majority
    assert [result for result, _ in found[1:]] == [
        "holds",
        *["undecided"] * 2,
        *["untestable here"] * 2,
    ]


def test_a_treebank_is_scored_in_total_and_judged_by_its_nulls(tmp_path):
    task, wrong = "POS|all words", "number|BiLSTM wrong"
    probed = read(
        tmp_path,
        rows(MANY, task=task, probe="MLP 100-50"),
        rows(NULL, task=task, probe="MLP 100-50", source="untrained"),
        rows(NULL, task=task, probe="MLP 100-50", source="word"),
        rows(NULL, task=task, probe="majority"),
        rows(NULL, task=wrong, probe="MLP 100-50"),
        rows(MANY, task=wrong, probe="majority"),
    )
    scored = [*score_probes(probed, "paper", 1)]
    assert {(row["table"], row["condition"]) for row in scored} == {
        ("section 7.1 UD probes", task),
        ("section 7.1 UD probes", wrong),
    }
    (value,) = (row["value"] for row in scored if row["system"].endswith("untrained encoder"))
    assert value == 0.5
    found = verdicts(probed)[4:]
    assert [result for result, _ in found] == ["holds", "fails"]
    assert "MLP 100-50, word without sentence 0.5000, difference +0.1250" in found[0][1]


def test_without_probes_or_data_the_claims_are_untestable(tmp_path):
    assert verdicts(None) == [("untestable here", "no state was probed")] * 6
    assert verdicts(None, "made up")[0] == ("untestable here", "made up")
    short = read(tmp_path, rows(HITS[:6]), rows(HITS[:6], probe="majority"))
    assert verdicts(short)[0][1] == "too few linked words, or all suffixes right or wrong"
