import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv, write_parquet
from kasu.lm.pretraining.packing import COUNTED, MaskedRows, Packed, encode_corpus
from kasu.lm.pretraining.tokenizer import CLS, SEP, SPECIAL, read_tokenizer, write_tokenizer

TEXTS = [
    f"Le {noun} de {name} {verb}."
    for noun in ("chat", "train", "pont")
    for name in ("Paris", "Jean", "Marie", "Lyon")
    for verb in ("dort", "rit", "part")
]


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packing")
    (folder / "text.txt").write_text("\n".join(TEXTS))
    write_tokenizer(folder / "text.txt", folder / "tokenizer", vocabulary=60, length=16)
    return folder / "tokenizer"


def packed(tmp_path, stream, length):
    np.save(tmp_path / "tokens.npy", np.array(stream, np.uint16))
    return Packed(tmp_path / "tokens.npy", length)


def test_the_stream_is_that_of_the_tokenizer(tmp_path, tokenizer):
    (tmp_path / "a.txt").write_text("\n".join(TEXTS))
    encode_corpus(tmp_path / "a.txt", tokenizer, tmp_path / "a.npy", tmp_path / "a.tsv")
    stream = np.load(tmp_path / "a.npy")
    expected = [token for ids in read_tokenizer(tokenizer)(TEXTS)["input_ids"] for token in ids[1:]]
    assert stream.dtype == np.uint16
    assert stream.tolist() == expected
    counts = {row["step"]: int(row["count"]) for row in read_tsv(tmp_path / "a.tsv")}
    assert counts["sentences"] == 36
    assert counts["tokens"] == len(expected)
    assert counts["unknown_tokens"] == counts["empty_sentences"] == 0
    assert (counts["pieces_asked"], counts["pieces_obtained"]) == (
        60,
        len(read_tokenizer(tokenizer)),
    )


def test_a_special_token_that_a_text_spells_out_is_text(tmp_path, tokenizer):
    (tmp_path / "a.txt").write_text("Le [SEP] chat[MASK].\n[PAD]")
    encode_corpus(tmp_path / "a.txt", tokenizer, tmp_path / "a.npy", tmp_path / "a.tsv")
    stream = np.load(tmp_path / "a.npy")
    assert (stream == SEP).sum() == 2  # the ends
    assert not np.isin(stream, [SPECIAL.index(name) for name in ("[PAD]", "[CLS]", "[MASK]")]).any()


def test_rows_begin_with_a_sentence_and_a_cut_one_begins_again(tmp_path):
    rows = packed(tmp_path, [10, 11, SEP, 20, 21, 22, SEP, 30, SEP], 6)
    assert rows.rows(np.arange(len(rows))).tolist() == [
        [CLS, 10, 11, SEP, 20, 21],
        [CLS, 20, 21, 22, SEP, 30],
        [CLS, 30, SEP, 10, 11, SEP],
    ]


def test_a_sentence_longer_than_a_row_continues_in_the_next(tmp_path):
    rows = packed(tmp_path, [10, 11, 12, 13, 14, 15, 16, SEP], 4)
    assert rows.rows(np.arange(len(rows))).tolist() == [
        [CLS, 10, 11, 12],
        [CLS, 13, 14, 15],
        [CLS, 16, SEP, 10],
    ]


@given(st.lists(st.integers(1, 12), min_size=3, max_size=30), st.integers(2, 9))
def test_every_token_is_in_some_row(tmp_path_factory, sizes, length):
    numbers = iter(range(5, 1000))
    stream = [next(numbers) if at else SEP for size in sizes for at in range(size, -1, -1)]
    if len(stream) < length:
        return
    rows = packed(tmp_path_factory.mktemp("s"), stream, length)
    found = rows.rows(np.arange(len(rows)))
    assert found.shape == (len(rows), length)
    assert set(found[:, 1:].ravel().tolist()) == set(stream)


def test_the_largest_token_counts_special_ones_too(tmp_path):
    assert packed(tmp_path, [7, SEP, 4, SEP], 3).largest() == 7
    assert packed(tmp_path, [1, SEP, 2, SEP], 3).largest() == 3


def test_the_most_frequent_token_is_not_special(tmp_path):
    assert packed(tmp_path, [7, SEP, 8, SEP, 9, 8, SEP], 3).most_frequent() == 8


def test_each_epoch_has_all_rows_in_its_own_order(tmp_path):
    rows = packed(tmp_path, [token for n in range(20) for token in (n + 5, SEP)], 3)
    masked = MaskedRows(rows, np.ones(30, bool), seed=1)
    gold = masked.take(0, 40)[1][:, 1].tolist()
    assert sorted(gold[:20]) == sorted(gold[20:]) == list(range(5, 25))
    assert gold[:20] != gold[20:]
    assert masked.take(15, 10)[1][:, 1].tolist() == gold[15:25]


def test_no_two_epochs_have_the_same_order(tmp_path):
    rows = packed(tmp_path, [token for n in range(20) for token in (n + 5, SEP)], 3)
    gold = MaskedRows(rows, np.ones(30, bool), seed=1, copies=2).take(0, 160)[1][:, 1]
    assert len({tuple(order) for order in gold.reshape(8, 20).tolist()}) == 8


def test_masked_copies_repeat(tmp_path):
    rows = packed(tmp_path, [token for n in range(50) for token in (*range(5, 25), SEP)], 21)
    masked = MaskedRows(rows, np.ones(30, bool), seed=1, copies=2)
    seen = []
    for epoch in range(3):
        _, _, hidden = masked.take(epoch * len(rows), len(rows))
        order = masked._order(epoch)
        seen.append(hidden[np.argsort(order)])
    assert (seen[0] == seen[2]).all()
    assert (seen[0] != seen[1]).any()


def test_a_stream_shorter_than_a_row_is_one_line(tmp_path):
    with pytest.raises(KasuError, match=r"tokens.npy: 2 tokens; expected at least 8, one row"):
        packed(tmp_path, [5, SEP], 8)


def test_another_file_is_not_a_stream(tmp_path):
    (tmp_path / "a.npy").write_bytes(b"\x80\x04\x95")
    with pytest.raises(KasuError, match="not a stream of tokens"):
        Packed(tmp_path / "a.npy", 8)


@pytest.mark.parametrize("array", [np.zeros((9, 9), np.uint16), np.zeros(9), np.array([-1] * 9)])
def test_another_array_is_not_a_stream(tmp_path, array):
    np.save(tmp_path / "a.npy", array)
    with pytest.raises(KasuError, match=r"in \d dimensions; expected a stream of tokens"):
        Packed(tmp_path / "a.npy", 8)


def test_an_empty_text_is_one_line_and_leaves_nothing(tmp_path, tokenizer):
    (tmp_path / "a.txt").write_text("\n \n")
    with pytest.raises(KasuError, match=r"a\.txt: no sentence"):
        encode_corpus(tmp_path / "a.txt", tokenizer, tmp_path / "a.npy", tmp_path / "a.tsv")
    assert not (tmp_path / "a.npy").exists()


# The bytes of a resumed or repeated training follow from this order
def test_orders_are_fixed(tmp_path):
    rows = packed(tmp_path, [token for n in range(8) for token in (n + 5, SEP)], 3)
    masked = MaskedRows(rows, np.ones(30, bool), seed=3)
    assert [[token - 5 for token in masked.take(8 * epoch, 8)[1][:, 1]] for epoch in range(3)] == [
        [3, 1, 2, 5, 7, 6, 0, 4], [1, 4, 2, 0, 6, 3, 5, 7], [2, 4, 6, 5, 7, 0, 3, 1],
    ]  # fmt: skip


def test_rows_in_order_end_with_the_stream(tmp_path):
    rows = packed(tmp_path, [token for n in range(8) for token in (n + 5, SEP)], 3)
    masked = MaskedRows(rows, np.ones(30, bool), seed=3)
    assert masked.in_order(6, 4)[1][:, 1].tolist() == [11, 12]


def test_counts_of_a_text(tmp_path, tokenizer):
    # two sentences of 4 words and marks, one without any, one that the tokenizer cannot spell
    texts = ("Le chat dort.", "Le pont rit.", " ", "ѡ")
    schema = pa.schema([("text", pa.string())])
    write_parquet(tmp_path / "a.parquet", [{"text": text} for text in texts], schema)
    encode_corpus(tmp_path / "a.parquet", tokenizer, tmp_path / "a.npy", tmp_path / "a.tsv")
    counts = {row["step"]: int(row["count"]) for row in read_tsv(tmp_path / "a.tsv")}
    assert [counts[name] for name in COUNTED] == [3, 9, len(np.load(tmp_path / "a.npy")), 1, 1]


def test_a_row_of_the_shortest_stream(tmp_path):
    rows = packed(tmp_path, [5, 6, SEP], 3)
    assert rows.rows(np.arange(len(rows))).tolist() == [[CLS, 5, 6], [CLS, SEP, 5]]
