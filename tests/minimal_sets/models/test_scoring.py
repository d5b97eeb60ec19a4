"""One file of predictions per model, over several sets."""

from functools import partial

import pyarrow as pa
import pytest

from kasu.files.tables import read_parquet, read_tsv, write_drops, write_parquet
from kasu.lm.scoring.score import SCORES, Scoring
from kasu.minimal_sets.models import scoring

HOW = Scoring(["word_released"], too_long="drop")


def write_set(path, name: str) -> None:
    item = {
        "item_id": f"{name}:1", "set": name, "sentence_id": "s1", "masked": "[MASK].",
        "grammatical": "nom", "form_nom": "a", "form_erg": "b",
    }  # fmt: skip
    write_parquet(path, [item], pa.schema([(key, pa.string()) for key in item]))


@pytest.fixture
def scored(monkeypatch) -> list[dict]:
    """A scorer that gives every form -1 nat and drops an item; the calls it received."""
    calls = []

    def score_file(model, items, scores, drops, work, settings, **options) -> None:
        calls.append({"model": model, "work": work, "scoring": settings} | options)
        item = read_parquet(items).to_pylist()[0]
        rows = [
            dict.fromkeys(SCORES.names)
            | {"item_id": item["item_id"], "column": column, "definition": "word_released"}
            | {"log_probability": -1.0, "unit": "nat", "tokens": 1}
            for column in ("form_nom", "form_erg")
        ]
        write_parquet(scores, rows, SCORES)
        write_drops(drops, {"too long": 1} if item["set"] == "subjects" else {})

    monkeypatch.setattr(scoring, "score_file", score_file)
    return calls


def test_a_set_is_named_by_its_items_and_not_by_its_file(tmp_path, scored):
    write_set(tmp_path / "one.parquet", "subjects")
    write_set(tmp_path / "two.parquet", "objects")
    scoring.score_sets(
        "model", [tmp_path / "one.parquet", tmp_path / "two.parquet"], [],
        tmp_path / "p.parquet", tmp_path / "drops.tsv", tmp_path / "work",
        system="mBERT", scoring=HOW, code="hash",
    )  # fmt: skip
    rows = read_parquet(tmp_path / "p.parquet").to_pylist()
    assert [(row["set"], row["item_id"], row["value"]) for row in rows] == [
        ("objects", "objects:1", "erg"),
        ("objects", "objects:1", "nom"),
        ("subjects", "subjects:1", "erg"),
        ("subjects", "subjects:1", "nom"),
    ]
    assert {row["system"] for row in rows} == {"mBERT"}
    assert read_tsv(tmp_path / "drops.tsv") == [
        {"set": "subjects", "reason": "too long", "count": "1"}
    ]
    assert [call["work"].name for call in scored] == ["subjects", "objects"]
    assert all(call["scoring"] is HOW and call["code"] == "hash" for call in scored)
    assert not (tmp_path / "work").exists()


def test_items_whose_sentence_was_trained_on_are_known(tmp_path, scored):
    write_set(tmp_path / "one.parquet", "subjects")
    write_set(tmp_path / "two.parquet", "objects")
    for lines, seen in ((["Someone else.", "a ."], True), (["b."], False), (None, None)):
        texts = []
        if lines:
            texts.append(tmp_path / "text.txt")
            texts[0].write_text("\n".join(lines))
        scoring.score_sets(
            "model", [tmp_path / "one.parquet", tmp_path / "two.parquet"], texts,
            tmp_path / "p.parquet", tmp_path / "drops.tsv", tmp_path / "work",
            system="mBERT", scoring=HOW, code="hash",
        )  # fmt: skip
        # The right sentence counts, blanks and punctuation do not, and both sets have it
        assert read_parquet(tmp_path / "p.parquet")["seen"].to_pylist() == [seen] * 4


def test_a_second_run_waits_for_the_first(tmp_path, scored, held_for_a_moment, caplog):
    caplog.set_level("INFO", "kasu")
    write_set(tmp_path / "one.parquet", "subjects")
    held_for_a_moment(tmp_path / "work")
    scoring.score_sets(
        "model", [tmp_path / "one.parquet"], [],
        tmp_path / "p.parquet", tmp_path / "drops.tsv", tmp_path / "work",
        system="mBERT", scoring=HOW, code="hash",
    )  # fmt: skip
    assert caplog.messages[0].startswith(f"{tmp_path / 'work'}: process ")
    assert not [*tmp_path.glob(".*.held")]


def test_a_set_without_items_is_left_out_and_said(tmp_path, scored, caplog):
    write_set(tmp_path / "one.parquet", "subjects")
    one = read_parquet(tmp_path / "one.parquet")
    write_parquet(tmp_path / "empty.parquet", [], one.schema)
    score = partial(
        scoring.score_sets, "model", texts=[], predictions=tmp_path / "p.parquet",
        drops=tmp_path / "drops.tsv", work=tmp_path / "work", system="mBERT", scoring=HOW, code="",
    )  # fmt: skip
    score(sets=[tmp_path / "empty.parquet", tmp_path / "one.parquet"])
    assert read_parquet(tmp_path / "p.parquet")["set"].to_pylist() == ["subjects"] * 2
    assert f"{tmp_path}/empty.parquet: no item to score" in caplog.text
    # The tables of another model do not wait for one that has nothing to score
    score(sets=[tmp_path / "empty.parquet"])
    assert read_parquet(tmp_path / "p.parquet").num_rows == 0
