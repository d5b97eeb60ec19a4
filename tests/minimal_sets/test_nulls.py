"""What stands beside accuracies: chance, one value always, the shortest form."""

import numpy as np
import pytest

from kasu.minimal_sets.cells import COUNTS, Cell, Key
from kasu.minimal_sets.nulls import nulls


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


KEY = Key("word_released", "word", "toy", "mBERT")
LENGTHS = [[5, 6, 4], [5, 5, 6]]
CELLS = {KEY: cell(np.zeros((2, 3)), ["nom", "nom"], form_length=LENGTHS)}


def found(cells, system: str, where: str = "toy") -> list:
    (solved,) = (
        solved for key, _, solved in nulls(cells) if (key.system, key.set) == (system, where)
    )
    return solved.tolist()


def test_chance_is_one_in_as_many_as_there_are_forms():
    assert found(CELLS, "chance") == pytest.approx([1 / 3, 1 / 3])


def test_the_commonest_right_value_over_all_sets_is_always_taken():
    erg = cell(np.zeros((1, 3)), ["erg"], form_length=LENGTHS[:1])
    cells = CELLS | {KEY._replace(set="other"): erg}
    assert found(cells, "always nom") == [True, True]
    assert found(cells, "always nom", "other") == [False]


def test_the_shortest_form_wins_and_a_tie_is_wrong():
    assert found(CELLS, "shortest form") == [True, False]


def test_fewest_tokens_are_those_of_a_tokenizer():
    tokens = {
        KEY: cell(np.zeros((1, 3)), ["dat"], form_tokens=[[1, 2, 2]], form_length=[[3, 2, 1]])
    }
    assert found(tokens, "fewest tokens of mBERT") == [True]
    assert not [key for key, _, _ in nulls(CELLS) if key.system.startswith("fewest")]


def test_nulls_stand_once_beside_many_systems():
    cells = CELLS | {KEY._replace(system="RemBERT"): CELLS[KEY]}
    assert len([key for key, _, _ in nulls(cells) if key.system == "chance"]) == 1
