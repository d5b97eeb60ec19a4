"""Which wrong form is preferred, over all items and over failed ones."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from kasu.minimal_sets.data.paper import ENCODERS
from kasu.minimal_sets.evaluation.groups import Group
from kasu.minimal_sets.evaluation.preferences import list_preferences, printed_preferences
from kasu.minimal_sets.evaluation.scored_sets import ModelOnSet
from kasu.results.scores import Score

# Columns dat, erg, nom. nom is above erg in three of four items; if dat is right, the last three
# items are failed
SCORES = [[-1, -3, -2], [-2, -3, -1], [-3, -2, -1], [-3, -1, -2]]
KEY = ModelOnSet("released_results", "word", "transitive-nom-dat-obj", "mBERT")


def found(rows: list[dict], **where: object) -> dict:
    (row,) = (row for row in rows if all(row[key] == value for key, value in where.items()))
    return row


def test_over_all_and_over_failed(cell):
    rows = list_preferences({KEY: cell(SCORES, ["dat"] * 4)}, seed=1)
    over_all = found(rows, over="all", system="mBERT", set=KEY.set)
    assert (over_all["preferred"], over_all["other"]) == ("nom", "erg")
    assert (over_all["share"], over_all["n"]) == (0.75, 4)
    failed = found(rows, over="failed", system="mBERT", set=KEY.set)
    assert (failed["share"], failed["n"]) == (pytest.approx(2 / 3), 3)


@pytest.mark.parametrize(("released", "share"), [(False, 0.75), (True, 0.5)])
def test_ties_are_shown_and_count_one_half_but_nothing_in_released_results(cell, released, share):
    of_two = replace(cell([[-1, -2, -2], [-1, -3, -2]], ["dat"] * 2), released=released)
    rows = list_preferences({KEY: of_two}, seed=1)
    row = found(rows, over="all", system="all systems", set="dat/erg/nom: all sets")
    assert (row["share"], row["ties"], row["n"]) == (share, 1, 2)
    assert found(rows, over="failed", system="mBERT", set=KEY.set)["share"] is None


@pytest.mark.parametrize(("released", "failed"), [(False, 0), (True, 1)])
def test_a_tie_with_the_right_form_is_failed_in_released_results_alone(cell, released, failed):
    tie = replace(cell([[-1, -3, -1]], ["dat"]), released=released)
    rows = list_preferences({KEY: tie}, seed=1)
    assert found(rows, over="failed", system="mBERT", set=KEY.set)["n"] == failed


def test_items_of_a_set_are_split_by_their_right_form(cell):
    rows = list_preferences({KEY: cell(SCORES, ["dat", "dat", "erg", "nom"])}, seed=1)
    assert {(row["grammatical"], row["n"]) for row in rows if row["over"] == "all"} == {
        ("dat", 2), ("erg", 1), ("nom", 1),
    }  # fmt: skip


@pytest.fixture
def of_the_paper(cell) -> Callable[..., list[Score]]:
    def make(sets: list[str], scores, right: str, released: bool = True) -> list[dict]:
        of_set = replace(cell(scores, [right] * len(scores)), released=released)
        cells = {
            KEY._replace(set=name, system=system): of_set for name in sets for system in ENCODERS
        }
        group = Group("released_results", "word", cells, ENCODERS)
        return list(printed_preferences(group, Score("minimal_sets", "georgian"), seed=1))

    return make


def test_printed_figures_have_the_keys_of_the_paper(of_the_paper):
    rows = of_the_paper(["transitive-nom-dat-obj", "transitive-dat-nom-subj"], SCORES, "dat")
    over_all, failed = rows
    assert over_all.condition == "word-level|dat tasks"
    assert (over_all.metric, over_all.value) == ("share_nom_over_erg", 0.75)
    assert failed.metric == "share_nom_over_erg_of_failed"
    assert failed.value == pytest.approx(2 / 3)


def test_an_average_without_all_sets_is_not_given(of_the_paper):
    assert of_the_paper(["transitive-nom-dat-obj"], SCORES, "dat") == []


def test_ties_count_for_the_dative_where_the_nominative_is_right(of_the_paper):
    sets = [
        "intransitive-nom-subj", "transitive-nom-dat-subj", "transitive-erg-nom-obj",
        "transitive-dat-nom-obj",
    ]  # fmt: skip
    scores = [[-2, -2, -1], [-3, -2, -1]]
    (row,) = of_the_paper(sets, scores, "nom")
    assert (row.metric, row.value) == ("share_dat_over_erg", 0.5)
    assert "20 ties counted for dat" in row.note
    (ours,) = of_the_paper(sets, scores, "nom", released=False)
    assert ours.value == 0.25
    assert "20 ties counted one half" in ours.note


def test_sets_of_two_collections_are_not_pooled(cell):
    cells = {
        KEY._replace(set=name): replace(cell(SCORES, ["dat"] * 4), collection=name)
        for name in ("glc", "released")
    }
    rows = list_preferences(cells, seed=1)
    row = found(rows, over="all", system="mBERT", set="glc, dat/erg/nom: all sets")
    assert row["n"] == 4
