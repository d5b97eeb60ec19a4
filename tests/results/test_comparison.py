"""Our scores set beside the published figures, and the tables read again."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import write_tsv
from kasu.results.comparison import SEEDS, TABLE, beside, headline, is_share, read_comparison
from kasu.results.published import read_published

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "published"


@pytest.fixture(scope="module")
def figures():
    return read_published(FOLDER)


def score(system, condition, metric, value, *, table="Table 4", variant="paper", seed=None):
    return {
        "study": "agreement", "paper": "basque2018", "table": table, "system": system,
        "condition": condition, "metric": metric, "value": value, "low": value - 0.01,
        "high": value + 0.01, "n": 100, "runs": 1, "variant": variant, "seed": seed, "note": None,
    }  # fmt: skip


@pytest.fixture(scope="module")
def table_4(figures):
    scores = [
        score("majority", "Base|ergative", "accuracy", 0.5),
        score("ngram", "Base|ergative", "accuracy", 0.6),
        score("BiLSTM", "Base|ergative", "strict_recall", 0.7),
        score("BiLSTM", "Base|ergative", "accuracy", 0.81, variant="released"),
        score("BiLSTM", "Base|ergative", "accuracy", 0.8, seed=2),
        score("BiLSTM", "Base|ergative", "accuracy", 0.8),
        score("BiLSTM", "Base|genitive", "accuracy", 0.9),
        score("unidirectional LSTM", "Base|ergative", "accuracy", 0.3, table="footnote 6"),
    ]
    return beside(scores, figures, "basque2018", "Table 4")


def brief(row):
    return row["system"], row["condition"], row["metric"], row["variant"], row["seed"]


def test_ours_stand_beside_the_published_figure_then_the_nulls(table_4):
    assert [brief(row) for row in table_4[:7]] == [
        ("BiLSTM", "Base|ergative", "accuracy", "paper", None),
        ("BiLSTM", "Base|ergative", "accuracy", "paper", 2),
        ("BiLSTM", "Base|ergative", "accuracy", "released", None),
        ("majority", "Base|ergative", "accuracy", "paper", None),
        ("ngram", "Base|ergative", "accuracy", "paper", None),
        ("BiLSTM", "Base|ergative", "recall", None, None),
        ("BiLSTM", "Base|ergative", "strict_recall", "paper", None),
    ]


def test_every_published_figure_is_kept_in_order(table_4, figures):
    theirs = [f.key[2:] for f in figures if f.key[:2] == ("basque2018", "Table 4")]
    kept = [
        (row["system"], row["condition"], row["metric"])
        for row in table_4
        if row["printed"] and row["variant"] != "released" and row["seed"] is None
    ]
    assert len(theirs) == 42
    assert kept == theirs


@pytest.mark.parametrize(
    ("paper", "metric", "unit"),
    [
        ("basque2018", "accuracy", "percent"),  # printed elsewhere
        ("basque2018", "recall_n_gold", "count"),
        ("basque2018", "strict_recall", "percent"),  # a share, in the paper's unit of shares
        ("blm_agrf2023", "accuracy", "fraction"),
        ("bl2mp2024", "discarded_share", "fraction"),
        ("bl2mp2024", "accuracy_common", "percent"),
        ("basque2018", "ties", "number"),
        ("mine2030", "accuracy", "fraction"),
    ],
)
def test_a_score_without_a_figure_has_the_unit_that_the_paper_would_use(
    figures, paper, metric, unit
):
    row = score("s", "c", metric, 0.5, table="mine") | {"paper": paper}
    assert [row["unit"] for row in beside([row], figures, paper, "mine")] == [unit]


def test_a_row_states_the_difference_unrounded(table_4):
    row = table_4[2]
    assert (row["ours"], row["published"], row["printed"]) == (0.81, 0.871, "87.1")
    assert row["difference"] == 0.81 - 0.871


def test_a_row_over_seeds_has_their_mean_and_interval(figures):
    scores = [score("BiLSTM", "Base|ergative", "accuracy", 0.81) | {"runs": 3}]
    scores += [
        score("BiLSTM", "Base|ergative", "accuracy", value, seed=seed)
        for seed, value in enumerate((0.7, 0.8, 0.9))
    ]
    first, second, *_ = beside(scores, figures, "basque2018", "Table 4")
    # 0.8 ± 4.3027 · 0.1 / √3, and no share is above 1
    assert [first[column] for column in SEEDS] == pytest.approx([0.8, 0.5516, 1], abs=1e-4)
    assert (first["ours"], first["low"], second["seeds_mean"]) == (0.81, 0.81 - 0.01, None)


def test_the_interval_of_a_count_over_seeds_has_no_bound(figures):
    """Table 2 counts the words predicted; `precision` is part of that metric's name."""
    key = ("BiLSTM suffix", "verb=da;closest_verb_correct;suffix=-ak", "precision_n_predicted")
    scores = [score(*key, 5000, table="Table 2") | {"runs": 3}]
    scores += [score(*key, value, table="Table 2", seed=value) for value in (4900, 5000, 5100)]
    (row,) = (
        each for each in beside(scores, figures, "basque2018", "Table 2") if each["seeds_mean"]
    )
    # 5000 ± 4.3027 · 100 / √3
    assert [row[column] for column in SEEDS] == pytest.approx([5000, 4751.6, 5248.4], abs=0.1)


def test_the_interval_over_seeds_is_of_one_variant(figures):
    key = ("BiLSTM", "Base|ergative", "accuracy")
    scores = [score(*key, 0.8), score(*key, 0.8, seed=1)]
    scores += [score(*key, 0.6, variant="released") | {"runs": 2}]
    scores += [score(*key, 0.5, variant="released", seed=1)]
    scores += [score(*key, 0.7, variant="released", seed=2)]
    rows = beside(scores, figures, "basque2018", "Table 4")[:5]
    assert [row["seeds_mean"] for row in rows] == [None, None, pytest.approx(0.6), None, None]


@pytest.mark.parametrize(
    ("values", "runs"),
    [
        ((0.8,), 1),
        ((0.7, 0.9), 1),  # a mean over languages, of which one has a single seed
        ((0.7, None), 2),
    ],
)
def test_seeds_that_cannot_be_compared_have_no_interval(figures, values, runs):
    scores = [score("BiLSTM", "Base|ergative", "accuracy", 0.8) | {"runs": runs}]
    scores += [
        score("BiLSTM", "Base|ergative", "accuracy", 0.5, seed=seed) | {"value": value}
        for seed, value in enumerate(values)
    ]
    first = beside(scores, figures, "basque2018", "Table 4")[0]
    assert [first[column] for column in SEEDS] == [None] * 3


def test_a_figure_without_ours_has_empty_ours(table_4):
    row = table_4[5]
    assert (row["ours"], row["low"], row["difference"], row["n"]) == (None, None, None, None)
    assert (row["published"], row["note"]) == (0.8, "presence recall (see BASQUE-9)")


def test_an_unknown_condition_stands_last(table_4):
    assert brief(table_4[-1])[:2] == ("BiLSTM", "Base|genitive")
    assert table_4[-1]["published"] is None


def test_another_table_stays_out(table_4):
    assert "unidirectional LSTM" not in {row["system"] for row in table_4}


def test_a_table_that_the_paper_lacks_is_refused(figures):
    with pytest.raises(KasuError, match="no 'Table 40' of 'basque2018'"):
        beside([], figures, "basque2018", "Table 40")


def test_a_table_of_our_own_has_no_published_figures(figures):
    row = {"paper": "basque2018", "table": "pairs mine", "system": "s", "condition": "all"}
    row |= {"metric": "accuracy", "variant": None, "seed": None, "value": 0.5}
    rows = beside([row], figures, "basque2018", "pairs mine")
    assert [(row["system"], row["ours"], row["published"]) for row in rows] == [("s", 0.5, None)]


def test_figures_of_the_users_data_come_first_and_stand_beside_none_of_the_paper(figures):
    scores = [
        score("BiLSTM", "Base|ergative", "accuracy", 0.8),
        score("majority", "Base|ergative", "accuracy", 0.5),
        score("BiLSTM", "Base|subject", "accuracy", 0.9),
    ]
    rows = beside(scores, figures, "basque2018", "Table 4", apart=True)
    mine, theirs = rows[:3], rows[3:]
    assert [(row["system"], row["condition"], row["ours"]) for row in mine] == [
        ("BiLSTM", "Base|ergative", 0.8),
        ("majority", "Base|ergative", 0.5),
        ("BiLSTM", "Base|subject", 0.9),
    ]
    assert {(row["unit"], row["published"], row["difference"]) for row in mine} == {
        ("percent", None, None)
    }
    assert [row["printed"] for row in theirs] == [
        figure.printed for figure in figures if figure.key[:2] == ("basque2018", "Table 4")
    ]
    assert {row["ours"] for row in theirs} == {None}


def test_a_row_knows_whether_its_interval_holds_the_published_figure(compared):
    assert [row.within for row in compared] == [True, True, None, None, None, None]


def test_rows_have_the_digits_of_their_column(tmp_path, compared_lines):
    std = {"metric": "f1_std", "unit": "fraction"}
    lines = [
        *compared_lines,
        compared_lines[3] | {"printed": "54.9", "published": 0.549, "condition": "c"},
        compared_lines[0] | std | {"printed": "0", "published": 0.0},
        compared_lines[0] | std | {"printed": "0", "published": 0.0, "condition": "c"},
        compared_lines[0] | std | {"printed": "0.0065", "published": 0.0065, "condition": "d"},
        compared_lines[2] | {"metric": "auc"},
    ]
    write_tsv(tmp_path / "t.tsv", lines, TABLE)
    rows = read_comparison(tmp_path / "t.tsv")
    assert [row.digits for row in rows] == [1, 1, 1, 1, 2, 1, 1, 4, 4, 4, None]
    assert [row.bare for row in rows] == [
        False, False, False, True, False, False, False, True, True, False, False,
    ]  # fmt: skip
    hundred, zero = rows[3], rows[7]
    assert [hundred.shows(1.0), hundred.may_show(0.996), hundred.may_show(0.994)] == [
        False, True, False,
    ]  # fmt: skip
    assert [zero.shows(0.0), zero.may_show(0.4), zero.may_show(0.6)] == [False, True, False]
    assert (rows[0].shows(0.8714), rows[0].may_show(0.872)) == (True, False)
    assert rows[9].half == pytest.approx(0.00005)
    assert rows[0].half == pytest.approx(0.0005)


def test_gaps_and_deviations_are_no_shares():
    units = {"percent": True, "fraction": True, "number": False, "count": False}
    assert {unit: is_share("accuracy", unit) for unit in units} == units
    for metric in ("accuracy_gap", "f1_std"):
        assert not is_share(metric, "percent")
    assert is_share("mean_probability_all_three_forms", "fraction")


def test_headline_leaves_single_seeds_out(compared):
    assert [(row.system, row.seed) for row in headline(compared)] == [
        ("BiLSTM", None), ("majority", None),
    ]  # fmt: skip


def test_headline_keeps_seeds_that_have_no_row_over_all(compared):
    assert [row.seed for row in headline(compared[1:2])] == [1]


def test_a_cell_that_is_no_number_is_named(tmp_path, compared_lines):
    write_tsv(tmp_path / "t.tsv", [compared_lines[0] | {"low": "many"}], TABLE)
    with pytest.raises(KasuError, match=r"t\.tsv:2: low is 'many'; expected a number"):
        read_comparison(tmp_path / "t.tsv")


def test_a_table_without_rows_is_refused(tmp_path):
    write_tsv(tmp_path / "t.tsv", [], TABLE)
    with pytest.raises(KasuError, match=r"t\.tsv: no row"):
        read_comparison(tmp_path / "t.tsv")
