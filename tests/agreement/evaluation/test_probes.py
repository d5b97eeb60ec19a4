"""Table 3 and its claims, by hand."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from kasu.agreement.evaluation.probes import (
    list_probe_claims,
    ranks,
    read_probed,
    score_probes,
)
from kasu.agreement.models.predictions import PROBED
from kasu.files.tables import write_parquet
from kasu.results.differences import Difference
from kasu.results.verdicts import judge_claims


def rows(hits, *, task="verb=da", probe="linear", source="trained", scores=None):
    """Words as (whether the network is right, whether the probe is), each in its own cluster.

    With `scores`, every other word has the first label; else all have.
    """
    for number, (right, hit) in enumerate(hits):
        gold = "other" if scores and number % 2 else "closest"
        yield {
            "item_id": f"s{number}", "cluster": f"c{number}", "position": 0, "task": task,
            "table": "Table 3" if task.startswith("verb=") else "section 7.1 UD probes",
            "probe": probe, "source": source, "gold": gold,
            "prediction": gold if hit else "another", "right": right, "variant": "paper", "seed": 1,
            "score": scores[number] if scores else None,
        }  # fmt: skip


def read(folder, *groups) -> pd.DataFrame:
    write_parquet(folder / "probed", [row for group in groups for row in group], PROBED)
    return read_probed(folder / "probed", "paper")


HITS = [(True, True)] * 6 + [(True, False)] * 2 + [(False, True)] + [(False, False)] * 3


def test_accuracy_in_total_and_by_whether_the_network_is_right(tmp_path):
    probed = read(tmp_path, rows(HITS), rows(HITS, source="untrained", probe="1-layer MLP"))
    found = {
        (row.system, row.condition): (row.value, row.n)
        for row in score_probes(probed, "probed", "paper", 1)
    }
    assert found["linear", "verb=da;total"] == (pytest.approx(7 / 12), 12)
    assert found["linear", "verb=da;BiLSTM_wrong"] == (0.25, 4)
    assert found["linear", "verb=da;BiLSTM_correct"] == (0.75, 8)
    assert found["1-layer MLP, untrained encoder", "verb=da;total"][1] == 12


def test_the_area_has_an_interval_within_0_and_1(tmp_path):
    probed = read(tmp_path, rows(HITS[:4], scores=[0.9, 0.5, 0.4, 0.1]))
    found = [row for row in score_probes(probed, "probed", "paper", 1) if row.metric == "auc"]
    assert [(row.value, row.low, row.high) for row in found] == [(0.75, 0.0, 1.0)] * 2
    assert {row.predictions for row in found} == {"probed"}


def verdicts(probed, why=None):
    judged = judge_claims("basque2018", list_probe_claims(probed, "paper", why))
    return [(row["result"], row["evidence"]) for row in judged]


MANY = [(True, True)] * 80 + [(False, True)] * 20 + [(False, False)] * 60
NULL = [(True, True)] * 40 + [(True, False)] * 40 + [(False, True)] * 40 + [(False, False)] * 40
# Closest and other words in turn: told apart where the network is right, ranked at random elsewhere
RANKED = [0.9, 0.1] * 40 + [0.9, 0.1, 0.1, 0.9] * 20
RANDOM = [0.9, 0.1, 0.1, 0.9] * 40


def both(scores, null_scores):
    """The words of *da* and of all verbs, as a probe, its nulls and the majority label them."""
    for task in ("verb=da", "verb=any"):
        yield from rows(MANY, task=task, scores=scores)
        yield from rows(NULL, task=task, probe="majority")
        for source in ("untrained", "word"):
            yield from rows(NULL, task=task, source=source, scores=null_scores)


def test_probes_are_better_where_the_network_is_right(tmp_path):
    found = verdicts(read(tmp_path, both(RANKED, RANDOM)))
    assert [result for result, _ in found] == ["holds"] * 4 + ["untestable here"] * 2
    assert found[0][1].startswith(
        "verb=da, linear 1.0000 and 0.2500 (majority 0.5000 and 0.5000), difference +0.7500"
    )
    assert found[2][1].startswith("verb=any, linear 1.0000 and 0.5000, difference +0.5000")
    # Half of the pairs are ranked wherever the network is, and half of the rest by chance
    for null in ("untrained encoder", "word without sentence"):
        assert f"linear 0.7500, linear, {null} 0.5000, difference +0.2500" in found[3][1]


def test_a_probe_that_ranks_at_random_is_better_by_the_mix_of_labels_alone(tmp_path):
    found = verdicts(read(tmp_path, both(RANDOM, RANDOM)))
    assert [result for result, _ in found[1:4]] == ["holds", "undecided", "undecided"]


def words_ranked(scores, first, clusters=None):
    gold = ["closest" if each else "other" for each in first]
    clusters = clusters or [f"c{number}" for number in range(len(scores))]
    return pd.DataFrame({"score": scores, "gold": gold, "cluster": clusters})


@pytest.mark.parametrize(
    ("scores", "first", "area"),
    [
        ([0.9, 0.8, 0.2, 0.1], [1, 1, 0, 0], 1.0),
        ([0.9, 0.8, 0.2, 0.1], [0, 0, 1, 1], 0.0),
        ([0.9, 0.8, 0.2, 0.1], [1, 0, 1, 0], 0.75),  # three of four pairs
        ([0.5, 0.5, 0.5, 0.5], [1, 0, 1, 0], 0.5),  # ties
        ([0.9, 0.8, 0.2], [1, 0, 0], 1.0),  # labels of different frequency
    ],
)
def test_the_area_is_the_share_of_pairs_ranked_rightly(scores, first, area):
    sample = ranks(words_ranked(scores, first))
    assert np.average(sample.values, weights=sample.weights) == pytest.approx(area)


def test_the_error_of_the_area_is_that_of_delong():
    scores, first = [0.9, 0.3, 0.6, 0.5, 0.4, 0.1], [1, 1, 1, 0, 0, 0]
    # Shares of pairs won: 1, 1/3, 1 by the first label (variance 4/27); 2/3, 2/3, 1 (1/27)
    expected = math.sqrt((4 / 27 + 1 / 27) / 3)
    found = Difference.of(ranks(words_ranked(scores, first)))
    # The test has six clusters where DeLong has three and three
    margin = t.isf(0.025, 5) * expected * math.sqrt(6 / 5 * 2 / 3)
    assert (found.value, found.high - found.value) == (pytest.approx(7 / 9), pytest.approx(margin))


def test_without_scores_or_with_one_label_there_is_no_area():
    assert ranks(words_ranked([0.9, 0.1], [1, 1])) is None
    assert ranks(words_ranked([0.9, None], [1, 0])) is None


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
    scored = [*score_probes(probed, "probed", "paper", 1)]
    assert {(row.table, row.condition) for row in scored} == {
        ("section 7.1 UD probes", task),
        ("section 7.1 UD probes", wrong),
    }
    (value,) = (row.value for row in scored if row.system.endswith("untrained encoder"))
    assert value == 0.5
    found = verdicts(probed)[4:]
    assert [result for result, _ in found] == ["holds", "fails"]
    assert "MLP 100-50, word without sentence 0.5000, difference +0.1250" in found[0][1]


def test_without_probes_or_data_the_claims_are_untestable(tmp_path):
    assert verdicts(None) == [("untestable here", "no state was probed")] * 6
    assert verdicts(None, "made up")[0] == ("untestable here", "made up")
    short = read(tmp_path, rows(HITS[:6]), rows(HITS[:6], probe="majority"))
    assert verdicts(short)[0][1] == "too few linked words, or all suffixes right or wrong"
