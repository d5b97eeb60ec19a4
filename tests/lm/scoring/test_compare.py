"""Paired differences by an independent computation; which systems are compared, what flips."""

import random
from math import comb

import pytest

from kasu.lm.scoring.clusters import Clusters
from kasu.lm.scoring.compare import MCNEMAR, PERMUTATION, System, Verdicts, compare, flips, paired

A, B, C = System("a", "causal"), System("b", "causal"), System("c", "pll_original")
OTHER = System("a", "causal_released")


def verdicts(*worths, groups=(), lemmas=()):
    items = [f"i{at}" for at in range(len(worths))]
    values = {item: worth for item, worth in zip(items, worths, strict=True) if worth is not None}
    clusters = dict(zip(items, lemmas or items, strict=True))
    column = "lemma" if lemmas else None
    return Verdicts(values, dict(zip(items, groups, strict=False)), Clusters(column, clusters))


@pytest.mark.parametrize(
    ("systems", "pairs"),
    [
        ([A, B], [(A, B)]),
        ([A, OTHER], [(A, OTHER)]),
        # The masked model shares no definition: the first of each
        ([A, OTHER, B, C], [(A, OTHER), (A, B), (A, C), (B, C)]),
        ([OTHER, A, B], [(OTHER, A), (A, B)]),
    ],
)
def test_which_systems_are_compared(systems, pairs):
    assert [*paired(systems)] == pairs


def exact_mcnemar(one, other):
    """Twice the binomial tail."""
    wins = sum(a > b for a, b in zip(one, other, strict=True))
    losses = sum(a < b for a, b in zip(one, other, strict=True))
    n, least = wins + losses, min(wins, losses)
    return min(1.0, 2 * sum(comb(n, k) for k in range(least + 1)) / 2**n)


def test_paired_tests_equal_independent_ones():
    draw = random.Random(1)
    worths = [[float(draw.random() < share) for _ in range(80)] for share in (0.9, 0.8, 0.55)]
    systems = (A, B, System("d", "causal"))
    found = compare({s: verdicts(*w) for s, w in zip(systems, worths, strict=True)})
    expected = [
        exact_mcnemar(worths[one], worths[other]) for one, other in ((0, 1), (0, 2), (1, 2))
    ]
    assert [each.test for each in found] == [MCNEMAR] * 3
    assert [each.p for each in found] == pytest.approx(expected, rel=1e-9)
    # Holm: the smallest three times, the next twice at least as much, and so on
    rising = sorted(range(3), key=lambda at: expected[at])
    corrected, least = {}, 0.0
    for rank, at in enumerate(rising):
        least = corrected[at] = min(1.0, max(least, expected[at] * (3 - rank)))
    assert [each.holm_p for each in found] == pytest.approx([corrected[at] for at in range(3)])
    first = found[0]
    assert (first.items, first.accuracy_a, first.accuracy_b) == (
        80, sum(worths[0]) / 80, sum(worths[1]) / 80,
    )  # fmt: skip
    assert first.difference == pytest.approx(first.accuracy_a - first.accuracy_b)
    assert first.low < first.difference < first.high
    assert first.only_a == sum(a > b for a, b in zip(*worths[:2], strict=True))


def test_a_tie_takes_a_permutation_test():
    (found,) = compare({A: verdicts(1, 1, 1, 0.5), B: verdicts(0, 0, 0, 0.5)})
    assert (found.test, found.items, found.only_a, found.only_b) == (PERMUTATION, 4, 3, 0)
    # Signs of three differences agree in 2 of 8
    assert found.p == pytest.approx(0.25, abs=0.02)


def test_items_of_a_lemma_are_swapped_together():
    # A alone is right in one lemma, B in none: swapped or not, the difference is as large
    worths = {A: [1, 1, 1, 1, 1, 0], B: [0, 0, 0, 0, 1, 0]}
    (found,) = compare({s: verdicts(*w, lemmas="aaaabc") for s, w in worths.items()})
    assert (found.test, found.p) == (PERMUTATION, 1.0)
    assert (found.items, found.cluster, found.clusters) == (6, "lemma", 3)
    (found,) = compare({s: verdicts(*w, lemmas="abcdef") for s, w in worths.items()})
    assert (found.test, found.p) == (MCNEMAR, 2 / 2**4)
    assert (found.cluster, found.clusters) == (None, None)


def test_a_group_without_two_items_of_a_lemma_takes_mcnemar():
    groups, lemmas = "xxxyyyy", "aaabcde"
    one, other = (verdicts(*[w] * 7, groups=groups, lemmas=lemmas) for w in (1, 0))
    found = compare({A: one, B: other})
    assert [(each.group, each.test, each.clusters) for each in found] == [
        (None, PERMUTATION, 5), ("x", PERMUTATION, 1), ("y", MCNEMAR, 4),
    ]  # fmt: skip


def test_only_items_that_both_judge_count():
    (found,) = compare({A: verdicts(1, 1, None, 0), B: verdicts(0, None, 1, 0)})
    assert (found.items, found.accuracy_a, found.accuracy_b) == (2, 0.5, 0.0)


def test_groups_are_a_family_of_their_own():
    groups = "xxxxxxyyyyyyz"
    ones, zeros = [1.0] * 13, [0.0] * 13
    found = compare({A: verdicts(*ones, groups=groups), B: verdicts(*zeros, groups=groups)})
    assert [(each.group, each.items) for each in found] == [(None, 13), ("x", 6), ("y", 6)]
    assert [each.p for each in found] == pytest.approx([2 / 2**13, 2 / 2**6, 2 / 2**6])
    assert [each.holm_p for each in found] == pytest.approx([2 / 2**13, 4 / 2**6, 4 / 2**6])


def test_flips():
    found = flips({A: verdicts(1, 0, 1, None, groups="wxyz"), B: verdicts(1, 1, 0.5, 1)})
    assert [*found] == [("i1", "x", [0, 1]), ("i2", "y", [1, 0.5])]
