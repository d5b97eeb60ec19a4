"""What printed pairs of accuracy and recall imply."""

import pytest

from kasu.agreement.evaluation.implied import list_implied, write_implied
from kasu.files.tables import read_tsv, write_parquet
from kasu.results.published import Published
from kasu.results.scores import SCORES


def printed(condition, accuracy, recall):
    """Two figures of Table 4, as the paper has them."""
    return [
        Published("basque2018", "Table 4", "BiLSTM", condition, metric, "percent",
                  float(text + "e-2"), text, "", digits=1)
        for metric, text in (("accuracy", accuracy), ("recall", recall))
    ]  # fmt: skip


def ours(condition, accuracy, recall, strict, share, runs=1, system="BiLSTM"):
    """Scores of ours over 1,000 sentences."""
    key = {"study": "agreement", "paper": "basque2018", "table": "Table 4", "system": system}
    key |= {"condition": condition, "variant": "paper", "seed": runs, "runs": runs}
    key |= {"low": None, "high": None, "note": None}
    return [
        key | {"metric": metric, "value": value, "n": n}
        for metric, value, n in (
            ("accuracy", accuracy, 1000),
            ("recall", recall, round(share * 1000)),
            ("strict_recall", strict, round(share * 1000)),
        )
    ]


def test_the_papers_base_leaves_room_for_a_share_of_two_thirds():
    figures = printed("Base|ergative", "87.1", "80.0")
    (row,) = list_implied(figures, ours("Base|ergative", 0.9, 1.0, 0.8, share=0.5))
    # (12.9 + 0.05) / (20.0 - 0.05)
    assert row["share_at_most"] == pytest.approx(0.6491, abs=1e-4)
    # Of 12.9 % errors, 10 points would be misses
    assert row["printed_otherwise"] == pytest.approx(0.029)
    # All our errors are wrong numbers
    assert row["ours_otherwise"] == pytest.approx(0.1)
    assert row["ours_otherwise_strict"] == pytest.approx(0)


def test_a_share_that_the_printed_pair_excludes_leaves_less_than_nothing():
    figures = printed("Suffixes only|dative", "97.0", "26.0")
    (row,) = list_implied(figures, ours("Suffixes only|dative", 0.95, 0.2, 0.1, share=0.045))
    assert row["share_at_most"] == pytest.approx(0.0412, abs=1e-4)
    assert row["printed_otherwise"] == pytest.approx(-0.0033)


def test_what_the_lemma_gives_by_itself_stands_beside_both():
    figures = printed("Base|ergative", "87.1", "80.0")
    network = ours("Base|ergative", 0.9, 1.0, 0.8, share=0.5)
    lemma = ours("Base|ergative", 0.84, 0.99, 0.66, share=0.5, system="lemma")
    (row,) = list_implied(figures, [*network, *lemma])
    assert (row["system"], row["lemma_accuracy"], row["lemma_recall"]) == ("BiLSTM", 0.84, 0.99)
    (alone,) = list_implied(figures, network)
    assert "lemma_accuracy" not in alone


def test_a_recall_of_100_bounds_nothing():
    figures = printed("Base|absolutive", "93.8", "100")
    assert list(list_implied(figures, ours("Base|absolutive", 0.9, 1.0, 0.9, 1.0))) == []


def test_of_several_seeds_the_row_over_all_counts(tmp_path):
    scores = [
        *ours("Base|ergative", 0.8, 1.0, 0.6, share=0.5),
        *ours("Base|ergative", 0.9, 1.0, 0.8, share=0.5, runs=2),
    ]
    write_parquet(tmp_path / "scores.parquet", scores, SCORES)
    write_implied("resources/published", tmp_path / "scores.parquet", tmp_path / "implied.tsv")
    (row,) = read_tsv(tmp_path / "implied.tsv")
    assert (row["accuracy"], row["recall"]) == ("0.871", "0.8")
    assert float(row["ours_otherwise"]) == pytest.approx(0.1)


def test_an_argument_that_no_sentence_has_is_left_out():
    figures = printed("Base|dative", "90.0", "50.0")
    assert list(list_implied(figures, ours("Base|dative", 0.9, None, None, share=0))) == []
