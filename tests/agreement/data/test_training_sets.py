"""Training sets are parts of one another, and share no near copy with validation and test."""

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kasu.agreement.data.training_sets import BEYOND, NEAR_COPY, draw_training_set
from kasu.files.tables import read_parquet, read_tsv, write_parquet

SPLIT = pa.schema(
    [("sentence_id", pa.string()), ("variant", pa.string()), ("tokens", pa.list_(pa.string()))]
)
TEN = {f"s{number}": "etxe a handi a da ." for number in range(10)}  # five words each


@pytest.fixture
def draw(tmp_path):
    """Draw a training set of sentences, each in both variants; return rows, counts and drops."""

    def write(name: str, sentences: dict[str, str]) -> object:
        rows = [
            {"sentence_id": each, "variant": variant, "tokens": text.split()}
            for each, text in sentences.items()
            for variant in ("paper", "released")
        ]
        write_parquet(tmp_path / name, rows, SPLIT)
        return tmp_path / name

    def run(sentences, words, held_out=None, seed=1):
        out, counts, drops = (tmp_path / name for name in ("out", "counts.tsv", "drops.tsv"))
        files = [write("validation", {"v": "Bai ."}), write("test", held_out or {"t": "Ez ."})]
        draw_training_set(
            write("train", sentences), files, out, counts, drops, words=words, seed=seed
        )
        rows = [(row["sentence_id"], row["variant"]) for row in read_parquet(out).to_pylist()]
        return rows, read_tsv(counts), read_tsv(drops)

    return run


def numbers(rows, key):
    return {row[key]: int(row["count"]) for row in rows}


def test_a_set_has_as_many_whole_sentences_as_fit_into_its_words(draw):
    rows, counts, drops = draw(TEN, 24)
    assert numbers(counts, "step") == {"sentences": 4, "words": 20}
    assert numbers(drops, "reason") == {BEYOND: 6, NEAR_COPY: 0}
    names = [name for name, _ in rows]
    assert names == sorted(names) and len(rows) == 8
    assert {variant for _, variant in rows} == {"paper", "released"}


def test_words_that_are_just_enough_are_taken(draw):
    assert numbers(draw(TEN, 25)[1], "step") == {"sentences": 5, "words": 25}


def test_without_a_number_of_words_all_are_taken(draw, caplog):
    assert numbers(draw(TEN, None)[1], "step") == {"sentences": 10, "words": 50}
    assert not caplog.records


def test_a_text_with_too_few_words_gives_all_and_says_so(draw, caplog):
    assert numbers(draw(TEN, 60)[1], "step") == {"sentences": 10, "words": 50}
    (record,) = caplog.records
    assert "50 words, no more than asked for (60); all are kept" in record.getMessage()


def test_near_copies_of_held_out_sentences_are_dropped(draw):
    """They differ in names and digits; sentences that differ in a word stay."""
    sentences = {"a": "Mikel 1990 urtean jaio zen", "b": "Mikel 1990 urtean hil zen"}
    rows, counts, drops = draw(sentences, None, {"t": "Ane 2001 urtean jaio zen"})
    assert {name for name, _ in rows} == {"b"}
    assert numbers(counts, "step") == {"sentences": 1, "words": 5}
    assert numbers(drops, "reason") == {BEYOND: 0, NEAR_COPY: 1}


def test_the_seed_decides_which_sentences_are_drawn(draw):
    assert draw(TEN, 24)[0] != draw(TEN, 24, seed=2)[0]


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lengths=st.lists(st.integers(1, 6), min_size=1, max_size=12),
    sizes=st.tuples(st.integers(0, 40), st.integers(0, 40)),
)
def test_a_smaller_set_is_a_part_of_a_larger_one(draw, lengths, sizes):
    sentences = {f"s{at}": "da " * length for at, length in enumerate(lengths)}
    small, large = (set(draw(sentences, words)[0]) for words in sorted(sizes))
    assert small <= large
