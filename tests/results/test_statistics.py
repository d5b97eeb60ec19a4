"""What items are worth; intervals and tests, against textbooks, scipy and enumeration."""

import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from kasu.results.statistics import (
    cluster_interval,
    compare_paired,
    correct,
    difference_interval,
    holm,
    mcnemar,
    mean_interval,
    paired_permutation,
    share_interval,
    shared,
    smallest_effect,
    tied,
    ties_wrong,
    wilson,
    worth,
)


def test_a_tie_is_worth_a_guess_among_the_equal_options():
    pairs = [[-1, -2], [-2, -1], [-1, -1]]
    assert worth(pairs, 0).tolist() == [1, 0, 1 / 2]
    triples = [[-1, -1, -2], [-2, -1, -1], [-1, -1, -1], [-1, -2, -2]]
    assert worth(triples, 0).tolist() == [1 / 2, 0, 1 / 3, 1]
    assert worth(triples, [1, 2, 0, 1]).tolist() == [1 / 2, 1 / 2, 1 / 3, 0]


def test_an_item_without_a_score_is_worth_nothing():
    assert worth([[math.nan, -1], [-1, math.nan], [math.nan, math.nan]], 0).tolist() == [0, 0, 0]


def test_only_a_tie_of_the_right_option_is_a_tie_and_wrong_by_the_papers_rule():
    worths = worth([[-1, -2, -2], [-2, -1, -1], [-1, -1, -2], [-1, -1, -1]], 0)
    assert tied(worths).tolist() == [False, False, True, True]
    assert ties_wrong(worths).tolist() == [1, 0, 0, 0]


def test_a_highest_score_is_shared_by_several_options():
    assert shared([[[1, 2], [2, 2]], [[0, 0], [3, 1]]]).tolist() == [[False, True], [True, False]]
    assert shared([[1, 1, 2], [1, 2, 2]]).tolist() == [False, True]


def test_wilson_of_81_in_263():  # Newcombe 1998, Table I, method 3
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_wilson_of_none_in_twenty():  # Newcombe 1998
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)


def test_wilson_without_items_is_0_to_1():
    assert wilson(0, 0) == (0.0, 1.0)


def test_wilson_takes_halves():
    low, high = wilson(1.5, 3)
    assert (low, high) == pytest.approx((0.1253, 0.8747), abs=5e-5)
    assert wilson(0.5, 20)[0] > wilson(0, 20)[0] and wilson(0.5, 20)[1] < wilson(1, 20)[1]


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_of_whole_successes_is_that_of_scipy(case):
    interval = binomtest(*case).proportion_ci(0.95, method="wilson")
    assert wilson(*case) == pytest.approx((interval.low, interval.high), abs=1e-12)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_mirrors_its_complement(case):
    successes, n = case
    low, high = wilson(successes, n)
    assert low - 1e-12 <= successes / n <= high + 1e-12
    assert wilson(n - successes, n) == pytest.approx((1 - high, 1 - low))


def test_bootstrap_of_the_mean_is_near_the_normal_interval():
    values = [1] * 300 + [0] * 100
    half = 1.96 * math.sqrt(0.75 * 0.25 / 400)
    low, high = cluster_interval(values, range(400), seed=1, draws=4000)
    assert (low, high) == pytest.approx((0.75 - half, 0.75 + half), abs=0.005)


def test_bootstrap_of_the_ratio_leaves_out_items_without_weight():
    gold = [1, 1, 1, 1, 0, 0] * 50
    found = [1, 1, 1, 0, 0, 0] * 50
    low, high = cluster_interval(found, range(300), weights=gold, seed=1)
    assert low < 0.75 < high
    assert (low, high) == pytest.approx((0.69, 0.81), abs=0.015)


def test_bootstrap_is_wider_with_fewer_clusters():
    values = [1] * 300 + [0] * 100
    alone = cluster_interval(values, range(400), seed=1)
    tens = cluster_interval(values, [i // 10 for i in range(400)], seed=1)
    assert tens[1] - tens[0] == pytest.approx(math.sqrt(10) * (alone[1] - alone[0]), rel=0.15)


def test_bootstrap_mirrors_when_right_and_wrong_are_swapped():
    values = np.arange(100) % 3 == 0
    low, high = cluster_interval(values, range(100), seed=5, draws=4000)
    other_low, other_high = cluster_interval(~values, range(100), seed=6, draws=4000)
    assert (other_low, other_high) == pytest.approx((1 - high, 1 - low), abs=0.02)


def test_bootstrap_depends_only_on_its_seed():
    values, clusters = [1, 0, 1, 1, 0, 1], ["a", "a", "b", "c", "c", "d"]
    first = cluster_interval(values, clusters, seed=3)
    assert cluster_interval(values, clusters, seed=3) == first
    assert cluster_interval(values[::-1], clusters[::-1], seed=3) == first


def test_an_interval_without_weight_is_nan():
    low, high = cluster_interval([0, 0], [1, 2], weights=[0, 0], seed=1)
    assert math.isnan(low) and math.isnan(high)


def test_of_few_clusters_the_interval_of_a_mean_is_students():
    # Means of 1, 2 and 3 of equal weight: 2 ± 4.3027 · 1 / √3
    low, high = cluster_interval([1, 1, 2, 2, 3, 3], [1, 1, 2, 2, 3, 3], seed=1)
    assert (low, high) == pytest.approx((2 - 2.4841, 2 + 2.4841), abs=1e-4)
    assert cluster_interval([1, 3, 2, 2], [1, 1, 2, 2], seed=1) == (2, 2)


def test_few_clusters_that_happen_to_be_alike_are_few_items():
    """Two documents of 50 pairs, of which 31 and 32 are right; a bootstrap has 0.62 to 0.64."""
    hits = [True] * 31 + [False] * 19 + [True] * 32 + [False] * 18
    interval = share_interval(hits, [True] * 100, [0] * 50 + [1] * 50, seed=1)
    # Wilson's of 63 % of 100 (1.95996 / 12.7062)² = 2.3794 items
    assert interval == pytest.approx((0.1619, 0.9375), abs=1e-4)


@pytest.mark.parametrize("clusters", [2, 5, 12, 29, 30])
@pytest.mark.parametrize("spread", [4, 1e6])
def test_intervals_of_shares_hold_the_truth_whatever_the_number_of_clusters(clusters, spread):
    generator = np.random.default_rng(clusters)
    shares = generator.beta(0.8 * spread, 0.2 * spread, (300, clusters, 1))
    hits = (generator.random((300, clusters, 10)) < shares).reshape(300, -1)
    ids = np.repeat(np.arange(clusters), 10)
    intervals = (share_interval(each, hits[0] >= 0, ids, seed=1, draws=300) for each in hits)
    held = sum(low <= 0.8 <= high for low, high in intervals)
    assert held / 300 >= 0.91


def test_differences_that_are_all_alike_have_a_width():
    # Wilson's interval of none of three ends at 0.5615: as many may differ the other way
    assert difference_interval([1, 1, 1], [1, 2, 3], seed=1) == pytest.approx(
        (-0.1230, 1), abs=1e-4
    )
    others = wilson(0, 200)[1]
    assert difference_interval([0] * 200, range(200), seed=1) == pytest.approx((-others, others))
    low, high = difference_interval([0.5] * 4, [7] * 4, seed=1)  # one cluster
    assert (low, high) == pytest.approx((0.5 - 0.7935 * 1.5, 0.5 + 0.7935 * 0.5), abs=1e-4)


def test_differences_of_few_clusters_stay_within_what_is_possible():
    assert difference_interval([1, 1, 0], [1, 2, 3], seed=1) == (
        pytest.approx(-0.7676, abs=1e-4),
        1,
    )


def test_bootstrap_of_a_full_test_set_is_fast():
    values = np.random.default_rng(0).random(260_000) < 0.9
    start = time.process_time()
    cluster_interval(values, np.arange(260_000) // 5, seed=1)
    assert time.process_time() - start < 5


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=1, max_size=60),
    st.integers(0, 2**32),
)
def test_share_interval_holds_the_share_and_stays_in_the_unit_interval(items, seed):
    hits, clusters = zip(*items, strict=True)
    low, high = share_interval(hits, [True] * len(hits), clusters, seed=seed, draws=300)
    assert 0 <= low <= np.mean(hits) <= high <= 1


def test_share_interval_of_all_right_is_wilson_over_clusters():
    hits = [True] * 60
    assert share_interval(hits, hits, [i // 3 for i in range(60)], seed=1) == wilson(20, 20)


def test_share_interval_of_clusters_that_are_alike_has_a_width():
    hits = [True, False] * 10
    assert share_interval(hits, [True] * 20, ["one"] * 20, seed=1) == wilson(0.5, 1)
    pairs = [i // 2 for i in range(20)]
    assert share_interval(hits, [True] * 20, pairs, seed=1) == wilson(5, 10)
    halves = [0.5] * 20  # ties of a null
    assert share_interval(halves, [True] * 20, range(20), seed=1) == wilson(10, 20)


def test_share_interval_counts_only_trials():
    trials = [True] * 20 + [False] * 80
    hits = [False] * 100
    assert share_interval(hits, trials, range(100), seed=1) == wilson(0, 20)


def test_mcnemar_is_the_sign_test_of_the_discordant_pairs():
    a = [1] * 8 + [0] * 2 + [1] * 30
    b = [0] * 8 + [1] * 2 + [1] * 30
    assert mcnemar(a, b) == pytest.approx(112 / 1024)  # 2 * (45 + 10 + 1) / 2**10


def test_mcnemar_of_equal_answers_is_one():
    assert mcnemar([1, 0, 1], [1, 0, 1]) == 1.0


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=50))
def test_mcnemar_does_not_care_which_system_comes_first(pairs):
    a, b = zip(*pairs, strict=True)
    assert mcnemar(a, b) == mcnemar(b, a)


def test_smallest_effect_of_a_system_right_on_a_superset():
    # Significant from 6 : 0 (p = 2 / 2**6): d solves P(Bin(100, d) >= 6) = 0.8
    effect = smallest_effect(100, 0)
    below = sum(math.comb(100, k) * effect**k * (1 - effect) ** (100 - k) for k in range(6))
    assert effect == pytest.approx(0.0779, abs=5e-5)
    assert below == pytest.approx(0.2, abs=1e-4)


def test_smallest_effect_by_enumeration_of_all_outcomes():
    n, discordant = 30, 0.1
    effect = smallest_effect(n, discordant)
    better, worse = discordant / 2 + effect, discordant / 2
    found = 0.0
    for wins in range(n + 1):
        for losses in range(min(wins, n + 1 - wins)):
            m = wins + losses
            if 2 * sum(math.comb(m, k) for k in range(wins, m + 1)) / 2**m <= 0.05:
                ways = math.comb(n, m) * math.comb(m, wins)
                found += ways * better**wins * worse**losses * (1 - better - worse) ** (n - m)
    assert found == pytest.approx(0.8, abs=1e-4)


def test_five_items_are_never_significant():  # 5 : 0 has p = 1/16
    assert smallest_effect(5, 0) is None
    assert smallest_effect(6, 0) == pytest.approx(0.8 ** (1 / 6), abs=1e-5)


@settings(max_examples=20)
@given(st.integers(30, 300), st.floats(0, 0.2))
def test_more_items_show_smaller_effects_and_noise_hides_them(n, discordant):
    effect = smallest_effect(n, discordant)
    assert smallest_effect(4 * n, discordant) < effect
    assert smallest_effect(n, discordant + 0.05) > effect - 1e-5


def test_permutation_agrees_with_all_sign_flips():  # 1 of 2**5 flips on each side is as large
    assert paired_permutation([5, 4, 3, 2, 1], [0] * 5, range(5), seed=1) == 2 / 32


def test_permutation_of_any_numbers_draws_sign_flips():
    values = [math.sqrt(number) for number in (5, 4, 3, 2, 1)]
    p = paired_permutation(values, [0] * 5, range(5), seed=1, draws=40_000)
    assert p == pytest.approx(2 / 32, abs=0.005)
    assert paired_permutation(np.sqrt(np.arange(1, 99)), [0] * 98, range(98), seed=1) == 1 / 10_001


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 5)), min_size=1, max_size=14),
    st.sampled_from([1, 2, 3, 7]),
)
def test_permutation_counts_all_sign_flips(items, runs):
    values, clusters = zip(*items, strict=True)
    sums = [sum(v for v, c in items if c == cluster) for cluster in set(clusters)]
    flips = [abs(sum(s * v for s, v in zip(signs, sums, strict=True)))
             for signs in itertools.product((1, -1), repeat=len(sums))]  # fmt: skip
    expected = sum(flip >= abs(sum(sums)) for flip in flips) / len(flips)
    found = paired_permutation(np.array(values) / runs, [0] * len(items), clusters, seed=1)
    assert found == pytest.approx(expected, rel=1e-9)


def test_a_correction_over_many_comparisons_leaves_what_is_beyond_doubt():
    """Of two systems that differ on all of 200 items p is 2⁻¹⁹⁹; a drawn one would be 10⁻⁴."""
    row = compare_paired([1] * 200, [0] * 200, range(200), metric="accuracy", seed=1)
    assert row["permutation_p"] == pytest.approx(2.0**-199)
    assert row["permutation_p"] == pytest.approx(row["mcnemar_p"])
    assert max(each["holm_p"] for each in correct([row] * 2000)) < 1e-50


def test_permutation_swaps_clusters_whole():
    a, b = [1] * 20, [0] * 20
    assert paired_permutation(a, b, range(20), seed=1) < 0.001
    assert paired_permutation(a, b, [0] * 10 + [1] * 10, seed=1) == 0.5


def test_permutation_of_equal_systems_is_one():
    assert paired_permutation([1, 0, 1], [1, 0, 1], [1, 2, 3], seed=1) == 1.0


def test_holm_of_four():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_of_nothing():
    assert holm([]) == []


def test_holm_corrects_each_family_by_itself():
    p_values = [0.01, 0.01, 0.04, 0.03, 0.02, 0.005]
    corrected = holm(p_values, ["a", "b", "a", "a", "b", "a"])
    assert corrected == pytest.approx([0.03, 0.02, 0.06, 0.06, 0.02, 0.02])


def test_comparisons_are_corrected_by_columns():
    rows = [
        {"variant": variant, "level": level, "permutation_p": p}
        for variant, level, p in [("x", 1, 0.01), ("x", 2, 0.02), ("y", 1, 0.03), ("x", 1, 0.04)]
    ]
    found = correct(rows, by=("variant", "level"))
    assert [row["holm_p"] for row in found] == pytest.approx([0.02, 0.02, 0.03, 0.04])
    assert [row["holm_p"] for row in correct(rows)] == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert [{**row, "holm_p": 0} for row in rows] == [row | {"holm_p": 0} for row in found]
    assert correct([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_keeps_the_order_and_never_lowers(p_values):
    adjusted = holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
    by_p = [q for _, q in sorted(zip(p_values, adjusted, strict=True))]
    assert by_p == sorted(by_p)


def test_two_systems_on_the_same_items():
    compared = compare_paired([1, 1, 0, 1], [0, 1, 0, 0], [1, 2, 3, 4], metric="accuracy", seed=1)
    assert (compared["n"], compared["accuracy_a"], compared["accuracy_b"]) == (4, 0.75, 0.25)
    assert compared["difference"] == 0.5
    assert compared["mcnemar_p"] == 0.5  # the first alone is right on two items, the second on none
    shares = compare_paired([0.5, 1], [0, 1], [1, 2], metric="f1", seed=1)
    assert (shares["f1_a"], shares["mcnemar_p"]) == (0.75, None)


def test_the_interval_of_a_mean_is_students():
    # 0.8 ± 4.3027 · 0.1 / √3
    assert mean_interval([0.7, 0.8, 0.9]) == pytest.approx((0.5516, 1.0484), abs=1e-4)
    assert mean_interval([0.7, 0.8, 0.9], share=True) == pytest.approx((0.5516, 1), abs=1e-4)
    assert mean_interval([0.5, 0.5]) == (0.5, 0.5)
