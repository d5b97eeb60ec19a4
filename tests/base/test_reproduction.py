"""Six words for how far a figure is reproduced: what makes each come out, and what does not."""

from collections import Counter

import pytest

from kasu.base.comparison import TABLE, Row
from kasu.base.reproduction import State, judge, judge_row, judge_table, nulls_of, summarise


def row(ours=None, low=None, high=None, printed="90.0", **changes) -> Row:
    percent = changes.get("unit", "percent") == "percent"
    published = float(f"{printed}{'e-2' if percent else ''}") if printed else None
    cells = dict.fromkeys(TABLE) | {"paper": "p", "table": "t", "system": "net", "condition": "c"}
    cells |= {"metric": "accuracy", "unit": "percent", "ours": ours, "low": low, "high": high}
    cells |= {"published": published, "printed": printed}
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
        (0.8, 0.78, 0.82, CHANCE, "agrees in kind"),
        (0.8, 0.78, 0.82, [], "differs"),  # no null to be nearer than
        (0.65, 0.63, 0.67, CHANCE, "differs"),  # nearer to chance
        (0.8, 0.78, 0.82, [*CHANCE, null(0.79, 0.77, 0.81)], "differs"),  # as far as this null
        (0.9, None, None, [], "agrees"),
        (0.9004, None, None, [], "agrees"),  # prints as 90.0
        (0.901, None, None, [], "differs"),  # exact, so 90.1 is another figure
        (None, None, None, CHANCE, "not run at this scale"),
        # A null does as well
        (0.89, 0.88, 0.91, [null(0.9, 0.89, 0.91)], "uninformative"),
        (0.88, 0.87, 0.92, [null(0.88, 0.85, 0.895)], "uninformative"),
        # Ours cannot be told from a null
        (0.8, 0.6, 0.95, [null(0.7, 0.65, 0.75)], "uninformative"),
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
    ],
)
def test_next_to_zero_nothing_is_shown(ours, nulls, state):
    assert judge_row(row(ours, ours - 0.01, ours + 0.01, printed="3.0"), nulls) == state


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


def test_of_several_variants_the_nearest_is_judged():
    rows = [
        row(0.7, 0.69, 0.71, variant="paper"),
        row(0.9, 0.89, 0.91, variant="released"),
        row(printed="80.0", condition="d"),
    ]
    judged = judge_table(rows)
    assert (judged.state, judged.run, judged.printed) == ("agrees", 1, 2)
    assert judged.states == Counter({State.AGREES: 1, State.NOT_RUN: 1})


def test_nulls_answer_for_their_own_condition_and_variant():
    rows = [
        row(0.89, 0.885, 0.895, variant="paper"),
        null(0.9, 0.89, 0.91, variant="released"),
        null(0.9, 0.89, 0.91, variant="paper", condition="d"),
    ]
    assert judge_table(rows, ["chance"]).state == "agrees"
    same = null(0.9, 0.89, 0.91, variant="paper")
    assert judge_table([*rows, same], ["chance"]).state == "uninformative"


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
    mine = row(0.89, 0.885, 0.895, variant="x; ties wrong")
    assert judge_table([mine, halves, strict], ["chance"]).state == "agrees"
    assert judge_table([mine, halves], ["chance"]).state == "uninformative"


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
        ((9, 0, 0, 1, 0, 50), "agrees"),
        ((8, 0, 0, 2, 0, 0), "differs"),
        ((8, 1, 0, 1, 0, 0), "consistent"),
        ((5, 2, 2, 1, 0, 0), "agrees in kind"),
        ((5, 0, 0, 0, 5, 0), "agrees"),
        ((5, 0, 0, 0, 6, 0), "uninformative"),
        ((0, 0, 0, 0, 1, 0), "uninformative"),
        ((0, 0, 0, 0, 0, 7), "not run at this scale"),
        ((0, 0, 0, 0, 0, 0), "not run at this scale"),
    ],
)
def test_a_table_has_the_word_that_nine_in_ten_reach(counts, state):
    assert summarise(Counter(dict(zip(State, counts, strict=True)))) == state
