"""Alignments of the baseline: its rounding, its slide, gaps in the data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.transduction.alignments.alignment import GAP, align, overhangs

# Few letters make many ties; to the aligner a GAP is a letter like any other.
words = st.text("ab", max_size=8) | st.text("abc_", max_size=7) | st.text("abcdefgh", max_size=12)


def recursive_alignment(lemma, form):
    """The original procedure: a memoised recursion that carries the strings built so far."""
    kept = {}

    def visit(upper, lower, rest, other, cost):
        if (rest, other) not in kept:
            above, below, total = options(upper, lower, rest, other, cost)
            kept[rest, other] = above[len(upper) :], below[len(lower) :], total - cost
        above, below, more = kept[rest, other]
        return upper + above, lower + below, cost + more

    def options(upper, lower, rest, other, cost):
        if not rest:
            return upper + GAP * len(other), lower + other, cost + len(other)
        if not other:
            return upper + rest, lower + GAP * len(rest), cost + len(rest)
        substitution = 0 if rest[0] == other[0] else 1.1
        return min(
            visit(upper + rest[0], lower + other[0], rest[1:], other[1:], cost + substitution),
            visit(upper + GAP, lower + other[0], rest, other[1:], cost + 1.0),
            visit(upper + rest[0], lower + GAP, rest[1:], other, cost + 1.0),
            key=lambda option: option[2],
        )

    return visit("", "", lemma, form, 0)[:2]


def slid(lemma, form):
    """The rows of the first of the cheapest places, without columns of gaps only."""
    n, m = len(lemma), len(form)
    places = [(GAP * k + lemma + GAP * (m - k), GAP * n + form) for k in range(m + 1)]
    places += [(GAP * m + lemma, GAP * (n - k) + form + GAP * k) for k in range(n + 1)]
    rows = min(places, key=lambda rows: sum(a != b for a, b in zip(*rows, strict=True)))
    columns = [pair for pair in zip(*rows, strict=True) if pair != (GAP, GAP)]
    return ["".join(row) for row in zip(*columns, strict=True)]


@pytest.mark.parametrize(
    ("lemma", "form", "rows"),
    [
        ("koti", "kodista", ("koti___", "kodista")),
        ("talo", "talo", ("talo", "talo")),
        ("", "ab", ("__", "ab")),
        ("ab", "", ("ab", "__")),
        ("", "", ("", "")),
        # One substitution is cheaper than a deletion and an insertion ...
        ("ab", "ac", ("ab", "ac")),
        # ... but a shift that matches is cheaper than substitutions throughout.
        ("abcd", "bcda", ("abcd_", "_bcda")),
    ],
)
def test_rows(lemma, form, rows):
    assert align(lemma, form) == rows


@given(words, words)
def test_table_is_the_recursion(lemma, form):
    assert align(lemma, form) == recursive_alignment(lemma, form)


@given(words, words)
def test_rows_spell_the_words(lemma, form):
    upper, lower = align(lemma, form)
    assert len(upper) == len(lower)
    assert upper.replace(GAP, "") == lemma.replace(GAP, "")
    assert lower.replace(GAP, "") == form.replace(GAP, "")


@pytest.mark.parametrize(
    ("lemma", "form", "rows"),
    [
        # With exact costs ("__edun", "lieke_"): the earlier step in the order of the options
        ("edun", "lieke", ("__edun", "liek_e")),
        # The costs of entry along the edge differ by their rounding
        ("baaa", "ab", ("baaa", "_ab_")),
        # With exact costs ("___ab", "bcca_")
        ("ab", "bcca", ("ab___", "_bcca")),
    ],
)
def test_rounding_decides_between_equal_costs(lemma, form, rows):
    assert align(lemma, form) == rows


@pytest.mark.parametrize(
    ("lemma", "form", "overhang"),
    [
        ("koti", "kodista", (0, 3)),
        ("soma", "anasoma", (3, 0)),
        ("abc", "abc", (0, 0)),
        # No letter in common: the first place where the shorter word overlaps as a whole
        ("ab", "cde", (0, 1)),
        # The gaps of an empty word start its row and end it
        ("", "ab", (2, 2)),
        ("", "", (0, 0)),
        # A GAP in the data is one of the padding: as part of a column of gaps it goes
        ("a_", "a", (0, 0)),
        ("_a", "ba", (1, 0)),
    ],
)
def test_overhangs(lemma, form, overhang):
    assert overhangs(lemma, form) == overhang


@given(words, words)
def test_overhangs_are_those_of_rows_written_out(lemma, form):
    rows = slid(lemma, form)
    before = sum(len(row) - len(row.lstrip(GAP)) for row in rows)
    after = sum(len(row) - len(row.rstrip(GAP)) for row in rows)
    assert overhangs(lemma, form) == (before, after)
