"""Four verdicts, with one meaning in all studies."""

import math

import numpy as np
import pytest

from kasu.base.differences import Difference, Sample
from kasu.base.verdicts import Claim, Fact, Untestable, every, judge_claims


def difference(value: float, p: float, *, width: float = 0.2, floor: float = 0.0) -> Difference:
    low, high = value - width / 2, value + width / 2
    return Difference(value, low, high, p, 50, width / 2 / 1.96, floor)


def results(*evidence: object, variant: str | None = None) -> list[str]:
    claims = [Claim("", "", each, variant) for each in evidence]  # type: ignore[arg-type]
    return [row["result"] for row in judge_claims("paper", claims)]


def test_difference_beyond_chance_decides():
    assert results(difference(0.3, 0.001)) == ["holds"]
    assert results(difference(-0.3, 0.001)) == ["fails"]
    assert results(difference(0.05, 0.3), difference(-0.05, 0.3)) == ["undecided"] * 2


def test_p_at_alpha_is_within_chance():
    assert results(difference(0.1, 0.05)) == ["undecided"]
    assert results(difference(0.1, 0.0499)) == ["holds"]


def test_an_undefined_p_value_decides_nothing():
    assert results(difference(math.nan, math.nan)) == ["undecided"]


def test_loss_within_the_floor_counts_as_none():
    assert results(difference(-0.01, 0.001, floor=-0.02)) == ["holds"]
    assert results(difference(-0.03, 0.001, floor=-0.02)) == ["fails"]


def test_family_of_a_variant_is_corrected():
    # Holm: 0.02 * 3, 0.03 * 2 and 0.04 are raised to 0.06
    three = [difference(0.1, p) for p in (0.02, 0.03, 0.04)]
    assert results(*three) == ["undecided"] * 3
    assert results(three[0]) == ["holds"]


def test_variants_are_families_of_their_own():
    claims = [Claim("", "", difference(0.1, 0.03), name) for name in ("a", "b")]
    assert [row["result"] for row in judge_claims("paper", claims)] == ["holds", "holds"]


def test_worst_of_several_differences_decides():
    up, down, flat = difference(0.3, 1e-6), difference(-0.3, 1e-6), difference(0.01, 0.9)
    assert results([up, difference(0.2, 1e-6)]) == ["holds"]
    assert results([up, flat]) == ["undecided"]
    assert results([up, flat, down]) == ["fails"]


def test_claim_on_no_difference_is_refused():
    with pytest.raises(ValueError, match="without a difference"):
        results([])


def test_fact_holds_or_fails_without_chance():
    assert results(Fact(True, "34 = 34"), Fact(False, "51 = 34")) == ["holds", "fails"]


def test_nothing_to_judge_is_untestable():
    assert results(every([], "cells equal", "no cell of ours")) == ["untestable here"]
    assert every([], "cells equal", "no cell of ours") == Untestable("no cell of ours")
    assert every([True, False], "cells equal", "") == Fact(False, "1 of 2 cells equal")
    assert every([True, True], "cells equal", "") == Fact(True, "2 of 2 cells equal")


def test_row_of_a_claim():
    claim = Claim("A beats B (§1)", "A minus B", difference(0.3, 0.001), "released")
    assert judge_claims("paper", [claim]) == [
        {
            "paper": "paper",
            "claim": "A beats B (§1)",
            "test": "A minus B",
            "variant": "released",
            "result": "holds",
            "evidence": "difference +0.3000 (+0.2000 to +0.4000), p 0.001",
        }
    ]


def test_undecided_names_the_power():
    # Student's t on 49 degrees: 2.0096 + 0.8490 standard errors of 0.2 / 2 / 1.96
    [row] = judge_claims("paper", [Claim("", "", difference(0.05, 0.3))])
    assert row["evidence"] == (
        "difference +0.0500 (-0.0500 to +0.1500), p 0.3: within chance; "
        "50 clusters show 0.1458 in 80% of samples"
    )


def test_few_clusters_that_agree_say_how_many_would_be_enough():
    [row] = judge_claims(
        "paper", [Claim("", "", Difference.of(Sample([0.1] * 5, range(5)), tried=3))]
    )
    assert row["evidence"].endswith("within chance; all 5 clusters agree, 7 would be enough")
    for count, result in ((6, "undecided"), (7, "holds")):
        assert results(Difference.of(Sample([0.1] * count, range(count)), tried=3)) == [result]


@pytest.mark.parametrize(("clusters", "tried"), [(8, 1), (40, 1), (40, 9)])
def test_the_smallest_difference_is_found_in_four_of_five_samples(clusters, tried):
    generator = np.random.default_rng(1)
    noise = generator.normal(size=(1000, clusters))
    # The standard error of normal items of variance 1, which each sample only estimates
    smallest = Difference(
        0, 0, 0, 1, clusters, standard_error=1 / math.sqrt(clusters), tried=tried
    ).smallest
    found = sum(
        Difference.of(Sample(smallest + items, range(clusters)), tried=tried).p < 0.05
        for items in noise
    )
    assert 760 <= found <= 840


# Estimates


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
    [row] = judge_claims("paper", [Claim("", "", found)])
    assert row["result"] == "undecided"
    assert row["evidence"].endswith("nothing follows from one cluster")


def test_empty_sample_is_refused():
    with pytest.raises(ValueError, match="without an item"):
        Difference.of(Sample([], []))
