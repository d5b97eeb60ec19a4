"""Cells of Table 3: right forms, ties, comparable variants."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.files.tables import write_parquet
from kasu.minimal_sets.evaluation.scored_sets import (
    comparable,
    mean_over_sets,
    read_scored_sets,
)
from kasu.minimal_sets.models.predictions import PREDICTIONS
from kasu.results.statistics import worth


def form(item: str, value: str, right: str, given: float, **changes) -> dict:
    row = dict.fromkeys(PREDICTIONS.names) | {
        "set": "toy", "item_id": item, "sentence_id": item, "system": "mBERT",
        "definition": "word_released", "variant": "word_released", "level": "word",
        "value": value, "grammatical": value == right, "form": f"x{value}",
        "log_probability": given, "words": 1, "characters": 4, "bytes": 4,
    }  # fmt: skip
    return row | changes


def item(name: str, right: str, scores: dict[str, float], **changes) -> list[dict]:
    return [form(name, value, right, given, **changes) for value, given in scores.items()]


def cells(folder, rows):
    write_parquet(folder / "p.parquet", rows, PREDICTIONS)
    return read_scored_sets([folder / "p.parquet"])


def test_right_is_strictly_above_both_others(tmp_path):
    rows = item("a", "erg", {"nom": -2, "dat": -3, "erg": -1})
    rows += item("b", "erg", {"nom": -1, "dat": -3, "erg": -2})
    (cell,) = cells(tmp_path, rows).values()
    assert cell.correct.tolist() == [1, 0]


def test_a_tie_counts_as_a_guess_and_is_counted(tmp_path):
    rows = item("a", "erg", {"nom": -1, "dat": -3, "erg": -1})
    rows += item("b", "erg", {"nom": -1, "dat": -1, "erg": -1})
    (cell,) = cells(tmp_path, rows).values()
    assert (cell.correct.tolist(), cell.ties) == ([1 / 2, 1 / 3], 2)


def test_a_tie_of_released_results_is_wrong_as_in_the_paper_and_counted(tmp_path):
    tie = item("a", "erg", {"nom": -1, "dat": -3, "erg": -1}, variant="released_results")
    (cell,) = cells(tmp_path, tie).values()
    assert (cell.correct.tolist(), cell.ties) == ([0], 1)


def test_a_tie_of_wrong_forms_below_the_right_one_does_not_count(tmp_path):
    (cell,) = cells(tmp_path, item("a", "erg", {"nom": -2, "dat": -2, "erg": -1})).values()
    assert (cell.correct.tolist(), cell.ties) == ([True], 0)


@given(
    st.lists(st.lists(st.floats(-50, 0), min_size=3, max_size=3), min_size=1, max_size=9),
    st.integers(0, 2),
)
def test_the_forms_of_an_item_share_one_point(scores, shift):
    scores = np.array(scores)
    worths = [worth(scores, at) for at in range(3)]
    assert np.sum(worths, axis=0) == pytest.approx(1)
    assert ((worths[shift] > 0) == (scores[:, shift] == scores.max(axis=1))).all()


def test_sets_of_other_languages_have_other_values(tmp_path):
    rows = item("a", "abs", {"erg": -2, "abs": -1}, set="basque-abs")
    ((key, cell),) = cells(tmp_path, rows).items()
    assert (key.condition, cell.values, cell.case()) == (
        "word-level|basque-abs",
        ("abs", "erg"),
        "abs",
    )


@pytest.mark.parametrize(
    "rows",
    [
        item("a", "nom", {"nom": -1, "dat": -2}) + item("b", "nom", {"nom": -1}),
        item("a", "erg", {"nom": -1, "dat": -2}),
        item("a", "nom", {"nom": -1, "dat": -2}) * 2,
        item("a", "nom", {"nom": -1}),
    ],
)
def test_an_item_without_all_forms_once_and_one_right_is_refused(tmp_path, rows):
    with pytest.raises(KasuError, match="expected each form once"):
        cells(tmp_path, rows)


def test_no_prediction_is_refused(tmp_path):
    with pytest.raises(KasuError, match="no item that a model scored"):
        cells(tmp_path, [])


def test_cells_of_equal_weight():
    cells = [(np.ones(10), np.arange(10)), (np.zeros(50), np.arange(50))]
    value, low, high = mean_over_sets(cells, seed=1)
    assert value == 0.5
    assert low <= value <= high


def test_encoders_and_decoders_have_their_own_definitions():
    assert comparable("sentence_intended", "causal_released")
    assert comparable("released_results", "released_results")
    assert not comparable("sentence_intended", "sentence_released_dec24")
    assert not comparable("released_results", "causal_released")
