from hypothesis import given
from hypothesis import strategies as st

from kasu.neural.vocabulary import UNKNOWN, Vocabulary, character_ngrams


def test_the_most_frequent_symbols_ties_by_code_point():
    counts = {"b": 2, "a": 2, "c": 3, "é": 2, "z": 1}
    known = Vocabulary.most_frequent(counts, 4)
    assert known.symbols == ["c", "a", "b", "é"]
    assert len(known) == 5
    assert [known.number(symbol) for symbol in "cabéz"] == [1, 2, 3, 4, UNKNOWN]


def test_ngrams_are_distinct_shortest_first():
    assert character_ngrams("etxea", [1, 2]) == ["e", "t", "x", "a", "et", "tx", "xe", "ea"]


def test_boundary_markers():
    assert character_ngrams("ur", [2, 3], boundary_markers=True) == ["⟨u", "ur", "r⟩", "⟨ur", "ur⟩"]


def test_an_empty_spelling_has_no_ngrams():
    assert character_ngrams("", [1, 5]) == character_ngrams("", [1, 5], True) == []


@given(st.text(max_size=12))
def test_ngrams_are_the_substrings_of_those_lengths(spelling):
    found = character_ngrams(spelling, [2, 4])
    assert len(found) == len(set(found))
    positions = range(len(spelling) + 1)
    assert set(found) == {
        spelling[i:j] for i in positions for j in positions if 2 <= j - i <= 4
    }  # fmt: skip
