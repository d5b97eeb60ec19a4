"""The word trigram: probabilities sum to one, hand-computed values, preferences."""

import itertools
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.base.tables import read_parquet, write_parquet
from kasu.pretraining.data.pairs import PAIRS
from kasu.pretraining.models.trigram import _END, NULL_SCORES, Trigram, score_length, score_trigram

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


def test_hand_computed():
    # (B B a) and (B a E) occur twice each; without n-grams seen once the discount is 1/2
    model = Trigram([["a"], ["a"]])
    uniform = 1 / 3  # a, the end, the unknown word
    unigram = (1 - 0.5 + 0.5 * 2 * uniform) / 2  # a and the end, each seen in one context
    bigram = (1 - 0.5 + 0.5 * 1 * unigram) / 1
    trigram = (2 - 0.5 + 0.5 * 1 * bigram) / 2
    assert model.log_probabilities(["a"]) == pytest.approx([np.log(trigram)] * 2)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=5), min_size=1, max_size=8),
    st.lists(st.sampled_from("abcdx"), max_size=3),
)
def test_probabilities_of_all_next_words_sum_to_one(text, context):
    model = Trigram(text, rare=2)
    nexts = [*model.numbers, "never seen"]
    total = sum(np.exp(model.log_probabilities([*context, word])[-2]) for word in nexts)
    total += np.exp(model.log_probabilities(context)[-1])
    assert total == pytest.approx(1)


def test_discount_of_ney_essen_and_kneser():
    model = Trigram([sentence.split() for sentence in [*TEXT, *TEXT[:2]]], rare=1)
    once, twice = (int((model.orders[0].counts == n).sum()) for n in (1, 2))
    assert model.orders[0].discount == once / (once + 2 * twice)


def test_seen_sentences_beat_unseen_ones(tmp_path):
    corpus = write_corpus(tmp_path / "c.parquet", TEXT)
    pairs = write_pairs(tmp_path / "p.parquet", ("ni hemen nago", "ni hemen zaude"), ("ni", "xx"))
    score_trigram(corpus, pairs, tmp_path / "s.parquet")
    rows = read_parquet(tmp_path / "s.parquet").to_pylist()
    assert list(rows[0]) == NULL_SCORES.names
    good, bad, one, other = rows
    assert (good["column"], bad["column"]) == ("sentence_good", "sentence_bad")
    assert good["log_probability"] > bad["log_probability"]
    assert (good["tokens"], good["definition"]) == (3, "trigram")
    assert (one["unknown"], other["unknown"]) == (0, 1)


def test_shorter_sentence(tmp_path):
    pairs = write_pairs(tmp_path / "p.parquet", ("Ni nago.", "Nik nago."))
    score_length(pairs, tmp_path / "s.parquet")
    rows = read_parquet(tmp_path / "s.parquet").to_pylist()
    assert [(row["log_probability"], row["tokens"]) for row in rows] == [(-8, 2), (-9, 2)]


def test_no_text(tmp_path):
    corpus = write_corpus(tmp_path / "c.parquet", [])
    pairs = write_pairs(tmp_path / "p.parquet", ("a", "b"))
    with pytest.raises(KasuError, match="no word in the text"):
        score_trigram(corpus, pairs, tmp_path / "s.parquet")


def test_order_of_sentences_does_not_matter():
    sentences = [sentence.split() for sentence in TEXT]
    found = {
        tuple(Trigram(order).log_probabilities(["ni", "hemen", "x"]))
        for order in itertools.islice(itertools.permutations(sentences), 6)
    }
    assert len(found) == 1


def test_end_is_a_word_of_its_own():
    assert list(Trigram([["a", "a"]]).keys(["a"]))[-1] & (2**21 - 1) == _END
