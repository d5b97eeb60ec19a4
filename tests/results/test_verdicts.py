"""Four verdicts, with one meaning in all studies."""

import math
from dataclasses import replace

import numpy as np
import pytest

from kasu.results.differences import Difference, Sample
from kasu.results.verdicts import About, Claim, Fact, Untestable, every, judge_claims


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
            "about": "ours",
            "result": "holds",
            "evidence": "difference +0.3000 (+0.2000 to +0.4000), 50 clusters, p 0.001, "
            "corrected 0.001",
        }
    ]


def test_evidence_states_the_floor_and_both_p():
    claims = [Claim("", "", difference(value, 0.02, floor=-0.02)) for value in (0.1, 0.2)]
    assert [row["evidence"] for row in judge_claims("paper", claims)] == [
        "difference +0.1000 (+0.0000 to +0.2000), floor -0.02, 50 clusters, p 0.02, corrected 0.04",
        "difference +0.2000 (+0.1000 to +0.3000), floor -0.02, 50 clusters, p 0.02, corrected 0.04",
    ]


def test_a_claim_about_print_is_told_apart():
    claim = Claim("", "", Fact(True, "34 = 34"), about=About.PRINT)
    assert judge_claims("paper", [claim])[0]["about"] == "print"


def test_a_difference_that_cannot_refute_keeps_a_claim_from_holding():
    own = difference(0.3, 1e-6)
    for value, p, result in (
        (0.2, 1e-6, "holds"),
        (0.1, 0.4, "undecided"),
        (-0.2, 1e-6, "undecided"),
    ):
        assert results([own, replace(difference(value, p), refutes=False)]) == [result]
    assert results([difference(-0.3, 1e-6), replace(own, refutes=False)]) == ["fails"]


def test_what_a_null_solves_is_untestable_and_no_test_of_the_family():
    solved = replace(difference(-0.3, 0.9), solved="the null X solves it")
    rows = judge_claims("paper", [Claim("", "", [solved, difference(0.1, 1e-6)])])
    assert (rows[0]["result"], rows[0]["evidence"]) == (
        "untestable here",
        "the null X solves it: difference -0.3000 (-0.4000 to -0.2000), 50 clusters, p 0.9",
    )
    # Alone in the family, 0.03 needs no correction
    assert results(solved, difference(0.1, 0.03)) == ["untestable here", "holds"]


def test_undecided_names_the_power():
    # Student's t on 49 degrees, noncentral by 2.8579 standard errors of 0.2 / 2 / 1.96
    [row] = judge_claims("paper", [Claim("", "", difference(0.05, 0.3))])
    assert row["evidence"] == (
        "difference +0.0500 (-0.0500 to +0.1500), 50 clusters, p 0.3, corrected 0.3: "
        "within chance; as many clusters show 0.1458 in 80% of samples"
    )


@pytest.mark.parametrize(
    ("others", "level"),
    [
        ([], 0.05),
        ([0.5] * 4, 0.05 / 5),
        ([1e-9] * 4, 0.05),  # rejected before it, they leave it the whole level
        ([1e-9, 0.5, 0.6], 0.05 / 3),
        ([math.nan, 0.5], 0.05 / 3),
    ],
)
def test_the_power_is_that_after_the_correction(others, level):
    undecided = difference(0.05, 0.3)
    claims = [Claim("", "", each) for each in (undecided, *(difference(0.2, p) for p in others))]
    evidence = judge_claims("paper", claims)[0]["evidence"]
    assert f"show {undecided.smallest(level):.4f} in 80%" in evidence


@pytest.mark.parametrize("others", [[0.4] * 9, [1e-6] * 5 + [0.2] * 14])
def test_a_claim_of_a_family_holds_in_four_of_five_samples_of_the_smallest(others):
    generator = np.random.default_rng(2)
    clusters, family = 40, [Claim("", "", difference(0.2, p)) for p in others]
    unit = Difference(0, 0, 0, 1, clusters, standard_error=1 / math.sqrt(clusters))
    smallest = unit.smallest(0.05 / (1 + sum(p > 0.05 for p in others)))
    found = 0
    for items in generator.normal(size=(1000, clusters)):
        claim = Claim("", "", Difference.of(Sample(smallest + items, range(clusters))))
        found += judge_claims("paper", [claim, *family])[0]["result"] == "holds"
    assert 760 <= found <= 840


def test_few_clusters_that_agree_say_how_many_would_be_enough():
    agree = Difference.of(Sample([0.1] * 5, range(5)), tried=3)
    [row] = judge_claims("paper", [Claim("", "", agree)])
    assert row["evidence"].endswith("within chance; all clusters agree, 7 would be enough")
    for count, result in ((6, "undecided"), (7, "holds")):
        assert results(Difference.of(Sample([0.1] * count, range(count)), tried=3)) == [result]
    # With three others undecided p is multiplied by 4: 9 clusters
    others = [difference(0.1, 0.9)] * 3
    row = judge_claims("paper", [Claim("", "", each) for each in (agree, *others)])[0]
    assert row["evidence"].endswith("9 would be enough")
    for count, result in ((8, "undecided"), (9, "holds")):
        enough = Difference.of(Sample([0.1] * count, range(count)), tried=3)
        assert results(enough, *others)[0] == result


def test_clusters_without_a_difference_are_not_said_to_agree():
    [row] = judge_claims("paper", [Claim("", "", Difference.of(Sample([0.0] * 9, range(9))))])
    assert row["evidence"].endswith("corrected 1: no cluster differs")
