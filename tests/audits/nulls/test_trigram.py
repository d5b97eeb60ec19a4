"""The word trigram: probabilities sum to one, hand-computed values, preferences."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.audits.nulls import trigram as module
from kasu.audits.nulls.trigram import _END, Trigram
from kasu.base.errors import KasuError

TEXT = ["ni pozik nago", "zu pozik zaude", "ni hemen nago", "zu hemen zaude"]


def test_hand_computed():
    # (B B a) and (B a E) occur twice each; without n-grams seen once the discount is 1/2
    model = Trigram([["a"], ["a"]])
    uniform = 1 / 3  # a, the end, the unknown word
    unigram = (1 - 0.5 + 0.5 * 2 * uniform) / 2  # a and the end, each seen in one context
    bigram = (1 - 0.5 + 0.5 * 1 * unigram) / 1
    trigram = (2 - 0.5 + 0.5 * 1 * bigram) / 2
    assert model.log_probabilities(["a"]) == pytest.approx([np.log(trigram)] * 2)


@settings(max_examples=25)
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


def test_order_of_sentences_does_not_matter():
    sentences = [sentence.split() for sentence in TEXT]
    found = {
        tuple(Trigram(order).log_probabilities(["ni", "hemen", "x"]))
        for order in itertools.islice(itertools.permutations(sentences), 6)
    }
    assert len(found) == 1


def test_end_is_a_word_of_its_own():
    assert list(Trigram([["a", "a"]]).keys(["a"]))[-1] & (2**21 - 1) == _END


def test_kneser_ney_by_hand():
    model = Trigram([sentence.split() for sentence in ("a b a", "a b c", "b a b", "a b a")], rare=2)
    assert model.numbers == {"a": 3, "b": 4}  # c is seen once
    assert model.vocabulary == 4  # a, b, the end, the unknown word
    # discounts of (trigrams, bigrams, unigrams): seen once / (seen once + 2 seen twice)
    assert [order.discount for order in model.orders] == pytest.approx([6 / 10, 6 / 10, 1 / 5])
    # After no word: a 3 of 4, b 1; in bigrams each in one context; in unigrams a in 2 of 8
    unigram_a = (2 - 0.2 + 0.2 * 4 / 4) / 8
    bigram_a = (1 - 0.6 + 0.6 * 2 * unigram_a) / 2
    first = (3 - 0.6 + 0.6 * 2 * bigram_a) / 4
    # After a at the beginning: b 3 of 3; in bigrams after a, b in 2 of 3 contexts, the end in 1
    unigram_b = (2 - 0.2 + 0.2 * 4 / 4) / 8
    bigram_b = (2 - 0.6 + 0.6 * 2 * unigram_b) / 3
    second = (3 - 0.6 + 0.6 * 1 * bigram_b) / 3
    found = np.exp(model.log_probabilities(["a", "b"]))
    assert found[:2] == pytest.approx([first, second])


def test_an_unseen_context_falls_back_on_the_lower_order():
    model = Trigram([["a", "b"], ["a", "b"], ["b", "a"], ["b", "a"]])
    after_two_ends, after_one = model.log_probabilities(["x", "x", "a"])[2], model.orders[2]
    p = after_one.interpolate(np.array([3]), np.array([1 / model.vocabulary]))
    assert after_two_ends == pytest.approx(np.log(p[0]))


def test_rare_words_are_unknown():
    text = [["a", "a", "a", "b", "b", "c"]]
    assert [[*Trigram(text, rare).numbers] for rare in (1, 2, 3, 4)] == [
        ["a", "b", "c"], ["a", "b"], ["a"], [],
    ]  # fmt: skip


def test_more_words_than_bits_can_number_are_one_line(monkeypatch):
    # three bits number eight words; three of the numbers are taken
    monkeypatch.setattr(module, "_BITS", 3)
    assert Trigram([[*"abcd"]], rare=1).numbers["d"] == 6
    with pytest.raises(KasuError, match="trigram: 5 words; expected fewer than 5"):
        Trigram([[*"abcde"]], rare=1)


@settings(max_examples=30)
@given(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=9), min_size=1, max_size=9),
    st.lists(st.lists(st.sampled_from("abcdx"), max_size=5), min_size=1, max_size=4),
    st.integers(1, 9),
)
def test_buckets_on_disk_give_the_same_bits(tmp_path_factory, text, wanted, bucket):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BUCKET", bucket)
        patch.setattr(module, "_SENTENCES", 2)
        scratch = tmp_path_factory.mktemp("scratch")
        flat = Trigram(text, wanted=wanted, scratch=scratch)
        assert not [*scratch.iterdir()]
    whole = Trigram(text)
    for sentence in wanted:
        one, other = (each.log_probabilities(sentence) for each in (flat, whole))
        assert one.tolist() == other.tolist()
