"""Agreement by item: of published seeds, of ours, of one held out, of other systems."""

import numpy as np
import pytest

from kasu.inflection.ladder.item_agreement import AGREEMENT, agreement_rows
from kasu.inflection.ladder.published_outputs import ComparedOutputs, System

SEEDS = System("published", "CA-cls", "static", True)
VOTE = System("published", "CA-LCS-E", "static", False)
OTHER = System("published", "CA-D-E", "expert", False)
STATIC, EXPERT = (System("ours", "uzh", variant) for variant in ("static", "expert"))


def rows_of(margin=0.02, gold="abcd", **languages):
    """Rows for languages whose systems answer four items with a letter each."""
    systems = {}
    for name, given in languages.items():
        for system, members in given.items():
            systems.setdefault(system, {})[name] = [np.array(list(each)) for each in members]
    right = dict.fromkeys(languages, np.array(list(gold)))
    return agreement_rows(ComparedOutputs(right, systems), margin)


def pick(rows, row, language):
    return [each for each in rows if (each["row"], each["language"]) == (row, language)]


def test_two_seeds_agree_on_right_and_on_wrong_forms():
    rows = rows_of(x={SEEDS: ["abxy", "abxz", "aqcz"]})
    assert all(set(row) == set(AGREEMENT) for row in rows)
    (seeds,) = pick(rows, "seeds", "x")
    # The pairs agree on 3, 1 and 2 of 4; both are wrong on 2, 1 and 1, alike on 1, 0 and 1
    assert (seeds["pairs"], seeds["agreement"]) == (3, pytest.approx(0.5))
    assert seeds["both_wrong"] == pytest.approx(4 / 12)
    assert seeds["wrong_alike"] == pytest.approx(2 / 4)
    assert seeds["seeds_agreement"] == seeds["agreement"]
    assert seeds["difference"] is None


def test_a_member_of_ours_against_each_seed():
    (ours,) = pick(rows_of(x={SEEDS: ["abxy", "abcz"], STATIC: ["abxz"]}), "ours", "x")
    assert (ours["a"], ours["b"], ours["pairs"]) == ("CA-cls", "uzh static", 2)
    # 3 and 3 of 4, where two seeds agree on 2
    assert (ours["agreement"], ours["seeds_agreement"]) == (0.75, 0.5)
    assert ours["difference"] == 0.25


def test_what_is_never_wrong_alike_has_no_share():
    (seeds,) = pick(rows_of(x={SEEDS: ["abcd", "abcz"]}), "seeds", "x")
    assert (seeds["both_wrong"], seeds["wrong_alike"]) == (0.0, None)


def test_a_vote_of_the_same_variant_is_not_compared():
    answers = {SEEDS: ["abcd", "abcz"], VOTE: ["abcd"], OTHER: ["abcd"], EXPERT: ["abcd"]}
    others = pick(rows_of(x=answers), "other", "x")
    assert [row["b"] for row in others] == ["CA-D-E", "uzh expert"]


def test_one_published_seed_or_none_gives_no_row():
    assert rows_of(x={SEEDS: ["abcd"], STATIC: ["abcd"]}) == []
    assert rows_of(x={OTHER: ["abcd"], STATIC: ["abcd"]}) == []


def test_a_seed_held_out_stands_against_the_rest():
    rows = [row for row in rows_of(x={SEEDS: ["abxy", "abxz", "abcz"]}) if row["row"] == "held out"]
    assert [row["b"] for row in rows] == ["CA-cls, no. 1", "CA-cls, no. 2", "CA-cls, no. 3"]
    assert [row["language"] for row in rows] == [None] * 3
    # Each is a mean over two pairs; the rest agree on 3, 2 and 3 of 4
    assert [row["agreement"] for row in rows] == [0.625, 0.75, 0.625]
    assert [row["seeds_agreement"] for row in rows] == [0.75, 0.5, 0.75]


def verdict(differences, margin=0.02):
    """The verdict on languages of 100 items, in which ours differs from seeds by such shares."""
    systems, gold = {SEEDS: {}, STATIC: {}}, {}
    for number, difference in enumerate(differences):
        name = f"language{number}"
        gold[name] = np.array(["right"] * 100)
        # Two seeds agree on 80 items, so that ours may be above
        first, second = (np.array(["right"] * 80 + [word] * 20) for word in ("one", "two"))
        mine = np.array(["right"] * 80 + ["mine"] * 20)
        if difference > 0:
            mine[80 : 80 + round(200 * difference)] = "one"
        else:
            mine[: round(-100 * difference)] = "mine"
        systems[SEEDS][name], systems[STATIC][name] = [first, second], [mine]
    rows = agreement_rows(ComparedOutputs(gold, systems), margin)
    (row,) = pick(rows, "ours", None)
    return row


def test_a_difference_within_the_margin_on_both_sides_holds():
    row = verdict([0.01, -0.01, 0.0, 0.01, -0.01, 0.0])
    assert (row["verdict"], row["languages"], row["margin"]) == ("holds", 6, 0.02)
    assert row["difference"] == pytest.approx(0.0)
    # SD sqrt(0.0004 / 5), t of 5 degrees of freedom 2.571
    assert (row["low"], row["high"]) == (
        pytest.approx(-0.00939, abs=1e-5),
        pytest.approx(0.00939, abs=1e-5),
    )


@pytest.mark.parametrize("sign", [1, -1])
def test_a_difference_beyond_the_margin_fails_whichever_side(sign):
    row = verdict([sign * each for each in (0.08, 0.09, 0.1, 0.08, 0.09, 0.1)])
    assert row["verdict"] == "fails"


def test_a_wide_interval_is_undecided():
    assert verdict([0.05, -0.05, 0.04, -0.04, 0.03, -0.02])["verdict"] == "undecided"


def test_one_language_has_no_interval():
    row = verdict([0.0])
    assert (row["low"], row["high"], row["verdict"]) == (None, None, "untestable here")


def test_two_languages_show_no_spread():
    row = verdict([0.0, 0.0])
    assert (row["verdict"], row["evidence"]) == ("untestable here", "fewer than 3 languages")
    assert verdict([0.0, 0.01, 0.0])["verdict"] == "holds"
