"""Analogies: the examples of Lepage's group and of the paper, and laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.transduction.analogy import holds, solve

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
