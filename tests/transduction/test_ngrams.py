"""N-grams: the worked examples, and that probabilities add up."""

from collections import Counter
from math import log10

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.transduction.ngrams import END, Blanks, NGrams

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


# N-grams with a blank

# Schröder et al. (2018) Table 5: how often a letter is before -ade in Swedish, and before -ad
ADE = {"r": 265, "p": 91, "n": 46, "t": 97}
SWEDISH = Blanks(5).fit([letter + "ade" for letter, count in ADE.items() for _ in range(count)])


def test_shares_of_the_paper():
    shares = SWEDISH.shares("iomm", "ade")
    assert [round(shares[letter], 4) for letter in "rpn"] == [0.5311, 0.1824, 0.0922]


def test_the_longest_ngram_decides_and_then_the_leftmost():
    # At ab_cd: four symbols on the left of it, or on the right, have one n-gram each
    assert Blanks(3).fit(["abx", "bycd"]).shares("ab", "cd") == {"x": 1}
    assert Blanks(3).fit(["bycd", "zcd"]).shares("ab", "cd") == {"y": 1}
    assert Blanks(3).fit(["zcd", "bx"]).shares("ab", "cd") == {"z": 1}
    assert Blanks(3).fit(["bx", "ycc"]).shares("ab", "cd") == {"x": 1}
    assert Blanks(2).fit(["abx", "bycd"]).shares("ab", "cd") == {"x": 0.5, "y": 0.5}
    # Nothing but the symbols themselves
    assert Blanks(5).fit(["xxy"]).shares("ab", "cd") == {"x": 2 / 3, "y": 1 / 3}
    assert Blanks(5).fit([]).shares("ab", "") == {}


def test_drawn_by_the_shares():
    draw = np.random.default_rng(1)
    drawn = Counter(SWEDISH.draw("iomm", "ade", draw) for _ in range(4990))
    for letter, count in ADE.items():
        assert drawn[letter] == pytest.approx(10 * count, rel=0.15)


@given(WORDS, st.text("abcd", max_size=4), st.text("abcd", max_size=4))
def test_shares_add_up_to_one_and_know_every_window(known, left, right):
    blanks = Blanks(4).fit(known)
    shares = blanks.shares(left, right)
    assert sum(shares.values()) == pytest.approx(1 if any(known) else 0)
    # Every share is that of some window around the blank
    counts = [
        Counter(
            word[at + before]
            for word in known
            for at in range(len(word) - before - after)
            if word[at : at + before] == left[len(left) - before :]
            and word[at + before + 1 : at + before + 1 + after] == right[:after]
        )
        for before in range(min(len(left), 3) + 1)
        for after in range(min(len(right), 3 - before) + 1)
    ]
    assert not shares or any(
        shares == {each: count[each] / count.total() for each in count} for count in counts
    )
