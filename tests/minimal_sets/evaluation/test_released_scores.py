"""Scores of the authors' own results: Table 3, the text, Figure 3."""

import csv

import pytest

from kasu.files.tables import read_parquet, read_tsv
from kasu.minimal_sets.data.paper import PAPER
from kasu.minimal_sets.evaluation.scored_sets import read_scored_sets
from kasu.minimal_sets.evaluation.scores import list_probabilities, score_study
from kasu.minimal_sets.released.results import predict_released
from kasu.results.comparison import beside
from kasu.results.scores import SCORES

RESULTS = "papers/georgian-case-alignment/results"


@pytest.fixture(scope="module")
def released(mirror, tmp_path_factory, outputs_in):
    """Their predictions, and the outputs of the study on them."""
    folder = tmp_path_factory.mktemp("released")
    predict_released((mirror / RESULTS / "full").iterdir(), folder / "p.parquet")
    score_study([folder / "p.parquet"], outputs_in(folder), seed=1)
    return folder


@pytest.fixture(scope="module")
def released_scores(released) -> list[dict]:
    table = read_parquet(released / "scores.parquet")
    assert table.schema == SCORES
    return table.to_pylist()


@pytest.mark.real
def test_every_available_cell_of_table_3_equals_the_published_one(released_scores, published):
    rows = beside(released_scores, published, PAPER, "Table 3")
    cells = [row for row in rows if row["printed"] and row["ours"] is not None]
    assert len(cells) == 60  # 5 encoders at 2 levels and 2 decoders at one, on 5 of the 7 sets
    for row in cells:
        assert f"{100 * round(row['ours'], 2):.0f}" == row["printed"], row


@pytest.mark.real
def test_figures_of_the_text_whose_sets_are_available(released_scores, published):
    ours = {}
    for table in ("section 7", "section 7.1", "section 7.3"):
        for row in beside(released_scores, published, PAPER, table):
            if row["ours"] is not None and row["printed"]:
                key = (table, row["condition"], row["metric"])
                ours[key] = (round(row["ours"], 4), row["printed"])
    assert ours == {
        ("section 7", "word-level|dat", "mean_accuracy"): (0.488, "48.8"),
        ("section 7", "sentence-level|dat", "mean_accuracy"): (0.3229, "32.3"),
        ("section 7.1", "word-level|dat", "mean_accuracy"): (0.488, "32.3"),
        ("section 7.1", "sentence-level|dat", "mean_accuracy"): (0.3229, "36.6"),
        ("section 7.1", "word-level|dat", "mean_probability_all_three_forms"): (0.0287, "0.029"),
        ("section 7.3", "word-level|dat tasks", "share_nom_over_erg"): (0.832, "83.2"),
    }
    metric = "share_nom_over_erg_of_failed"
    assert [row["value"] for row in released_scores if row["metric"] == metric] == [0.8125]


@pytest.mark.real
def test_preferences_by_set_over_all_and_over_failed(released):
    rows = read_tsv(released / "preferences.tsv")
    shares = {
        (row["set"], row["over"]): (round(float(row["share"]), 4), int(row["n"]))
        for row in rows
        if (row["level"], row["system"], row["grammatical"]) == ("word", "all systems", "dat")
    }
    assert shares[("transitive-nom-dat-obj", "all")] == (0.852, 250)
    assert shares[("transitive-dat-nom-subj", "all")] == (0.812, 250)
    assert shares[("dat/erg/nom: all sets", "failed")] == (0.8125, 256)


@pytest.mark.real
def test_only_the_untrained_head_is_flagged(released_scores):
    flagged = {
        (row["system"], row["condition"])
        for row in released_scores
        if row["metric"] == "accuracy" and "untrained head" in (row["note"] or "")
    }
    assert {system for system, _ in flagged} == {"RemBERT"}
    assert sorted(condition.partition("|")[0] for _, condition in flagged) == [
        *["sentence-level"] * 5, *["word-level"] * 5,
    ]  # fmt: skip


@pytest.mark.real
def test_probabilities_equal_those_of_the_authors_figure_3(mirror, released):
    cells = read_scored_sets([released / "p.parquet"])
    ours = {}
    for row in list_probabilities(cells):
        if row["level"] == "word":
            key = (row["system"], row["set"], row["value"])
            ours[key] = row["mean_probability"]
    names = {"HPLT": "HPLT-BERT-ka"}
    tasks = {
        "INTRANSITIVE NOMINATIVE (SUBJECT)": "intransitive-nom-subj",
        "NOMINATIVE - DATIVE (SUBJECT)": "transitive-nom-dat-subj",
        "NOMINATIVE - DATIVE (OBJECT)": "transitive-nom-dat-obj",
        "DATIVE - NOMINATIVE (SUBJECT)": "transitive-dat-nom-subj",
        "DATIVE - NOMINATIVE (OBJECT)": "transitive-dat-nom-obj",
    }
    path = mirror / RESULTS / "vis" / "bar-chart-reformatted.no-erg-sets.csv"
    with path.open(encoding="utf-8", newline="") as file:
        theirs = {
            (names.get(row["model"], row["model"]), tasks[row["task"]], row["form"].lower()): float(
                row["prob"]
            )
            for row in csv.DictReader(file)
        }
    assert len(theirs) == 75
    assert ours == pytest.approx(theirs, rel=1e-9)
