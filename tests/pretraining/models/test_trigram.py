"""Sentences scored by a trigram and by their lengths."""

from pathlib import Path

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, write_parquet
from kasu.pretraining.data.pairs import PAIRS
from kasu.pretraining.models.trigram import NULL_SCORES, score_length, score_trigram

TEXT = ["ni pozik nago", "zu pozik zaude", "ni hemen nago", "zu hemen zaude"]


def write_pairs(path: Path, *pairs: tuple[str, str]) -> Path:
    rows = [
        dict.fromkeys(PAIRS.names) | {"item_id": str(n), "sentence_good": good, "sentence_bad": bad}
        for n, (good, bad) in enumerate(pairs, 1)
    ]
    write_parquet(path, rows, PAIRS)
    return path


def write_corpus(path: Path, texts: list[str]) -> Path:
    write_parquet(path, [{"text": text} for text in texts], pa.schema([("text", pa.string())]))
    return path


def test_seen_sentences_beat_unseen_ones(tmp_path):
    corpus = write_corpus(tmp_path / "c.parquet", TEXT)
    pairs = write_pairs(tmp_path / "p.parquet", ("ni hemen nago", "ni hemen zaude"), ("ni", "xx"))
    score_trigram(corpus, [(pairs, tmp_path / "s.parquet")])
    rows = read_parquet(tmp_path / "s.parquet").to_pylist()
    assert list(rows[0]) == NULL_SCORES.names
    good, bad, one, other = rows
    assert (good["column"], bad["column"]) == ("sentence_good", "sentence_bad")
    assert good["log_probability"] > bad["log_probability"]
    assert (good["tokens"], good["definition"]) == (3, "trigram")
    assert (one["unknown"], other["unknown"]) == (0, 1)


def test_the_shorter_and_the_longer_sentence(tmp_path):
    pairs = write_pairs(tmp_path / "p.parquet", ("Ni nago.", "Nik nago."))
    files = {null: tmp_path / f"{null}.parquet" for null in ("fewer_characters", "more_characters")}
    score_length(pairs, files)
    given = {}
    for null, path in files.items():
        rows = read_parquet(path).to_pylist()
        assert {row["definition"] for row in rows} == {null}
        given[null] = [(row["log_probability"], row["tokens"]) for row in rows]
    assert given == {
        "fewer_characters": [(-8, 2), (-9, 2)], "more_characters": [(8, 2), (9, 2)],
    }  # fmt: skip


def test_no_text(tmp_path):
    corpus = write_corpus(tmp_path / "c.parquet", [])
    pairs = write_pairs(tmp_path / "p.parquet", ("a", "b"))
    with pytest.raises(KasuError, match=r"c\.parquet: no sentence"):
        score_trigram(corpus, [(pairs, tmp_path / "s.parquet")])
