"""Lengths: pairs that the length filter keeps, and a preference for the shorter sentence."""

from pathlib import Path

import pytest

from kasu.files.tables import read_parquet, write_parquet
from kasu.pretraining.data.pairs import PAIRS
from kasu.results.comparison import beside
from kasu.results.published import read_published

PUBLISHED = Path(__file__).resolve().parents[3] / "resources" / "published"


def test_accuracy_is_over_the_kept_pairs(tmp_path, make_run, score, one):
    rows = score(tmp_path, [make_run("mBERT", [1, -1, 0, 1], dropped=[3])])
    mine = {"table": "Table 4", "system": "mBERT", "condition": "all"}
    accuracy = one(rows, **mine, metric="accuracy", variant=None)
    assert (accuracy["value"], accuracy["n"], accuracy["runs"]) == (0.5, 3, 1)
    assert one(rows, **mine, metric="kept")["value"] == 3
    assert one(rows, **mine, metric="discarded_share")["value"] == 0.25
    assert one(rows, **mine, metric="too_long_share")["value"] == 0.0
    assert one(rows, **mine, metric="ties")["value"] == 1
    assert one(rows, **mine, metric="accuracy_dropped")["value"] == 1.0


def test_a_preference_for_the_shorter_sentence_is_told_apart(tmp_path, make_run, score, one):
    # The good sentence is longer, then a tie; shorter; as long as the bad one
    run = make_run("mBERT", [-1, 0, 1, -1, 1, -1])
    null = make_run("trigram", [1] * 6, definition="trigram")
    halves = [("aa", "b")] * 2 + [("a", "bb")] * 2 + [("a", "b")] * 2
    pairs = read_parquet(run.pairs).to_pylist()
    for row, (good, bad) in zip(pairs, halves, strict=True):
        row |= {"sentence_good": good, "sentence_bad": bad}
    write_parquet(run.pairs, pairs, PAIRS)
    rows = score(tmp_path, [run, null])
    for metric, value, n in (
        ("shorter_preferred", 2.5 / 4, 4),
        ("accuracy_equal_characters", 0.5, 2),
    ):
        row = one(rows, metric=metric)  # of the model alone
        assert (row["system"], row["value"], row["n"]) == ("mBERT", value, n)


def test_pair_without_a_score_does_not_count_as_left_out(tmp_path, make_run, score, one):
    run = make_run("mBERT", [1, -1, 1, 1], dropped=[1, 2])
    scores = read_parquet(run.scores)
    write_parquet(run.scores, scores.slice(0, 6), scores.schema)  # pair 4 was too long
    rows = score(tmp_path, [run])
    dropped = one(rows, system="mBERT", condition="all", metric="accuracy_dropped")
    assert (dropped["value"], dropped["n"]) == (0.5, 2)
    per_token = one(rows, system="mBERT", condition="all", metric="accuracy_dropped_per_token")
    assert per_token["n"] == 2
    assert one(rows, system="mBERT", condition="all", metric="kept")["value"] == 1


def test_unequal_lengths_are_counted_apart_from_pairs_that_are_too_long(
    tmp_path, make_run, score, one
):
    # of 6 pairs, 2 have no score (too long for the model) and 1 of the other 4 is of unequal length
    run = make_run("BERT8L-eu5M", [1] * 6, epoch=1, dropped=[1])
    scores = read_parquet(run.scores)
    write_parquet(run.scores, scores.slice(0, 8), scores.schema)
    rows = score(tmp_path, [run, make_run("BERT4L-eu5M", [1] * 6, epoch=1, dropped=[0, 1, 2])])
    mine = {"table": "Table 8", "system": "BERT8L-eu5M", "condition": "epoch=1"}
    unequal, too_long = (
        one(rows, **mine, metric=metric) for metric in ("discarded_share", "too_long_share")
    )
    assert (unequal["value"], unequal["n"]) == (0.25, 4)
    assert (too_long["value"], too_long["n"]) == (pytest.approx(1 / 3), 6)
    # section 5.1 has the mean of (1/4, 3/6), and that of (2/6, 0) apart
    text = {"table": "section 5.1", "condition": "of the models run"}
    note = "mean of 2 models, each at its last epoch, without twins"
    unequal, too_long = (
        one(rows, **text, metric=metric) for metric in ("discarded_share", "too_long_share")
    )
    assert (unequal["value"], unequal["note"]) == (0.375, note)
    assert too_long["value"] == pytest.approx(1 / 6)


def test_the_mean_of_all_models_stands_beside_the_printed_third(tmp_path, make_run, score):
    names = [f"BERT{n}L-eu{words}" for n in (4, 8, 12) for words in ("5M", "25M", "125M")]
    runs = [make_run(name, [1] * 4, epoch=1, dropped=[1]) for name in names]
    for kept, ours in ((9, 0.25), (8, None)):
        rows = score(tmp_path, runs[:kept])
        table = beside(rows, read_published(PUBLISHED), "bl2mp2024", "section 5.1")
        (row,) = (row for row in table if row["published"] is not None)
        assert (row["metric"], row["published"], row["ours"]) == ("discarded_share", 0.33, ours)


def test_a_model_that_takes_no_pair_has_no_share_of_unequal_ones(tmp_path, make_run, score, find):
    run = make_run("BERT8L-eu5M", [1, 1], epoch=1)
    scores = read_parquet(run.scores)
    write_parquet(run.scores, scores.slice(0, 1), scores.schema)
    rows = score(tmp_path, [run])
    assert not find(rows, metric="discarded_share")
    assert {row["value"] for row in find(rows, metric="too_long_share")} == {1.0}


def test_accuracy_on_pairs_of_unequal_length(tmp_path, make_run, score, find, one):
    # the good halves of the dropped pairs have 5 tokens, the bad ones 4
    rows = score(tmp_path, [make_run("mBERT", [1, -1, -3, 1], dropped=[1, 2])])
    mine = {"table": "Table 4", "system": "mBERT", "condition": "all"}
    dropped = one(rows, **mine, metric="accuracy_dropped")
    assert (dropped["value"], dropped["n"]) == (0.0, 2)
    # -11 for five tokens is better than -10 for four, and -13 for five is not
    assert one(rows, **mine, metric="accuracy_dropped_per_token")["value"] == 0.5
    assert not find(rows, condition="type=E1", metric="accuracy_dropped")
