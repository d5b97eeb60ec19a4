"""Which wrong form is preferred, over all items and over failed ones."""

import numpy as np
import pytest

from kasu.minimal_sets.cells import COUNTS, Cell, Group, Key
from kasu.minimal_sets.paper import ENCODERS
from kasu.minimal_sets.preferences import list_preferences, printed_preferences


def cell(scores, right, **units) -> Cell:
    """Items of three forms (dat, erg, nom); each from a sentence of its own."""
    scores = np.array(scores, float)
    names = np.array([f"s{at}" for at in range(len(scores))])
    lacking = np.full(scores.shape, np.nan)
    known = {name: np.array(matrix, float) for name, matrix in units.items()}
    units = dict.fromkeys(COUNTS, lacking) | {"word": np.ones(scores.shape)} | known
    right = np.array([("dat", "erg", "nom").index(value) for value in right])
    blank = np.full(len(scores), "")
    return Cell(("dat", "erg", "nom"), names, names, blank, blank, right, scores, units, None)


# dat erg nom: dat is right twice; nom leads erg in three of four; the failed ones are b, c, d
SCORES = [[-1, -3, -2], [-2, -3, -1], [-3, -2, -1], [-3, -1, -2]]
KEY = Key("released_results", "word", "transitive-nom-dat-obj", "mBERT")


def found(rows: list[dict], **where: object) -> dict:
    (row,) = (row for row in rows if all(row[key] == value for key, value in where.items()))
    return row


def test_over_all_and_over_failed():
    rows = list_preferences({KEY: cell(SCORES, ["dat"] * 4)}, seed=1)
    over_all = found(rows, over="all", system="mBERT", set=KEY.set)
    assert (over_all["preferred"], over_all["other"]) == ("nom", "erg")
    assert (over_all["share"], over_all["n"]) == (0.75, 4)
    failed = found(rows, over="failed", system="mBERT", set=KEY.set)
    assert (failed["share"], failed["n"]) == (pytest.approx(2 / 3), 3)


def test_ties_are_shown_and_not_counted():
    rows = list_preferences({KEY: cell([[-1, -2, -2], [-1, -3, -2]], ["dat"] * 2)}, seed=1)
    row = found(rows, over="all", system="all systems", set="dat/erg/nom: all sets")
    assert (row["share"], row["ties"], row["n"]) == (0.5, 1, 2)
    assert found(rows, over="failed", system="mBERT", set=KEY.set)["share"] is None


def test_items_of_a_set_are_told_apart_by_their_right_form():
    rows = list_preferences({KEY: cell(SCORES, ["dat", "dat", "erg", "nom"])}, seed=1)
    assert {(row["grammatical"], row["n"]) for row in rows if row["over"] == "all"} == {
        ("dat", 2), ("erg", 1), ("nom", 1),
    }  # fmt: skip


def of_the_paper(sets: list[str], scores, right: str) -> list[dict]:
    cells = {
        KEY._replace(set=name, system=system): cell(scores, [right] * len(scores))
        for name in sets
        for system in ENCODERS
    }
    return list(printed_preferences(Group("released_results", "word", cells, ENCODERS), seed=1))


def test_printed_figures_have_the_keys_of_the_paper():
    rows = of_the_paper(["transitive-nom-dat-obj", "transitive-dat-nom-subj"], SCORES, "dat")
    over_all, failed = rows
    assert over_all["condition"] == "word-level|dat tasks"
    assert (over_all["metric"], over_all["value"]) == ("share_nom_over_erg", 0.75)
    assert failed["metric"] == "share_nom_over_erg_of_failed"
    assert failed["value"] == pytest.approx(2 / 3)


def test_an_average_that_lacks_a_set_is_not_printed():
    assert of_the_paper(["transitive-nom-dat-obj"], SCORES, "dat") == []


def test_ties_count_for_the_dative_where_the_nominative_is_right():
    sets = [
        "intransitive-nom-subj", "transitive-nom-dat-subj", "transitive-erg-nom-obj",
        "transitive-dat-nom-obj",
    ]  # fmt: skip
    (row,) = of_the_paper(sets, [[-2, -2, -1], [-3, -2, -1]], "nom")
    assert (row["metric"], row["value"]) == ("share_dat_over_erg", 0.5)
    assert "20 ties counted for dat" in row["note"]
