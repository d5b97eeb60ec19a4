"""Paired comparisons of systems, and winners that change with the metric."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from kasu.minimal_sets.evaluation.comparisons import compare, list_flips
from kasu.minimal_sets.evaluation.scored_sets import ModelOnSet, ScoredSet

KEY = ModelOnSet("word_released", "word", "toy", "A")
RIGHT, WRONG = [-2, -3, -1], [-1, -3, -2]


@pytest.fixture
def made(cell) -> Callable[[int, int], ScoredSet]:
    """A builder of cells with some solved and some unsolved items."""
    return lambda right, wrong: cell([RIGHT] * right + [WRONG] * wrong, ["nom"] * (right + wrong))


def test_all_pairs_on_each_set_and_on_the_pool(made):
    cells = {
        KEY._replace(system=system, set=name): made(6, 4)
        for system in "ABC"
        for name in ("one", "two")
    }
    rows = compare(cells, seed=1)
    assert [(row["set"], row["a"], row["b"]) for row in rows] == [
        (name, *pair)
        for name in ("dat/erg/nom: all sets", "one", "two")
        for pair in ("AB", "AC", "BC")
    ]
    assert all(row["difference"] == 0 and row["holm_p"] == 1 for row in rows)


def test_sets_of_other_values_are_not_pooled(made):
    other = made(6, 4)
    other = replace(other, values=("acc", "dat", "nom"))
    cells = {
        KEY._replace(system=system, set=name): one
        for system in "AB"
        for name, one in {"one": made(6, 4), "two": other}.items()
    }
    assert [row["set"] for row in compare(cells, seed=1)] == ["one", "two"]


def test_mcnemar_and_permutation_by_hand(made):
    (row,) = compare({KEY: made(10, 0), KEY._replace(system="B"): made(0, 10)}, seed=1)
    assert (row["accuracy_a"], row["accuracy_b"], row["difference"]) == (1, 0, 1)
    assert row["mcnemar_p"] == 2 / 1024
    assert row["permutation_p"] == pytest.approx(2 / 1024, abs=2e-3)
    assert row["holm_p"] == row["permutation_p"]


def test_holm_corrects_for_the_pairs_of_a_level(made):
    cells = {
        KEY._replace(system=name): made(10 * (name == "A"), 10 * (name != "A")) for name in "ABC"
    }
    rows = compare(cells, seed=1)
    assert [row["holm_p"] for row in rows] == pytest.approx(
        [3 * rows[0]["permutation_p"], 3 * rows[1]["permutation_p"], 1], rel=0.5
    )


def test_each_variant_and_level_is_a_family_of_its_own(made):
    # Each has one pair of systems, so nothing is corrected
    families = [
        ("word_released", "word"),
        ("word_paper_ideal", "word"),
        ("pll_original", "sentence"),
    ]
    cells = {
        ModelOnSet(variant, level, "toy", system): made(10 * (system == "A"), 10 * (system != "A"))
        for variant, level in families
        for system in "AB"
    }
    rows = compare(cells, seed=1)
    assert len(rows) == 3
    assert all(row["holm_p"] == row["permutation_p"] < 0.01 for row in rows)


def test_only_items_that_both_scored_are_compared(made):
    (row,) = compare({KEY: made(10, 0), KEY._replace(system="B"): made(4, 0)}, seed=1)
    assert row["n"] == 4


def test_definitions_of_one_kind_are_not_mixed(made):
    other = KEY._replace(system="B", variant="word_paper_ideal")
    assert compare({KEY: made(5, 5), other: made(5, 5)}, seed=1) == []


def test_a_sum_favours_short_forms_and_a_mean_may_not(cell):
    # nom: two tokens of -2, dat: one of -3, erg: one of -9
    flipping = cell([[-3, -9, -4]], ["nom"], token=[[1, 1, 2]])
    row = next(row for row in list_flips({KEY: flipping}) if row["b"].endswith("per token"))
    assert (row["accuracy_a"], row["accuracy_b"]) == (0, 1)
    assert (row["winner_changes"], row["becomes_right"], row["becomes_wrong"]) == (1, 1, 0)


def test_division_by_one_word_changes_nothing(made):
    (row,) = list_flips({KEY: made(3, 2)})
    assert row["b"] == "word, word_released, per word"
    assert row["winner_changes"] == 0


def test_word_level_against_sentence_level(cell):
    other = KEY._replace(level="sentence", variant="sentence_intended")
    lacking = {"word": np.full((2, 3), np.nan)}
    cells = {
        KEY: cell([RIGHT, RIGHT], ["nom", "nom"], **lacking),
        other: cell([RIGHT, WRONG], ["nom", "nom"], **lacking),
    }
    (row,) = list_flips(cells)
    assert (row["a"], row["b"]) == (
        "word, word_released, sum", "sentence, sentence_intended, sum",
    )  # fmt: skip
    assert (row["winner_changes"], row["becomes_wrong"]) == (0.5, 0.5)


def test_a_winner_lost_to_a_tie_changes(cell):
    tied = cell([[-4, -9, -4.5]], ["dat"], character=[[8, 8, 9]])
    row = next(row for row in list_flips({KEY: tied}) if row["b"].endswith("per character"))
    assert (row["winner_changes"], row["becomes_right"], row["becomes_wrong"]) == (1, 0, 0.5)
    assert (row["accuracy_a"], row["accuracy_b"]) == (1, 0.5)


def test_sets_of_two_collections_are_not_pooled(made):
    cells = {
        KEY._replace(system=system, set=name): replace(made(6, 4), collection=collection)
        for system in "AB"
        for name, collection in {"one": "glc", "two": "glc", "three": "released"}.items()
    }
    assert [(row["set"], row["n"]) for row in compare(cells, seed=1)] == [
        ("glc, dat/erg/nom: all sets", 20), ("one", 10), ("three", 10), ("two", 10),
    ]  # fmt: skip
