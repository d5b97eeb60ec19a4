"""Character n-grams: the worked example, and that probabilities add up."""

from math import log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.transduction.ngrams import END, NGrams

WORDS = st.lists(st.text("abc", max_size=5), max_size=6)


def test_worked_example():
    # Witten and Bell by hand: a 2, b 1, c 1 and END 2, of four symbols
    grams = NGrams(2, ["ab", "ac"])
    assert grams.symbols == [END, "a", "b", "c"]
    assert NGrams(1, ["ab", "ac"]).probability("a", "b") == pytest.approx(0.2)
    assert grams.probability("a", "b") == pytest.approx(0.35)
    assert grams.log10("a", "b") == pytest.approx(log10(0.35))


def test_the_beginning_of_a_word_is_a_history():
    grams = NGrams(3, ["ab", "ca"])
    # a, c: one each after START; of four symbols with 2, 1, 1 and 2 of six
    p_of_c = (1 + 2 * (1 + 4 / 4) / (6 + 4)) / (2 + 2)
    assert grams.probability("", "c") == pytest.approx(p_of_c)
    # The last two symbols alone count
    assert grams.probability("xxca", END) == grams.probability("ca", END)


@given(WORDS, st.text("abd", max_size=4), st.integers(1, 5))
def test_probabilities_of_known_symbols_add_up_to_one(words, history, order):
    grams = NGrams(order, words)
    total = sum(grams.probability(history, symbol) for symbol in grams.symbols)
    assert total == pytest.approx(1)


@given(WORDS, st.text("abd", max_size=4), st.integers(1, 5))
def test_an_unknown_symbol_is_no_likelier_than_any_known_one(words, history, order):
    grams = NGrams(order, words)
    unknown = grams.probability(history, "x")
    assert 0 < unknown <= min(grams.probability(history, each) for each in grams.symbols)


def test_without_words_only_the_end_follows():
    assert NGrams(5, []).probability("", END) == 1
    assert NGrams(5, []).probability("ab", END) == 1
