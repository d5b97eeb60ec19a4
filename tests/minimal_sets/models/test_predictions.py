"""From scores to predictions: units, levels, tokens, items."""

import math

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, write_parquet
from kasu.lm.scoring.score import SCORES
from kasu.minimal_sets.models.predictions import (
    PREDICTIONS,
    TOKENS,
    add_tokens,
    list_predictions,
    read_items,
    write_predictions,
)

CHILD = {
    "item_id": "toy-1-1", "set": "toy", "sentence_id": "s1", "masked": "[MASK] ხატავს სურათს.",
    "grammatical": "nom", "form_nom": "ბავშვი", "form_erg": "ბავშვმა", "form_dat": "ბავშვს",
    "tense": "Pres", "aspect": "Imp",
}  # fmt: skip


def write_items(folder, *items):
    path = folder / "items.parquet"
    write_parquet(path, items, pa.schema([(name, pa.string()) for name in items[0]]))
    return path


def score(value: str, given: float, definition: str = "word_released", **changes) -> dict:
    row = dict.fromkeys(SCORES.names) | {
        "item_id": "toy-1-1", "column": f"form_{value}", "definition": definition,
        "log_probability": given, "unit": "nat", "tokens": 2, "scored": 2, "floored": 0,
        "unknown": 0, "words": 1, "characters": 6, "bytes": 18, "vocabulary": 100,
    }  # fmt: skip
    return row | changes


def predicted(folder, rows, items=None) -> list[dict]:
    items = items or write_items(folder, CHILD)
    write_parquet(folder / "scores.parquet", rows, SCORES)
    out = folder / "predictions.parquet"
    write_predictions(out, list_predictions(items, folder / "scores.parquet", "mBERT"))
    return read_parquet(out).to_pylist()


def test_one_row_per_form(tmp_path):
    rows = predicted(tmp_path, [score("nom", -1), score("erg", -3), score("dat", -2)])
    assert [(row["value"], row["grammatical"], row["form"]) for row in rows] == [
        ("dat", False, "ბავშვს"), ("erg", False, "ბავშვმა"), ("nom", True, "ბავშვი"),
    ]  # fmt: skip
    assert {(row["level"], row["variant"], row["tense"], row["aspect"]) for row in rows} == {
        ("word", "word_released", "Pres", "Imp")
    }
    assert read_parquet(tmp_path / "predictions.parquet").schema == PREDICTIONS


def test_bits_become_nats(tmp_path):
    (row,) = predicted(tmp_path, [score("nom", -3, "causal_released", unit="bit")])
    assert row["log_probability"] == pytest.approx(-3 * math.log(2))
    assert row["level"] == "sentence"


def test_tokens_of_form_and_sentence_come_from_the_two_levels(tmp_path):
    rows = [score("nom", -1), score("nom", -9, "sentence_intended", tokens=7, scored=6)]
    for row in predicted(tmp_path, rows):
        assert (row["form_tokens"], row["sentence_tokens"]) == (2, 7)


def test_counts_of_the_tokenizer_win(tmp_path):
    counts = {"system": "mBERT", "set": "toy", "item_id": "toy-1-1", "sentence_id": "s1"}
    counts |= {"value": "nom", "form_tokens": 3, "sentence_tokens": 11}
    write_parquet(tmp_path / "tokens.parquet", [counts], TOKENS)
    rows = predicted(tmp_path, [score("nom", -1)])
    add_tokens(rows, [tmp_path / "tokens.parquet"])
    (row,) = rows
    assert (row["form_tokens"], row["sentence_tokens"], row["scored"]) == (3, 11, 3)


@pytest.mark.parametrize("changes", [{"item_id": "toy-9"}, {"column": "form_abs"}])
def test_a_score_of_another_set_is_refused(tmp_path, changes):
    with pytest.raises(KasuError, match="expected items and forms of"):
        predicted(tmp_path, [score("nom", -1, **changes)])


def test_an_unknown_definition_is_refused(tmp_path):
    with pytest.raises(KasuError, match="the definition 'guess'"):
        predicted(tmp_path, [score("nom", -1, "guess")])


def test_items_without_a_column_or_their_right_form_are_refused(tmp_path):
    lacking = {key: value for key, value in CHILD.items() if key != "sentence_id"}
    with pytest.raises(KasuError, match="no column 'sentence_id'"):
        read_items(write_items(tmp_path, lacking))
    with pytest.raises(KasuError, match="no form of its right value 'abs'"):
        read_items(write_items(tmp_path, CHILD | {"grammatical": "abs"}))
