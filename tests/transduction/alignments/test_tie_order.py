"""Hashes and tables of Python 2.7. The expected values were printed by Python 2.7.18 itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.transduction.alignments.tie_order import Python2Table, pair_hash, string_hash

LETTERS = [(chr(ord("a") + i), "") for i in range(22)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("a", 12416037344),
        ("abc", 1453079729188098211),
        ("koti>", 1736095778166508162),
        ("б\N{COMBINING ACUTE ACCENT}", 137344825138238544),
        ("\N{DESERET SMALL LETTER YEE}", 8526745646774),
    ],
)
def test_string_hash(text, expected):
    assert string_hash(text) == expected


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        (("<", "<"), -1970842159757945435),
        (("", ""), 3713080549408328131),
        (("ti>", "dista>"), 2914537030005060060),
    ],
)
def test_pair_hash(pair, expected):
    assert pair_hash(pair) == expected


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (5, [1, 2, 0, 3, 4]),
        # The 6th key fills two thirds of 8 slots and the 22nd of 32: the table grows, order changes
        (6, [0, 5, 1, 2, 3, 4]),
        (21, [18, 7, 0, 5, 19, 12, 1, 15, 8, 13, 6, 20, 9, 2, 16, 14, 3, 17, 10, 11, 4]),
        (22, [7, 13, 20, 3, 10, 0, 19, 6, 9, 16, 5, 12, 15, 2, 21, 11, 18, 1, 8, 14, 17, 4]),
    ],
)
def test_order(count, expected):
    assert [LETTERS.index(key) for key in Python2Table(LETTERS[:count])] == expected


def test_order_of_a_pairs_rules():
    left, right = "koti___>", "kodista>"
    rules = [(left[i:], right[i:]) for i in range(len(left))]
    assert [rules.index(rule) for rule in Python2Table(rules)] == [0, 2, 4, 3, 1, 5, 7, 6]


def test_large_tables_double():
    order = [int(key[0]) for key in Python2Table((str(i), "x") for i in range(60_000))]
    assert order[:4] == [2443, 59557, 55030, 59226]
    assert order[-3:] == [15269, 9404, 749]


pairs = st.tuples(st.text(max_size=4), st.text(max_size=4))


@given(st.lists(pairs, max_size=60))
def test_order_is_a_permutation_of_the_keys(keys):
    table = Python2Table(keys)
    assert sorted(table) == sorted(set(keys))
    assert len(table) == len(set(keys))
    assert all(key in table for key in keys)


@given(st.lists(pairs, max_size=60))
def test_adding_a_key_twice_changes_nothing(keys):
    assert list(Python2Table([*keys, *keys])) == list(Python2Table(keys))
