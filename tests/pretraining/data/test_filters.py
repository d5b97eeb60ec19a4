"""Length filter, decision, word orders, and counts that need no model."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv, write_parquet
from kasu.pretraining.data.filters import count_kept, judge, judge_orders
from kasu.pretraining.data.pairs import PAIRS, make_pairs

NAN = float("nan")


def test_the_higher_score_wins_a_tie_is_half_won_and_the_filter_compares_tokens():
    scores = np.array([[-1, -2], [-2, -1], [-3, -3], [-8, -9], [NAN, -1]])
    tokens = np.array([[3, 3], [3, 3], [3, 3], [4, 3], [0, 3]])
    outcome = judge(scores, tokens)
    assert outcome.scored.tolist() == [True, True, True, True, False]
    assert outcome.kept.tolist() == [True, True, True, False, False]
    assert outcome.solved.tolist() == [1, 0, 0.5, 1, 0]
    # per token, -8 for four tokens is better than -9 for three
    assert outcome.per_token.tolist() == [1, 0, 0.5, 1, 0]


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=30))
def test_a_uniform_model_stands_at_chance(lengths):
    # section 3.5 (c) of the spec: equal lengths tie, so the accuracy shows whether the filter works
    tokens = np.array(lengths)
    outcome = judge(-tokens * np.log(50_000), tokens)
    assert (outcome.solved[outcome.kept] == 0.5).all()


def test_word_orders():
    first = judge(np.array([[2.0, 1], [2, 1], [2, 1]]), np.array([[3, 3], [3, 3], [4, 3]]))
    other = judge(np.array([[2.0, 1], [1, 2], [2, 1]]), np.array([[3, 3], [4, 3], [3, 3]]))
    released = judge_orders(first, other, "released")
    assert released.kept.tolist() == [True, True, False]
    assert released.both.tolist() == [1, 0, 1]
    assert judge_orders(first, other, "both_filtered").kept.tolist() == [True, False, False]
    with pytest.raises(KasuError, match="word order: 'x'"):
        judge_orders(first, other, "x")


def test_ties_in_word_orders_are_wrong_in_the_released_code_and_count_by_the_rule_in_ours():
    tokens = np.full((3, 2), 3)
    first = judge(np.array([[1.0, 1], [1, 1], [2, 1]]), tokens)
    other = judge(np.array([[2.0, 1], [1, 1], [1, 1]]), tokens)
    released, ours = (judge_orders(first, other, rule) for rule in ("released", "both_filtered"))
    assert (released.single.tolist(), released.both.tolist()) == ([0, 0, 1], [0, 0, 0])
    assert (ours.single.tolist(), ours.both.tolist()) == ([0.5, 0.5, 1], [0.5, 0.25, 0.5])


def test_pairs_kept_by_simple_tokenizers(tmp_path):
    pair = dict.fromkeys(PAIRS.names) | {"type": "E1", "level": "A"}
    halves = [("a b", "a c"), ("a b", "a bc"), ("a b", "ab c d")]
    rows = [pair | {"item_id": str(n), "sentence_good": good, "sentence_bad": bad}
            for n, (good, bad) in enumerate(halves)]  # fmt: skip
    write_parquet(tmp_path / "p.parquet", rows, PAIRS)
    count_kept(tmp_path / "p.parquet", tmp_path / "kept.tsv")
    kept = read_tsv(tmp_path / "kept.tsv")
    assert [(row["tokenizer"], row["kept"]) for row in kept if not row["type"] + row["level"]] == [
        ("whitespace", "2"), ("character", "1"),
    ]  # fmt: skip
    assert kept[0]["discarded_share"] == "0.3333"


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "fields", "whitespace", "character"),
    [
        ("bl2mp", {}, [1063, 374, 348, 341], [238, 51, 68, 119]),
        ("bl2mp_type_lemma", {"level": ""}, [846, 194, 336, 316], None),
    ],
)
def test_counts_of_two_thirds_of_bl2mp(tmp_path, mirror, name, fields, whitespace, character):
    source = mirror / f"papers/bl2mp/{name}.twothirds.jsonl"
    files = [tmp_path / each for each in ("p.parquet", "counts.tsv", "drops.tsv")]
    types = {"E1: Deklinabidea": "E1", "E2: Aditza": "E2", "E3: Egitura eta ordena": "E3"}
    make_pairs(source, *files, types=types, fields=fields)
    count_kept(files[0], tmp_path / "kept.tsv")
    kept = {
        (row["tokenizer"], row["type"]): int(row["kept"])
        for row in read_tsv(tmp_path / "kept.tsv")
        if not row["level"]
    }
    assert [kept["whitespace", kind] for kind in ("", "E1", "E2", "E3")] == whitespace
    if character:
        assert [kept["character", kind] for kind in ("", "E1", "E2", "E3")] == character


def test_pairs_kept_are_counted_by_type_level_and_both(tmp_path):
    kinds = [("E1", "A"), ("E1", "B"), ("E2", "A"), ("E2", None), (None, None)]
    rows = [
        dict.fromkeys(PAIRS.names)
        | {"item_id": str(n), "sentence_good": "a b", "sentence_bad": "a b c"[: 3 + 2 * (n % 2)]}
        | {"type": kind, "level": level}
        for n, (kind, level) in enumerate(kinds)
    ]
    write_parquet(tmp_path / "p.parquet", rows, PAIRS)
    count_kept(tmp_path / "p.parquet", tmp_path / "kept.tsv")
    found = [tuple(row.values())[1:] for row in read_tsv(tmp_path / "kept.tsv")]
    assert found[: len(found) // 2] == [
        ("", "", "5", "3", "0.4000"),
        ("", "A", "2", "2", "0.0000"),
        ("", "B", "1", "0", "1.0000"),
        ("E1", "", "2", "1", "0.5000"),
        ("E1", "A", "1", "1", "0.0000"),
        ("E1", "B", "1", "0", "1.0000"),
        ("E2", "", "2", "1", "0.5000"),
        ("E2", "A", "1", "1", "0.0000"),
    ]


def test_a_missing_half_leaves_nothing_to_judge():
    outcome = judge(np.array([[NAN, NAN], [-1, NAN]]), np.array([[0, 0], [3, 0]]))
    assert not np.any(outcome)


def test_per_token_divides_by_the_tokens():
    outcome = judge(np.array([[-4.0, -3], [-6, -5]]), np.array([[4, 2], [2, 5]]))
    assert outcome.per_token.tolist() == [True, False]
    assert outcome.solved.tolist() == [False, False]
