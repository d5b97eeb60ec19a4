"""Rows as the page shows them: digits, marks, and the findings in words."""

import dataclasses

import pytest

from kasu.files.tables import write_tsv
from kasu.report.display import arrange, cells, columns, display, findings
from kasu.results.comparison import TABLE, read_comparison
from kasu.results.reproduction import judge_table

PAPER = {"": ["paper"]}  # the variant that stands for a system


@pytest.mark.parametrize(
    ("value", "digits", "percent", "text"),
    [
        (0.8765, 1, True, "87.7"),  # half up, where binary rounding would give 87.6
        (0.8745, 1, True, "87.5"),
        (1.0, 0, True, "100"),
        (0.9957, 2, False, "1.00"),
        (-0.0651, 1, True, "−6.5"),
        (-0.0004, 1, True, "0.0"),
        (12345.0, 0, False, "12,345"),
        (None, 1, True, ""),
        (float("nan"), 1, True, ""),
    ],
)
def test_display_rounds_half_up_as_the_paper_prints(value, digits, percent, text):
    assert display(value, digits, percent) == text


@pytest.mark.parametrize(
    ("ours", "printed", "shown", "difference"),
    [
        # Means of task 1, printed by a program that rounds the binary number
        (0.155, "0.15", "0.15", "0.00"),
        (1.315, "1.31", "1.31", "0.00"),
        (0.445, "0.45", "0.45", "0.00"),
        # Near no printed neighbour: half up
        (0.155, "0.17", "0.16", "−0.01"),
        (0.15501, "0.15", "0.16", "+0.01"),
    ],
)
def test_of_two_equally_near_digits_the_page_shows_the_printed_ones(
    tmp_path, compared_lines, ours, printed, shown, difference
):
    published = float(printed)
    row = compared_lines[0] | {"metric": "levenshtein", "unit": "number", "ours": ours}
    row |= {"published": published, "printed": printed, "difference": ours - published}
    write_tsv(tmp_path / "table_18.tsv", [row], TABLE)
    (found,) = cells(read_comparison(tmp_path / "table_18.tsv"))
    assert (found.published, found.ours, found.difference) == (printed, shown, difference)


def test_display_signs_a_difference():
    assert [display(x, 1, True, signed=True) for x in (0.012, 0.0, -0.012)] == [
        "+1.2", "0.0", "−1.2",
    ]  # fmt: skip


def test_cells_take_the_digits_of_the_paper(compared):
    first = cells(compared)[0]
    assert (first.published, first.ours, first.interval, first.difference) == (
        "87.1", "86.4", "85.0–88.0", "−0.7",
    )  # fmt: skip


def test_a_figure_printed_with_more_digits_keeps_them(compared):
    assert [shown.published for shown in cells(compared)[3:]] == ["100", "96.04", "98.6"]


def test_a_row_over_seeds_shows_their_mean_and_interval_apart(compared):
    seeds = {"seeds_mean": 0.8634, "seeds_low": 0.8512, "seeds_high": 0.8756}
    shown, other = cells([dataclasses.replace(compared[0], **seeds), compared[1]])
    assert (shown.interval, shown.over_seeds) == ("85.0–88.0", "86.3 (85.1–87.6)")
    assert other.over_seeds == ""


def test_rows_are_shared_out_to_the_parts_of_the_page(compared):
    further = dataclasses.replace(compared[2], metric="strict_recall")
    other = dataclasses.replace(compared[3], system="GRU", condition="Base|dative")
    sizes = {
        part: {condition: len(members) for condition, members in groups.items()}
        for part, groups in arrange([*compared, further, other]).items()
        if groups
    }
    assert sizes == {
        "main": {"Base|dative": 3},
        "further": {"Base|dative": 1},
        "seeds": {"Base|dative": 1},
        "others": {"Base|dative": 1},
        "elsewhere": {"Single verb|dative": 1, "No -ak|dative": 1},
    }


def test_all_that_the_paper_prints_is_apart_where_the_data_are_the_users(compared):
    mine = [dataclasses.replace(row, published=None, printed=None) for row in compared[:3]]
    theirs = [dataclasses.replace(row, ours=None) for row in compared[:1]]
    parts = arrange([*mine, *theirs], yours=True)
    assert [len(parts["main"]["Base|dative"]), len(parts["print"]["Base|dative"])] == [2, 1]
    assert not parts["others"] and not parts["elsewhere"]


def test_a_figure_of_the_users_without_items_is_not_of_the_paper(compared):
    empty = dataclasses.replace(compared[0], ours=None, published=None, printed=None, n=0)
    parts = arrange([*compared[:1], empty], yours=True)
    (shown,) = parts["further"]["Base|dative"]
    assert (shown.ours, parts["print"]) == ("no items", {})


def test_a_table_without_a_printed_figure_has_its_metrics_first(compared):
    mine = [dataclasses.replace(compared[0], published=None, printed=None, metric="mine")]
    parts = arrange(mine)
    assert len(parts["main"]) == 1 and not parts["further"]


def test_a_column_stands_where_some_row_has_it(compared):
    parts = arrange(compared)
    assert columns(parts["elsewhere"]) == ["published"]
    assert columns(parts["main"]) == ["published", "ours", "interval", "difference", "state"]


def test_findings_say_how_much_how_near_and_above_what(compared):
    judged = judge_table(compared, ["majority"], defaults=PAPER)
    assert findings(compared, judged, ["majority"]) == [
        "1 of 4 published figures have one of ours next to them: 1 uninformative.",
        "Our interval contains the published figure in 1 of 1; "
        "the median difference is −0.7 points.",
        "In accuracy, ours lies above majority beyond the interval in 0 of 1.",
    ]


def test_findings_count_what_lies_above_every_null(compared):
    network = dataclasses.replace(compared[0], ours=0.5, low=0.4, high=0.6)
    other = dataclasses.replace(network, condition="Base|other", published=None, printed=None)
    values = {("bag", "Base|dative"): 0.3, ("chance", "Base|dative"): 0.2}
    values |= {("bag", "Base|other"): 0.45, ("chance", "Base|other"): 0.2}
    alone = [
        dataclasses.replace(network, system=system, condition=condition, ours=ours, published=None)
        for (system, condition), ours in {**values, ("oracle", "Base|other"): 1.0}.items()
    ]
    network = dataclasses.replace(network, condition="Base|dative")
    nulls = ["bag", "chance", "not scored"]
    shown = [network, other, *alone]
    assert findings(shown, judge_table(shown, nulls), nulls)[-3:] == [
        "In accuracy, ours lies above bag beyond the interval in 1 of 2.",
        "In accuracy, ours lies above chance beyond the interval in 2 of 2.",
        "In accuracy, ours lies above every null beyond the interval in 1 of 2.",
    ]


def test_a_null_without_a_variant_is_one_of_every_variant(compared):
    networks = [
        dataclasses.replace(compared[0], low=0.4, variant=variant)
        for variant in ("paper", "released")
    ]
    nulls = [
        dataclasses.replace(compared[0], system=system, ours=ours, variant=variant, published=None)
        for system, ours, variant in (("chance", 0.3, None), ("bag", 0.3, "paper"))
    ]
    shown = [*networks, *nulls]
    assert findings(shown, judge_table(shown, ["chance", "bag"]), ["chance", "bag"])[-3:] == [
        "In accuracy, ours lies above chance beyond the interval in 2 of 2.",
        "In accuracy, ours lies above bag beyond the interval in 1 of 1.",
        "In accuracy, ours lies above every null beyond the interval in 1 of 1.",
    ]


def test_findings_name_the_figure_furthest_from_print(compared):
    compared = [dataclasses.replace(compared[0], published=0.6, printed="60.0", difference=0.26449)]
    assert findings(compared, judge_table(compared, defaults=PAPER))[-1] == (
        "Furthest from print: BiLSTM, Base, dative, accuracy: 60.0 printed, ours 86.4."
    )


def test_findings_count_what_only_another_variant_has(compared):
    judged = judge_table(compared, defaults={"": ["released"]})
    assert findings(compared, judged) == [
        "0 of 4 published figures have one of ours next to them; "
        "1 has one by another variant than the default."
    ]
    both = [*compared, dataclasses.replace(compared[3], ours=0.99)]
    judged = judge_table(both, defaults={"": ["released"]})
    assert findings(both, judged)[0] == (
        "1 of 4 published figures have one of ours next to them: 1 differs; "
        "1 more has one by another variant than the default."
    )


def test_findings_are_on_what_is_judged(compared):
    far = dataclasses.replace(compared[0], variant="released", low=0.5, high=0.6, difference=-0.3)
    rows = [compared[0], far]
    assert findings(rows, judge_table(rows, defaults=PAPER))[1] == (
        "Our interval contains the published figure in 1 of 1; "
        "the median difference is −0.7 points."
    )


def test_findings_without_ours(compared):
    assert findings(compared[3:], judge_table(compared[3:])) == [
        "0 of 3 published figures have one of ours next to them."
    ]


def test_rows_of_the_paper_have_a_state_unless_the_data_are_local(compared):
    assert [shown.state for shown in cells(compared)] == ["consistent"] * 2 + [None] * 4
    assert [shown.state for shown in cells(compared, local=True)] == [None] * 6


def test_a_row_that_the_paper_lacks_takes_the_decimals_of_the_column(tmp_path, compared_lines):
    def shown(lines):
        write_tsv(tmp_path / "fine.tsv", lines, TABLE)
        return [each.ours for each in cells(read_comparison(tmp_path / "fine.tsv"))]

    fine = [line | {"printed": "96.04", "published": 0.9604} for line in compared_lines[4:]]
    null = compared_lines[2] | {"ours": 0.86254}
    assert shown([*fine, null]) == ["", "", "86.25"]
    # Of equals, the more
    assert shown([fine[0], compared_lines[5], null]) == ["", "", "86.25"]
    assert shown([fine[0], *[compared_lines[5]] * 2, null]) == ["", "", "", "86.3"]


def test_beside_a_bare_0_ours_has_the_decimals_of_the_column(tmp_path, compared_lines):
    std = compared_lines[0] | {"metric": "f1_std", "unit": "fraction", "low": None, "high": None}
    bare = std | {"printed": "0", "published": 0.0, "ours": 0.04932, "difference": 0.04932}
    other = std | {"condition": "c", "printed": "0.0065", "published": 0.0065}
    write_tsv(tmp_path / "t.tsv", [bare, bare | {"condition": "d"}, other], TABLE)
    first, *_ = cells(read_comparison(tmp_path / "t.tsv"))
    assert (first.published, first.ours, first.difference) == ("0", "0.0493", "+0.0493")
    assert first.state == "uninformative"


def test_an_area_under_a_curve_that_the_paper_lacks_has_three_decimals(compared):
    area = dataclasses.replace(
        compared[0], metric="auc", unit="number", ours=0.96968, published=None, printed=None,
        digits=None,
    )  # fmt: skip
    ties = dataclasses.replace(area, metric="ties", ours=1.0)
    assert [shown.ours for shown in cells([area, ties])] == ["0.970", "1.0"]


def test_nulls_are_compared_in_the_first_metric_alone(compared):
    recall = dataclasses.replace(compared[0], metric="recall", low=0.9)
    judged = judge_table(compared, ["majority"], defaults=PAPER)
    assert findings([*compared, recall], judged, ["majority"])[-1] == (
        "In accuracy, ours lies above majority beyond the interval in 0 of 1."
    )


def test_a_figure_above_a_null_beyond_its_interval_is_counted(compared):
    above = dataclasses.replace(compared[0], low=0.8626)
    without = dataclasses.replace(compared[0], system="GRU", low=None, high=None)
    lines = findings([above, without, compared[2]], judge_table([above]), ["majority"])
    assert lines[-1] == "In accuracy, ours lies above majority beyond the interval in 1 of 1."
