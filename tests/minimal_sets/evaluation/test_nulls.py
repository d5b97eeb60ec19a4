"""Nulls: chance, always one value, the shortest form, fewest tokens."""

from dataclasses import replace

import numpy as np
import pytest

from kasu.minimal_sets.evaluation.nulls import nulls
from kasu.minimal_sets.evaluation.scored_sets import ModelOnSet

KEY = ModelOnSet("word_released", "word", "toy", "mBERT")
LENGTHS = [[5, 6, 4], [5, 5, 6]]


@pytest.fixture
def toy(cell) -> dict:
    """One cell of two items."""
    return {KEY: cell(np.zeros((2, 3)), ["nom", "nom"], form_length=LENGTHS)}


def found(cells, system: str, where: str = "toy") -> list:
    (solved,) = (
        solved for key, _, solved in nulls(cells) if (key.system, key.set) == (system, where)
    )
    return solved.tolist()


def test_chance_is_one_over_the_number_of_forms(toy):
    assert found(toy, "chance") == pytest.approx([1 / 3, 1 / 3])


def test_always_picks_the_most_frequent_right_value_over_all_sets(cell, toy):
    erg = cell(np.zeros((1, 3)), ["erg"], form_length=LENGTHS[:1])
    cells = toy | {KEY._replace(set="other"): erg}
    assert found(cells, "always nom") == [True, True]
    assert found(cells, "always nom", "other") == [False]


def test_the_shortest_form_wins_and_a_tie_counts_as_a_guess(cell):
    lengths = [[5, 6, 4], [5, 5, 6], [4, 6, 4], [3, 3, 3]]
    cells = {KEY: cell(np.zeros((4, 3)), ["nom"] * 4, form_length=lengths)}
    assert found(cells, "shortest form") == [1, 0, 1 / 2, 1 / 3]


def test_fewest_tokens_needs_token_counts(cell, toy):
    tokens = {
        KEY: cell(np.zeros((1, 3)), ["dat"], form_tokens=[[1, 2, 2]], form_length=[[3, 2, 1]])
    }
    assert found(tokens, "fewest tokens of mBERT") == [True]
    assert not [key for key, _, _ in nulls(toy) if key.system.startswith("fewest")]


def test_each_null_comes_once_for_several_systems(toy):
    cells = toy | {KEY._replace(system="RemBERT"): toy[KEY]}
    assert len([key for key, _, _ in nulls(cells) if key.system == "chance"]) == 1


def test_a_causal_model_has_the_tokens_of_its_sentences(cell):
    key = KEY._replace(system="GPT", level="sentence")
    tokens = cell(np.zeros((1, 3)), ["dat"], sentence_tokens=[[7, 9, 9]], form_length=[[3, 2, 1]])
    assert found({key: tokens}, "fewest tokens of GPT") == [True]


def test_nulls_are_over_the_items_of_the_system_that_scored_most(cell, toy):
    first = cell(np.zeros((1, 3)), ["nom"], form_length=LENGTHS[:1])
    cells = {KEY._replace(system="GPT"): first} | toy
    assert found(cells, "shortest form") == [True, False]


def test_always_picks_the_most_frequent_right_value_of_a_set_with_several(cell, toy):
    mixed = cell(np.zeros((3, 3)), ["erg", "nom", "erg"], form_length=[[3, 2, 1]] * 3)
    cells = toy | {KEY._replace(set="mixed"): mixed, KEY._replace(set="again"): toy[KEY]}
    assert found(cells, "always erg", "mixed") == [1, 0, 1]
    assert found(cells, "always nom") == [1, 1]


def test_pairs_of_agreement_have_no_null_that_always_takes_the_right_form(cell):
    """Their values, `right` and `wrong`, name the answer."""
    scored = cell(np.zeros((2, 3)), ["dat", "dat"], form_length=LENGTHS[:2])
    units = {name: matrix[:, :2] for name, matrix in scored.units.items()}
    pairs = replace(scored, values=("right", "wrong"), scores=scored.scores[:, :2], units=units)
    names = {key.system for key, _, _ in nulls({KEY: pairs})}
    assert names == {"chance", "shortest form"}
