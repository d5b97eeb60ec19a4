"""Words for how far a figure is reproduced: what makes each come out, and what does not."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.results.comparison import TABLE, Row
from kasu.results.reproduction import (
    State,
    judge,
    judge_row,
    judge_table,
    nulls_of,
    standing,
    summarise,
)


def row(ours=None, low=None, high=None, printed="90.0", **changes) -> Row:
    percent = changes.get("unit", "percent") == "percent"
    published = float(f"{printed}{'e-2' if percent else ''}") if printed else None
    cells = dict.fromkeys(TABLE) | {"paper": "p", "table": "t", "system": "net", "condition": "c"}
    cells |= {"metric": "accuracy", "unit": "percent", "ours": ours, "low": low, "high": high}
    cells |= {"published": published, "printed": printed}
    cells["digits"] = changes.pop("digits", len((printed or "").partition(".")[2]))
    if None not in (ours, published):
        cells["difference"] = ours - published
    return Row(**cells | changes)


def null(ours, low=None, high=None, **changes) -> Row:
    return row(ours, low, high, printed=None, system="chance", **changes)


CHANCE = [null(0.5, 0.48, 0.52)]


@pytest.mark.parametrize(
    ("ours", "low", "high", "nulls", "state"),
    [
        (0.9, 0.89, 0.91, [], "agrees"),
        (0.9, 0.89, 0.91, CHANCE, "agrees"),
        (0.905, 0.901, 0.909, CHANCE, "agrees"),  # misses it, but all of it lies within 2 points
        (0.88, 0.8795, 0.91, CHANCE, "agrees"),  # 2 points and the rounding
        (0.88, 0.87, 0.91, CHANCE, "consistent"),
        (0.87, 0.86, 0.8995, CHANCE, "consistent"),  # 90.0 may be 89.95
        # A quarter of the way from 50 to 90 is 10 points
        (0.8, 0.78, 0.82, CHANCE, "agrees in kind"),
        (0.799, 0.78, 0.82, CHANCE, "differs"),
        (0.8, 0.78, 0.82, [], "differs"),  # no null to lie above
        (0.81, 0.49, 0.85, CHANCE, "differs"),  # cannot be told from chance, and misses print
        (0.95, 0.93, 0.97, CHANCE, "differs"),  # beyond print, with the null on the other side
        # The nearest null bounds the way, on whatever side it lies
        (0.8, 0.78, 0.82, [*CHANCE, null(0.52, 0.51, 0.53)], "differs"),
        (0.8, 0.78, 0.82, [*CHANCE, null(0.97, 0.96, 0.98)], "differs"),
        (0.88, 0.87, 0.885, [null(0.97, 0.96, 0.98)], "differs"),  # no null below
        (0.88, 0.87, 0.885, [*CHANCE, null(0.99, 0.98, 1.0)], "agrees in kind"),
        # The margin is 2 points, or a quarter of the way from the nearest null: here 1 point
        (0.905, 0.901, 0.909, [null(0.86, 0.855, 0.865)], "agrees"),
        (0.905, 0.901, 0.911, [null(0.86, 0.855, 0.865)], "differs"),
        (0.892, 0.889, 0.895, [*CHANCE, null(0.86, 0.855, 0.865)], "agrees in kind"),
        (0.892, 0.891, 0.899, [*CHANCE, null(0.94, 0.93, 0.95)], "agrees"),
        (0.9, None, None, [], "agrees"),
        (0.9004, None, None, [], "agrees"),  # prints as 90.0
        (0.901, None, None, [], "differs"),  # exact, so 90.1 is another figure
        (None, None, None, CHANCE, "not run at this scale"),
        # A null does as well
        (0.89, 0.88, 0.91, [null(0.9, 0.89, 0.91)], "uninformative"),
        (0.88, 0.87, 0.92, [null(0.88, 0.85, 0.895)], "uninformative"),
        # Ours cannot be told from a null
        (0.89, 0.6, 0.95, [null(0.7, 0.65, 0.75)], "uninformative"),
        (0.8, 0.6, 0.95, [null(0.5, 0.45, 0.55)], "uninformative"),  # 35 points wide
        (0.8, 0.7, 0.95, [null(0.5, 0.45, 0.55)], "consistent"),
        # Printed digits on a small test set, unless a null shows them too
        (0.9, 0.6, 0.99, [null(0.7, 0.6, 0.95)], "agrees"),
        (0.9, 0.6, 0.99, [null(0.9, 0.6, 0.95)], "uninformative"),
    ],
)
def test_a_figure_has_a_state(ours, low, high, nulls, state):
    assert judge_row(row(ours, low, high), nulls) == state


@pytest.mark.parametrize(
    ("ours", "nulls", "state"),
    [
        (0.03, [null(0.2)], "uninformative"),  # a broken program comes as near
        (0.03, [], "agrees"),  # a share that no system is measured by
        (0.2, [null(0.3)], "differs"),
        (0.039, [], "differs"),  # 2 points would be near, but 0 has a way of 3 points
    ],
)
def test_next_to_zero_nothing_is_shown(ours, nulls, state):
    assert judge_row(row(ours, ours - 0.007, ours + 0.007, printed="3.0"), nulls) == state


@pytest.mark.parametrize(
    ("ours", "interval", "state"),
    [
        (0.261, (0.2, 0.3), "agrees"),  # prints as 0.26
        (0.27, (0.2, 0.3), "consistent"),  # a distance has no margin in points
        (0.28, (0.27, 0.3), "differs"),
    ],
)
def test_a_distance_agrees_by_its_digits(ours, interval, state):
    assert judge_row(row(ours, *interval, printed="0.26", unit="number")) == state


def test_a_count_agrees_if_it_is_equal():
    counts = [row(ours, printed="2304", unit="count") for ours in (2304.0, 2303.0)]
    assert [judge_row(each) for each in counts] == ["agrees", "differs"]


def test_a_system_is_judged_by_its_difference():
    states = [
        judge(-0.01, 0.015, margin=0.02, nearest=True),
        judge(-0.03, 0.01, margin=0.02, nearest=True),
        judge(0.03, 0.05, margin=0.02, nearest=True),
        judge(0.03, 0.05, margin=0.02, nearest=False),
    ]
    assert states == ["agrees", "consistent", "agrees in kind", "differs"]


def test_the_dative_is_as_near_to_the_majority_as_to_print():
    # 96.6 beside 98.0 is within 2 points, at 56 % of the way up from 95.5
    dative = row(0.966, 0.963, 0.969, printed="98.0")
    majority = null(0.955, 0.953, 0.957)
    assert judge_row(dative, [majority]) == "differs"
    assert judge_row(dative, [CHANCE[0]]) == "agrees"


@pytest.mark.parametrize(
    ("ours", "state"),
    [
        (0.713, "differs"),  # above print, where every null is nearer to it
        (0.473, "differs"),
        (0.463, "agrees in kind"),  # a quarter of the way from 45 is 0.425 points
        (0.462, "differs"),
    ],
)
def test_what_lies_beyond_print_does_not_agree_in_kind(ours, state):
    nulls = [null(0.37, 0.369, 0.371), null(0.45, 0.449, 0.451)]
    assert judge_row(row(ours, ours - 0.001, ours + 0.001, printed="46.7"), nulls) == state


@pytest.mark.parametrize(
    ("ours", "state"),
    [
        (0.30, "agrees"),
        (0.308, "agrees in kind"),  # between print and chance, a quarter of 3.33 points away
        (0.33, "differs"),
        (0.292, "differs"),  # further below chance than print
    ],
)
def test_a_figure_below_its_null_is_judged_from_below(ours, state):
    near = [null(1 / 3, 0.3333, 0.3334)]
    below = row(ours, ours - 0.003, ours + 0.003, printed="30.0")
    above = row(1 - ours, 1 - ours - 0.003, 1 - ours + 0.003, printed="70.0")
    assert judge_row(below, near) == state
    assert judge_row(above, [null(2 / 3, 0.6666, 0.6667)]) == state  # the mirror image


@pytest.mark.parametrize(
    ("ours", "state"),
    [(1.3, "agrees in kind"), (1.4, "agrees in kind"), (1.41, "differs"), (0.9, "differs")],
)
def test_a_distance_agrees_in_kind_on_the_side_of_its_null(ours, state):
    copying = [null(2.2, 2.1, 2.3, metric="levenshtein", unit="number")]
    found = row(ours, ours - 0.01, ours + 0.01, printed="1.13", unit="number", metric="levenshtein")
    assert judge_row(found, copying) == ("differs" if ours > 1.3975 else state)


def test_a_gap_and_a_deviation_have_no_margin_of_a_share():
    for metric, unit in (("accuracy_gap", "percent"), ("f1_std", "fraction")):
        printed = "5.1" if unit == "percent" else "0.0510"
        near = row(0.06, 0.059, 0.061, printed=printed, metric=metric, unit=unit)
        assert judge_row(near) == "differs"


def bare(printed: str, ours: float, low=None, high=None, **changes) -> Row:
    """A whole number in a column of decimals."""
    return row(ours, low, high, printed=printed, **{"digits": 1} | changes)


@pytest.mark.parametrize(
    ("figure", "state"),
    [
        # Standard deviations of BLM's Table 1: 0 decimals would show any below 0.5
        (bare("0", 0.0493, unit="fraction", metric="f1_std", digits=4), "uninformative"),
        (bare("0", 0.00001, unit="fraction", metric="f1_std", digits=4), "uninformative"),
        (bare("0", 0.0, unit="fraction", metric="f1_std", digits=4), "uninformative"),
        (bare("0", 0.51, unit="fraction", metric="f1_std", digits=4), "differs"),
        (bare("0", 0.01, 0.0, 0.02, unit="fraction", metric="f1_std", digits=4), "uninformative"),
        # 100 may be 99.6 or 100.0
        (bare("100", 1.0), "uninformative"),
        (bare("100", 0.996), "uninformative"),
        (bare("100", 0.994), "differs"),
        (bare("100", 0.995, 0.99, 0.999), "agrees"),  # by its interval, whatever the digits
        (bare("100", 0.96, 0.92, 1.0), "consistent"),
        (bare("100", 0.92, 0.9, 0.94), "differs"),
        (bare("1", 1.2, 1.1, 1.3, unit="number"), "uninformative"),  # misses 1.0, not 1
        (bare("1", 1.6, 1.5, 1.7, unit="number"), "differs"),
        # Where nothing has decimals, whole numbers are exact
        (row(0.79, printed="79"), "agrees"),
        (row(0.784, printed="79"), "differs"),
    ],
)
def test_a_bare_figure_has_no_digits_to_show(figure, state):
    assert judge_row(figure) == state


def test_a_bare_0_has_no_word_beside_nulls_either():
    figure = bare("0", 0.02, 0.01, 0.03)
    assert judge_row(figure, [null(0.5, 0.4, 0.6)]) == "differs"
    assert judge_row(bare("0", 0.004, 0.0, 0.01), [null(0.5, 0.4, 0.6)]) == "uninformative"


@settings(max_examples=300)
@given(
    st.tuples(*[st.integers(0, 1000)] * 5),
    st.sampled_from(["percent", "number"]),
)
def test_what_agrees_in_kind_lies_between_a_null_and_print(numbers, unit):
    printed, ours, wide, *nulls = (number / 1000 for number in numbers)
    text = f"{100 * printed if unit == 'percent' else printed:.1f}"
    figure = row(ours, ours - wide, ours + wide, printed=text, unit=unit)
    state = judge_row(figure, [null(value) for value in nulls])
    way = min(abs(figure.published - value) for value in nulls)
    if state == "agrees in kind":
        assert any(min(n, figure.published) < ours < max(n, figure.published) for n in nulls)
        assert abs(ours - figure.published) <= way / 4 + 1e-9
    elif state == "agrees" and not figure.shows(ours):
        # The whole interval, but for half a printed digit
        assert abs(ours - figure.published) + wide <= min(0.02, way / 4) + figure.half + 1e-8


# Variants


VARIANTS = [
    row(0.9, 0.89, 0.91, variant="released"),
    row(0.7, 0.69, 0.71, variant="paper"),
]


@pytest.mark.parametrize(
    ("defaults", "state", "ours"),
    [
        ({"": ["paper"]}, "differs", 0.7),  # whatever the other one gives
        ({"": ["released"]}, "agrees", 0.9),
        ({"": ["paper", "released"]}, "differs", 0.7),
        ({"": ["other", "released"]}, "agrees", 0.9),
        ({"": ["released"], "net": ["paper"]}, "differs", 0.7),  # by system first
        ({"": ["paper"], "gru": ["released"]}, "differs", 0.7),
    ],
)
def test_of_several_variants_the_default_is_judged(defaults, state, ours):
    for rows in (VARIANTS, VARIANTS[::-1]):
        judged = judge_table(rows, defaults=defaults)
        assert (judged.state, judged.run, judged.printed, judged.aside) == (state, 1, 1, 0)
        assert [each.ours for each in judged.rows] == [ours]


@pytest.mark.parametrize("defaults", [None, {}, {"": ["other"]}, {"": ["paper"], "net": ["other"]}])
def test_a_figure_that_only_another_variant_has_was_not_run(defaults):
    judged = judge_table(VARIANTS, defaults=defaults)
    assert (judged.state, judged.run, judged.aside) == ("not run at this scale", 0, 1)
    assert judge_table(VARIANTS, defaults=defaults, local=True).aside == 0


def test_a_figure_without_a_variant_stands_for_its_system():
    judged = judge_table([row(0.9, 0.89, 0.91), VARIANTS[1]], defaults={"": ["paper"]})
    assert (judged.state, [each.variant for each in judged.rows]) == ("agrees", [None])


def test_beside_print_ties_are_wrong_as_in_print():
    wrong = row(0.9, 0.89, 0.91, variant="ties wrong")
    for rows in ([row(0.95, 0.94, 0.96), wrong], [wrong, row(0.95, 0.94, 0.96)]):
        assert [each.variant for each in standing(rows, {})] == ["ties wrong"]
    last = row(0.9, 0.89, 0.91, variant="last epoch; ties wrong")
    rows = [row(0.95, 0.94, 0.96, variant="last epoch"), last, row(0.9, variant="best; ties wrong")]
    (found,) = standing(rows, {"": ["last epoch"]})
    assert found == last
    # The order of variants comes before that
    (found,) = standing([rows[0], rows[2]], {"": ["last epoch", "best"]})
    assert found == rows[0]


def test_without_a_row_over_all_seeds_the_first_is_judged():
    seeds = [row(0.9 - 0.1 * seed, variant="paper", seed=seed) for seed in (1, 2)]
    assert standing(seeds, {"": ["paper"]}) == seeds[:1]
    whole = row(0.75, variant="paper")
    assert standing([*seeds, whole], {"": ["paper"]}) == [whole]


def test_nulls_answer_for_their_own_condition_and_variant():
    rows = [
        row(0.89, 0.885, 0.9, variant="paper"),
        null(0.9, 0.89, 0.91, variant="released"),
        null(0.9, 0.89, 0.91, variant="paper", condition="d"),
    ]
    paper = {"": ["paper"]}
    assert judge_table(rows, ["chance"], defaults=paper).state == "agrees"
    same = null(0.9, 0.89, 0.91, variant="paper")
    assert judge_table([*rows, same], ["chance"], defaults=paper).state == "uninformative"


def test_nulls_are_judged_by_the_rule_of_the_figure():
    halves, strict = null(0.9, 0.89, 0.91), null(0.6, 0.59, 0.61, variant="ties wrong")
    own = null(0.7, 0.69, 0.71, variant="theirs")
    nulls = [halves, strict, own]
    for variant, expected in (
        (None, halves), ("x", halves), ("ties wrong", strict), ("x; ties wrong", strict),
        ("theirs", own),
    ):  # fmt: skip
        assert nulls_of(row(0.89, variant=variant), nulls) == [expected]
    # A null without ties is the same by both rules
    other = row(0.5, printed=None, system="majority")
    assert nulls_of(row(0.89, variant="ties wrong"), [*nulls, other]) == [strict, other]
    mine = row(0.89, 0.885, 0.9, variant="x; ties wrong")
    x = {"": ["x"]}
    assert judge_table([mine, halves, strict], ["chance"], defaults=x).state == "agrees"
    assert judge_table([mine, halves], ["chance"], defaults=x).state == "uninformative"


def test_a_table_that_differs_names_the_figure_furthest_from_print():
    rows = [row(0.5, condition="a"), row(0.3, condition="b"), row(0.9, condition="c")]
    judged = judge_table(rows)
    assert (judged.state, judged.worst.condition) == ("differs", "b")


def test_local_data_reproduce_nothing():
    judged = judge_table([row(0.9, 0.89, 0.91)], local=True)
    assert (judged.state, judged.run, judged.printed) == ("not run at this scale", 0, 1)


@pytest.mark.parametrize(
    ("counts", "state"),
    [
        ((9, 0, 0, 1, 0, 0, 10), "agrees"),
        ((9, 0, 0, 1, 0, 0, 11), "run in part"),  # 10 of 21
        ((9, 0, 0, 1, 0, 0, 50), "run in part"),
        ((0, 0, 0, 9, 0, 0, 10), "run in part"),  # nor does it differ
        ((8, 0, 0, 2, 0, 0, 0), "differs"),
        ((8, 1, 0, 1, 0, 0, 0), "consistent"),
        ((5, 2, 2, 1, 0, 0, 0), "agrees in kind"),
        ((5, 0, 0, 0, 5, 0, 0), "agrees"),
        ((5, 0, 0, 0, 6, 0, 0), "uninformative"),
        ((0, 0, 0, 0, 1, 0, 0), "uninformative"),
        ((0, 0, 0, 0, 1, 0, 1), "uninformative"),
        ((0, 0, 0, 0, 1, 0, 2), "run in part"),
        ((0, 0, 0, 0, 0, 0, 7), "not run at this scale"),
        ((0, 0, 0, 0, 0, 0, 0), "not run at this scale"),
    ],
)
def test_a_table_has_the_word_that_nine_in_ten_reach(counts, state):
    assert summarise(Counter(dict(zip(State, counts, strict=False)))) == state


def test_a_table_says_which_share_of_it_ran():
    cells = [row(printed="90.0", condition=str(number)) for number in range(1891)]
    judged = judge_table([row(0.9, 0.89, 0.91), *cells])
    assert (judged.state, judged.run, judged.printed) == ("run in part", 1, 1892)
    assert judged.share == pytest.approx(1 / 1892)
    assert judge_table([null(0.5)]).share == 0.0
    assert judge_table([row(0.9, 0.89, 0.91)]).share == 1.0


def distance(ours, low=None, high=None, printed="2.00") -> Row:
    return row(ours, low, high, printed=printed, unit="number", metric="levenshtein")


GAP = {"metric": "accuracy_gap"}


@pytest.mark.parametrize(
    ("figure", "nulls"),
    [
        # Nothing found, or everything right
        (row(0.0, 0.0, 0.01, printed="0.0"), []),
        (row(0.0, 0.0, 0.05, printed="3.0"), []),
        (row(0.0, printed="0", unit="count"), []),
        (row(0.0, printed="0.0000", unit="fraction", metric="f1_std"), []),
        (row(1.0, 0.99, 1.0, printed="100.0"), CHANCE),
        (row(1.0, 0.99, 1.0, printed="99.9"), CHANCE),
        # A null without an interval has the printed digits, and ours begins just beside it
        (row(0.5006, 0.50035, 0.52, printed="50.0"), [null(0.5)]),
        # An interval that could hold almost any figure, of what is no share
        (distance(5.0, 0.1, 10.0), []),
        (row(0.1, -0.4, 0.5, printed="2.0", **GAP), []),
        (row(-0.3, -0.9, 0.6, printed="-0.35", unit="number", metric="spearman"), []),
    ],
)
def test_no_word_is_earned_by_nothing_by_everything_or_by_a_wide_interval(figure, nulls):
    assert judge_row(figure, nulls) == "uninformative"


@pytest.mark.parametrize(
    ("figure", "nulls"),
    [
        (distance(2.3, 1.6, 3.0), []),
        (distance(2.3, 1.6, 2.9), [null(3.5, unit="number", metric="levenshtein")]),
        (row(0.022, 0.012, 0.028, printed="2.0", **GAP), []),
    ],
)
def test_an_interval_narrower_than_the_way_has_its_word(figure, nulls):
    assert judge_row(figure, nulls) == "consistent"


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_is_no_number_neither_agrees_nor_helps(number):
    assert judge_row(row(number, printed="98.0"), CHANCE) == "differs"
    # The majority, 95.5, has gone most of the way; a null without a figure changes nothing
    figure, majority = row(0.966, 0.962, 0.979, printed="98.0"), null(0.955)
    for nulls in ([majority], [majority, null(number)], [null(number), majority]):
        assert judge_row(figure, nulls) == "differs"
