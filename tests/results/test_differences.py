"""Differences: estimates, intervals, tests and power."""

import math

import numpy as np
import pytest

from kasu.results.differences import Difference, Sample


def test_mean_of_independent_items():
    # The one-sample t test of 1, 2, 3, 4: mean 2.5, standard error 0.6455, t 3.873 on 3 degrees
    found = Difference.of(Sample([1, 2, 3, 4], list("abcd")))
    assert found.value == 2.5
    assert (found.low, found.high) == pytest.approx((0.4457, 4.5543), abs=1e-4)
    assert found.p == pytest.approx(0.0305, abs=1e-4)
    assert found.clusters == 4


def test_copies_of_a_cluster_add_no_evidence():
    once = Difference.of(Sample([1, 2, 3, 4], list("abcd")))
    thrice = Difference.of(Sample([1, 2, 3, 4] * 3, list("abcd") * 3))
    assert (thrice.value, thrice.low, thrice.p) == pytest.approx((once.value, once.low, once.p))
    assert thrice.clusters == 4


def test_pairs_are_compared_within_clusters():
    # The two means vary much, their difference by item does not
    a, b = np.array([0.0, 5.0, 9.0]), np.array([1.0, 7.0, 10.0])
    found = Difference.of(Sample(a, list("xyz")), Sample(b, list("xyz")))
    paired = Difference.of(Sample(a - b, list("xyz")))
    assert (found.value, found.low, found.p) == pytest.approx((paired.value, paired.low, paired.p))
    assert found.value == pytest.approx(-4 / 3)


def test_groups_of_other_items():
    # Variances add: 2/4 + 2/4 with clusters of one item, and 8/7 for eight clusters
    found = Difference.of(Sample([0, 2, 0, 2], list("abcd")), Sample([0, 2, 0, 2], list("efgh")))
    assert found.value == 0
    assert found.high == pytest.approx(2.3646 * math.sqrt(8 / 7 * 8 / 16), abs=1e-4)
    assert found.p == 1


def test_weights_count():
    found = Difference.of(Sample([1, 0, 0], list("abc"), [2, 1, 1]))
    assert found.value == 0.5


def test_choice_among_several_is_corrected():
    once = Difference.of(Sample([1, 2, 3, 4], list("abcd")))
    chosen = Difference.of(Sample([1, 2, 3, 4], list("abcd")), tried=3)
    assert chosen.p == pytest.approx(3 * once.p)
    assert chosen.low < once.low


def test_clusters_that_all_agree_are_a_sign_test():
    found = Difference.of(Sample([1, 1, 1, 1, 1], list("abcde")))
    assert (found.low, found.high, found.p) == (1, 1, 2 * 0.5**5)
    assert Difference.of(Sample([0, 0, 0], list("abc"))).p == 1


def test_one_cluster_shows_nothing():
    found = Difference.of(Sample([1, 1, 0], list("aaa")))
    assert (found.low, found.high, found.p) == (-math.inf, math.inf, 1)
    assert found.undecided(0.05) == "nothing follows from one cluster"


def test_empty_sample_is_refused():
    with pytest.raises(ValueError, match="without an item"):
        Difference.of(Sample([], []))


def test_a_difference_of_differences_within_clusters():
    # By cluster (2 - 1) - (1 - 1) = 1, 1 - 0 = 1, 3: the one-sample t test of 1, 1, 3
    four = [[2, 3, 5], [1, 2, 2], [1, 1, 0], [1, 1, 0]]
    samples = [Sample(values, list("xyz")) for values in four]
    found = Difference.contrast([samples[0], samples[3]], [samples[1], samples[2]])
    alone = Difference.of(Sample([1, 1, 3], list("xyz")))
    assert (found.value, found.low, found.p) == pytest.approx((alone.value, alone.low, alone.p))
    assert found.clusters == 3


def test_the_mean_of_a_sample_goes_by_its_weights():
    assert Sample([1, 0, 0], list("abc"), [2, 1, 1]).mean == 0.5
    assert Sample([1, 0, 0, 0], list("abcd")).mean == 0.25


@pytest.mark.parametrize(("clusters", "tried"), [(8, 1), (40, 1), (40, 9)])
def test_the_smallest_difference_is_found_in_four_of_five_samples(clusters, tried):
    generator = np.random.default_rng(1)
    noise = generator.normal(size=(1000, clusters))
    # The standard error of normal items of variance 1, which each sample only estimates
    smallest = Difference(
        0, 0, 0, 1, clusters, standard_error=1 / math.sqrt(clusters), tried=tried
    ).smallest()
    found = sum(
        Difference.of(Sample(smallest + items, range(clusters)), tried=tried).p < 0.05
        for items in noise
    )
    assert 760 <= found <= 840


@pytest.mark.parametrize(("clusters", "level"), [(8, 0.05 / 30), (40, 0.05 / 300)])
def test_the_smallest_difference_at_a_corrected_level(clusters, level):
    noise = np.random.default_rng(3).normal(size=(2000, clusters))
    unit = Difference(0, 0, 0, 1, clusters, standard_error=1 / math.sqrt(clusters))
    shifted = unit.smallest(level) + noise
    found = sum(Difference.of(Sample(items, range(clusters))).p < level for items in shifted)
    assert 0.77 <= found / 2000 <= 0.83


def test_evidence_of_one_cluster_is_singular():
    assert "1 cluster, p 1" in Difference.of(Sample([1, 0], ["a", "a"])).describe()
