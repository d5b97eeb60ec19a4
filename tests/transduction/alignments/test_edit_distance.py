"""Tables of edit costs, and the alignments that follow from them."""

from itertools import combinations, pairwise
from operator import eq

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.transduction.alignments.edit_distance import (
    common_subsequence,
    common_substring,
    distances,
    levenshtein,
    suffix_costs,
    warp,
)

words = st.text("ab", max_size=7) | st.text("abcdefgh", max_size=10)


def test_costs_of_suffixes():
    assert suffix_costs("el", "le") == [[2, 1, 2], [1, 2, 1], [2, 1, 0]]


@pytest.mark.parametrize(
    ("source", "target", "cost"),
    [("", "", 0), ("ab", "", 2), ("", "abc", 3), ("ab", "ab", 0), ("Schlüssel", "Schlüssle", 2)],
)
def test_cost_of_a_pair(source, target, cost):
    assert suffix_costs(source, target)[0][0] == cost


@given(words, words)
def test_costs_follow_from_the_longest_common_subsequence(source, target):
    common = longest_common(source, target)
    assert suffix_costs(source, target)[0][0] == len(source) + len(target) - 2 * common


def longest_common(source, target):
    for length in range(min(len(source), len(target)), 0, -1):
        if set(combinations(source, length)) & set(combinations(target, length)):
            return length
    return 0


@given(words, words)
def test_each_cell_is_the_cost_of_its_suffixes(source, target):
    costs = suffix_costs(source, target)
    assert costs == [
        [suffix_costs(source[i:], target[j:])[0][0] for j in range(len(target) + 1)]
        for i in range(len(source) + 1)
    ]


@pytest.mark.parametrize(
    ("source", "target", "pairs"),
    [
        ("singen", "gesungen", [(0, 2), (2, 4), (3, 5), (4, 6), (5, 7)]),
        ("ab", "ba", [(0, 1)]),
        ("ab", "cd", []),
        ("", "a", []),
    ],
)
def test_common_subsequence(source, target, pairs):
    assert common_subsequence(source, target) == pairs


@given(words, words)
def test_a_common_subsequence_is_common_and_longest(source, target):
    pairs = common_subsequence(source, target)
    assert all(source[i] == target[j] for i, j in pairs)
    assert all(i < k and j < n for (i, j), (k, n) in pairwise(pairs))
    assert len(pairs) == longest_common(source, target)


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [
        ("fliegen", "flog", (0, 0, 2)),
        ("sing", "will sing", (0, 5, 4)),
        # Of equally long ones, the first in the source, then in the target
        ("axb", "bxxa", (0, 3, 1)),
        ("x", "xax", (0, 0, 1)),
        ("ab", "cd", (0, 0, 0)),
        ("", "ab", (0, 0, 0)),
    ],
)
def test_common_substring(source, target, found):
    assert common_substring(source, target) == found


@given(words, words)
def test_no_common_substring_is_longer(source, target):
    i, j, length = common_substring(source, target)
    assert source[i : i + length] == target[j : j + length]
    longer = {source[k : k + length + 1] for k in range(len(source) - length)}
    assert not any(text in target for text in longer)


def test_warp_of_the_paper():
    # Dumitrescu & Boroș (2018) Figure 2: equal symbols meet in (0, 0), (2, 2) and (3, 3)
    assert warp("face", "făceau") == [(0, 0), (1, 1), (2, 2), (3, 3), (3, 4), (3, 5)]


@pytest.mark.parametrize(
    ("source", "target", "path"),
    [
        ("", "ab", []),
        ("ab", "", []),
        ("a", "aa", [(0, 0), (0, 1)]),
        ("aa", "a", [(0, 0), (1, 0)]),
        ("aba", "ab", [(0, 0), (1, 1), (2, 1)]),
        # Where both sides are cheaper than the diagonal and equal, left
        ("aba", "bab", [(0, 0), (1, 0), (2, 1), (2, 2)]),
        ("xab", "ab", [(0, 0), (1, 0), (2, 1)]),
    ],
)
def test_warp(source, target, path):
    assert warp(source, target) == path


def literal_warp(s, d):
    """Figure 1 of the paper, with the pairs of both ends."""
    n, m = len(s), len(d)
    a = {(i, 0): i for i in range(n + 1)} | {(0, j): j for j in range(m + 1)}
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            a[i, j] = int(s[i - 1] != d[j - 1]) + min(a[i - 1, j - 1], a[i - 1, j], a[i, j - 1])
    path = [(n - 1, m - 1)]
    while n != 1 or m != 1:
        if n == 1:
            m -= 1
        elif m == 1:
            n -= 1
        elif a[n - 1, m - 1] <= a[n - 1, m] and a[n - 1, m - 1] <= a[n, m - 1]:
            n, m = n - 1, m - 1
        elif a[n - 1, m] < a[n, m - 1]:
            n -= 1
        else:
            m -= 1
        path.append((n - 1, m - 1))
    return path[::-1]


@given(words.filter(bool), words.filter(bool))
def test_warp_is_the_papers_algorithm(source, target):
    assert warp(source, target) == literal_warp(source, target)


@given(words.filter(bool), words.filter(bool))
def test_warp_covers_both_sides_in_steps_of_one(source, target):
    path = warp(source, target)
    assert path[0] == (0, 0)
    assert path[-1] == (len(source) - 1, len(target) - 1)
    steps = {(k - i, n - j) for (i, j), (k, n) in pairwise(path)}
    assert steps <= {(0, 1), (1, 0), (1, 1)}


def test_distances_are_over_code_points():
    gold = ["", "abc", "kitten", "ӏэпапсӏэм", "𒀀𒀁"]
    guesses = ["ab", "abc", "sitting", "ӏэпапсӏэ", "𒀁"]
    assert distances(gold, guesses).tolist() == [2, 0, 3, 1, 1]
    assert distances([], []).tolist() == []


def plain(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


@given(st.lists(st.tuples(st.text("abc ", max_size=6), st.text("abc ", max_size=6)), max_size=5))
def test_distances_are_levenshteins(pairs):
    gold, guesses = [a for a, _ in pairs], [b for _, b in pairs]
    assert distances(gold, guesses).tolist() == [plain(a, b) for a, b in pairs]


@pytest.mark.parametrize(
    ("source", "target", "upper", "lower"),
    [
        ("Baumhaus", "Baumhäuser", "Baumhaus--", "Baumhäuser"),
        # From the end, the diagonal first, then along the target
        ("ab", "a", "ab", "a-"),
        ("a", "aa", "-a", "aa"),
        ("ab", "ba", "ab", "ba"),
        ("aab", "baa", "aab", "baa"),
        ("abc", "cab", "-abc", "cab-"),
        ("aba", "bab", "aba-", "-bab"),
        ("", "ab", "--", "ab"),
        ("ab", "", "ab", "--"),
    ],
)
def test_levenshtein_columns(source, target, upper, lower):
    columns = [
        tuple(None if each == "-" else each for each in pair)
        for pair in zip(upper, lower, strict=True)
    ]
    assert levenshtein(source, target, eq) == columns


def test_what_is_alike_costs_nothing():
    pairs = {("a", "ä"), ("u", "ü")}

    def alike(one, other):
        return one == other or (one, other) in pairs

    assert levenshtein("abx", "xäb", alike) == [(None, "x"), ("a", "ä"), ("b", "b"), ("x", None)]
    assert levenshtein("abx", "xäb", eq) == [("a", "x"), ("b", "ä"), ("x", "b")]


@given(words, words)
def test_levenshtein_columns_spell_both_words_in_the_fewest_edits(source, target):
    columns = levenshtein(source, target, eq)
    for word, side in zip((source, target), zip(*columns, strict=True), strict=False):
        assert "".join(each or "" for each in side) == word
    assert sum(upper != lower for upper, lower in columns) == distances([source], [target])[0]
