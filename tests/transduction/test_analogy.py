"""Analogies: the examples of Lepage's group and of the paper, and laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.transduction.analogy import Analogies, holds, solve
from kasu.transduction.items import read_item

words = st.text("abc", max_size=7)


@pytest.mark.parametrize(
    ("a", "b", "c", "d"),
    [
        ("release", "releasing", "illustrate", "illustrating"),
        ("show", "showing", "illustrate", "illustrateing"),
        ("show", "showed", "bake", "bakeed"),
        ("aslama", "muslim", "arsala", "mursil"),
        ("abc", "aabbcc", "aaabbbccc", "aaaabbbbcccc"),
        ("aaa", "aa", "a", ""),
        ("aaac", "aa", "a", None),
        ("lang", "längste", "scharf", "schärfste"),
        ("sprechen", "wir sprächen", "nehmen", "wir nähmen"),
        ("fliehen", "er floh", "schließen", "er schloß"),
        ("kataba", "kAtib", "sakana", "sAkin"),
        ("dues", "indu", "nées", "inné"),
        ("setzen", "setzte", "lachen", "lachte"),
        ("préférer", "je préfère", "révérer", "je révère"),
        ("walk", "walks", "talk", "talks"),
    ],
)
def test_analogies_of_the_authors(a, b, c, d):
    assert solve(a, b, c) == d


@pytest.mark.parametrize(
    ("a", "b", "c", "d"),
    [
        # With nothing of a left, the second word is nearer to the end where both rests are as long
        ("c", "bca", "ac", "baca"),
        # Both insert: first the one that has deleted less of a
        ("ba", "abab", "ac", "aacb"),
        ("a", "ab", "ac", "abc"),
        # Neither needs the last character of a for a longest common subsequence
        ("cb", "ca", "bc", None),
    ],
)
def test_steps_of_the_walk(a, b, c, d):
    assert solve(a, b, c) == d


def test_the_definition_alone_does_not_fix_the_answer():
    for d in ("illustrating", "illusingtrat"):
        assert holds("release", "releasing", "illustrate", d)
    # Each of the three conditions decides once
    assert not holds("ab", "abc", "ad", "adb")
    assert not holds("abc", "cab", "abc", "abc")
    assert not holds("abc", "abc", "cab", "abc")


def test_words_without_a_common_character_or_without_any():
    assert solve("ab", "cd", "ef") is None
    assert solve("", "", "") == ""
    # With nothing to keep, the shorter word is at the end
    assert solve("", "abc", "de") == "abcde"
    assert solve("", "ab", "de") == "abde"


def test_words_of_200_characters():
    assert solve("ab" * 100, "ab" * 100 + "s", "ba" * 100) == "ba" * 100 + "s"


@given(words, words, words)
def test_what_is_found_holds(a, b, c):
    found = solve(a, b, c)
    assert found is None or holds(a, b, c, found)


@given(words, words)
def test_a_word_is_to_a_word_as_itself(a, b):
    assert solve(a, b, a) == b
    assert solve(a, a, b) == b


@given(words, words, words)
def test_two_words_may_be_exchanged(a, b, c):
    """Unless they are of one length: then either may come first."""
    if len(b) != len(c):
        assert solve(a, b, c) == solve(a, c, b)


PARTICIPLE = "V;V.PTCP;PRS"
PAPER = [
    read_item("show", "V;PST", "showed"),
    read_item("show", PARTICIPLE, "showing"),
    read_item("release", "V;PST", "released"),
    read_item("release", PARTICIPLE, "releasing"),
    read_item("schmear", "V;PST", "schmeared"),
]


def test_the_example_of_the_paper():
    assert Analogies(PAPER).inflect(read_item("illustrate", PARTICIPLE)) == "illustrating"
    assert Analogies(PAPER).inflect(read_item("bow", PARTICIPLE)) == "bowing"
    assert Analogies(PAPER[:2]).inflect(read_item("illustrate", PARTICIPLE)) == "illustrateing"


def test_the_most_frequent_solution_of_the_longest_suffix():
    pairs = [("ra", "rax"), ("sa", "say"), ("ta", "tay"), ("pata", "pataz")]
    train = [read_item(lemma, "N", form) for lemma, form in pairs]
    # Equally long suffixes: y twice, x once; of a longer one, z
    assert Analogies(train).inflect(read_item("la", "N")) == "lay"
    assert Analogies(train).inflect(read_item("lata", "N")) == "lataz"
    # Once each: the first of the file
    assert Analogies(train[:2]).inflect(read_item("la", "N")) == "lax"
    assert Analogies(train[1::-1]).inflect(read_item("la", "N")) == "lay"


def test_the_lemma_where_features_are_unseen_or_no_analogy_has_a_solution():
    train = [read_item("ab", "N", "cd"), read_item("ka", "V", "ku")]
    assert Analogies(train).inflect(read_item("ef", "N")) == "ef"
    assert Analogies(train).inflect(read_item("ab", "A")) == "ab"
    assert Analogies([]).inflect(read_item("ab", "N")) == "ab"
