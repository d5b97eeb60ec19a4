"""Which wrong form is preferred, over all items and over failed ones."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from kasu.minimal_sets.evaluation.cells import Key
from kasu.minimal_sets.evaluation.groups import Group
from kasu.minimal_sets.evaluation.preferences import list_preferences, printed_preferences
from kasu.minimal_sets.released.paper import ENCODERS

# Columns dat, erg, nom. nom is above erg in three of four items; if dat is right, the last three
# items are failed
SCORES = [[-1, -3, -2], [-2, -3, -1], [-3, -2, -1], [-3, -1, -2]]
KEY = Key("released_results", "word", "transitive-nom-dat-obj", "mBERT")


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


def test_ties_are_shown_and_not_counted(cell):
    rows = list_preferences({KEY: cell([[-1, -2, -2], [-1, -3, -2]], ["dat"] * 2)}, seed=1)
    row = found(rows, over="all", system="all systems", set="dat/erg/nom: all sets")
    assert (row["share"], row["ties"], row["n"]) == (0.5, 1, 2)
    assert found(rows, over="failed", system="mBERT", set=KEY.set)["share"] is None


def test_items_of_a_set_are_split_by_their_right_form(cell):
    rows = list_preferences({KEY: cell(SCORES, ["dat", "dat", "erg", "nom"])}, seed=1)
    assert {(row["grammatical"], row["n"]) for row in rows if row["over"] == "all"} == {
        ("dat", 2), ("erg", 1), ("nom", 1),
    }  # fmt: skip


@pytest.fixture
def of_the_paper(cell) -> Callable[..., list[dict]]:
    def make(sets: list[str], scores, right: str) -> list[dict]:
        cells = {
            KEY._replace(set=name, system=system): cell(scores, [right] * len(scores))
            for name in sets
            for system in ENCODERS
        }
        return list(printed_preferences(Group("released_results", "word", cells, ENCODERS), seed=1))

    return make


def test_printed_figures_have_the_keys_of_the_paper(of_the_paper):
    rows = of_the_paper(["transitive-nom-dat-obj", "transitive-dat-nom-subj"], SCORES, "dat")
    over_all, failed = rows
    assert over_all["condition"] == "word-level|dat tasks"
    assert (over_all["metric"], over_all["value"]) == ("share_nom_over_erg", 0.75)
    assert failed["metric"] == "share_nom_over_erg_of_failed"
    assert failed["value"] == pytest.approx(2 / 3)


def test_an_average_without_all_sets_is_not_given(of_the_paper):
    assert of_the_paper(["transitive-nom-dat-obj"], SCORES, "dat") == []


def test_ties_count_for_the_dative_where_the_nominative_is_right(of_the_paper):
    sets = [
        "intransitive-nom-subj", "transitive-nom-dat-subj", "transitive-erg-nom-obj",
        "transitive-dat-nom-obj",
    ]  # fmt: skip
    (row,) = of_the_paper(sets, [[-2, -2, -1], [-3, -2, -1]], "nom")
    assert (row["metric"], row["value"]) == ("share_dat_over_erg", 0.5)
    assert "20 ties counted for dat" in row["note"]


def test_sets_of_two_collections_are_not_pooled(cell):
    cells = {
        KEY._replace(set=name): replace(cell(SCORES, ["dat"] * 4), collection=name)
        for name in ("glc", "released")
    }
    rows = list_preferences(cells, seed=1)
    row = found(rows, over="all", system="mBERT", set="glc, dat/erg/nom: all sets")
    assert row["n"] == 4
