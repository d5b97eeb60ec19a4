"""One string slid along the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.transduction.alignments.slide import shifted, slide

words = st.text("ab", max_size=8) | st.text("abcdefgh", max_size=12)


@pytest.mark.parametrize(
    ("source", "target", "offset", "cost"),
    [
        ("koti", "kodista", 0, 4),
        ("soma", "anasoma", 3, 3),
        ("abcd", "cd", -2, 2),
        # No symbol in common: the first place where the shorter one overlaps as a whole
        ("ab", "cde", 0, 3),
        ("", "ab", 0, 2),
    ],
)
def test_slide(source, target, offset, cost):
    assert slide(source, target) == (offset, cost)


@given(words, words)
def test_slide_is_the_first_of_the_cheapest_offsets(source, target):
    costs = {
        offset: sum(upper != lower for upper, lower in shifted(source, target, offset))
        for offset in range(-len(source), len(target) + 1)
    }
    best = min(costs, key=costs.__getitem__)
    assert slide(source, target) == (best, costs[best])


@pytest.mark.parametrize(
    ("offset", "columns"),
    [
        (0, [("a", "x"), ("b", "y"), (None, "z")]),
        (2, [(None, "x"), (None, "y"), ("a", "z"), ("b", None)]),
        (-1, [("a", None), ("b", "x"), (None, "y"), (None, "z")]),
        # The strings lie apart
        (-3, [("a", None), ("b", None), (None, "x"), (None, "y"), (None, "z")]),
        (4, [(None, "x"), (None, "y"), (None, "z"), ("a", None), ("b", None)]),
    ],
)
def test_columns_of_an_offset(offset, columns):
    assert shifted("ab", "xyz", offset) == columns
