"""Figures of training sets beside their sizes."""

import pytest

from kasu.agreement.evaluation.curve import CURVE, tabulate_curve
from kasu.files.tables import read_tsv, write_counts, write_tsv
from kasu.results.comparison import TABLE


def line(condition, **values):
    named = {"paper": "basque2018", "table": "Table 4", "unit": "percent", "variant": "paper"}
    return named | {"system": "BiLSTM", "condition": condition, "metric": "accuracy", **values}


@pytest.fixture
def curve(tmp_path):
    """The rows of the table that a table of ours beside published gives."""

    def tabulate(*lines):
        write_tsv(tmp_path / "table_4.tsv", lines, TABLE)
        counts = {"2k": (300, 1999), "4k": (500, 3998), "old": (600, 3000)}
        for name, (sentences, words) in counts.items():
            write_counts(tmp_path / name, {"sentences": sentences, "words": words})
        tabulate_curve(
            [tmp_path / "table_4.tsv"],
            {name: tmp_path / name for name in counts},
            {"2k": "new", "4k": "new", "old": "classics"},
            tmp_path / "curve.tsv",
        )
        return read_tsv(tmp_path / "curve.tsv", CURVE)

    return tabulate


def test_figures_stand_beside_the_size_of_their_training_set(curve):
    (row,) = curve(
        line("Base|ergative", ours=0.8, published=0.871, printed="87.1"),
        line("Base, trained on 2k|ergative", ours=0.6, low=0.5, high=0.7, seeds_mean=0.6,
             seeds_low=0.55, seeds_high=0.65, n=40, runs=2),
    )  # fmt: skip
    assert row == {
        "system": "BiLSTM", "condition": "Base", "of": "ergative", "metric": "accuracy",
        "variant": "paper", "training_set": "2k", "corpus": "new", "sentences": "300",
        "words": "1999", "ours": "0.6", "low": "0.5", "high": "0.7", "seeds_mean": "0.6",
        "seeds_low": "0.55", "seeds_high": "0.65", "n": "40", "runs": "2",
        "published": "0.871",
    }  # fmt: skip


def test_a_curve_goes_from_few_words_to_many(curve):
    rows = curve(
        *(
            line(f"Base, trained on {name}|{slot}", ours=0.5, system=system)
            for slot in ("ergative", "dative")
            for name in ("4k", "old", "2k")
            for system in ("BiLSTM", "majority")
        )
    )
    assert [(row["system"], row["of"], row["training_set"]) for row in rows] == [
        (system, slot, name)
        for slot in ("ergative", "dative")
        for system in ("BiLSTM", "majority")
        for name in ("2k", "old", "4k")
    ]
    assert [row["corpus"] for row in rows[:3]] == ["new", "classics", "new"]


def test_single_seeds_are_left_to_the_table(curve):
    named = "Base, trained on 2k|ergative"
    rows = curve(line(named, ours=0.6, seed=1), line(named, ours=0.7))
    assert [row["ours"] for row in rows] == ["0.7"]
