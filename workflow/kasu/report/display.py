"""How the page shows a table of ours beside published: digits, parts, findings in words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from statistics import median

from kasu.base.comparison import Row, headline


def decimals(rows: Sequence[Row]) -> dict[str, int]:
    """By metric, how many decimals the paper mostly shows in this table (1 for metrics of ours)."""
    shown: dict[str, Counter[int]] = {}
    for row in rows:
        if row.published is not None:
            shown.setdefault(row.metric, Counter())[_decimals_of(row.printed)] += 1
    usual = {metric: counts.most_common(1)[0][0] for metric, counts in shown.items()}
    return {row.metric: usual.get(row.metric, 1) for row in rows}


def _decimals_of(printed: str | None) -> int:
    return len((printed or "").partition(".")[2])


def display(value: float | None, digits: int, percent: bool, signed: bool = False) -> str:
    """The value as the paper would print it: times 100 for a percentage, rounded half up (G-2)."""
    if value is None or value != value:
        return ""
    exact = Decimal(repr(value)) * (100 if percent else 1)
    rounded = exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{rounded + 0:{'+' if signed and rounded else ''},f}"
    return text.replace("-", "−")


@dataclass(frozen=True)
class Cells:
    """What one row shows."""

    row: Row
    published: str
    ours: str
    interval: str
    difference: str


Groups = dict[str, list[Cells]]
"""Rows by condition."""


def cells(rows: Sequence[Row]) -> list[Cells]:
    """Every row with its figures as text; ours with at least the digits of its own figure."""
    usual = decimals(rows)
    shown = []
    for row in rows:
        digits = max(usual[row.metric], _decimals_of(row.printed))
        interval = ""
        if row.interval:
            interval = "–".join(display(end, digits, row.percent) for end in (row.low, row.high))
        shown.append(
            Cells(
                row=row,
                published=row.printed or "",
                ours=display(row.ours, digits, row.percent),
                interval=interval,
                difference=display(row.difference, digits, row.percent, signed=True),
            )
        )
    return shown


# The parts of a table on the page, and what stands above those that are folded away
PARTS = {
    "main": "",
    "further": "Further metrics, which the paper does not print",
    "seeds": "The same by seed of training",
    "others": "Published figures of systems that this run does not have",
    "elsewhere": "Published figures under conditions that this run does not have",
}


def arrange(rows: Sequence[Row]) -> dict[str, Groups]:
    """Share the rows out to the PARTS of the page, each by condition, in their order.

    `main` has the conditions and systems with a figure of ours, in the metrics that the paper
    prints, without the rows of single seeds where there is one over all.
    """
    over_all = headline(rows)
    of_all_seeds = {id(row) for row in over_all}
    reached = {row.condition for row in over_all}
    ran = {row.system for row in over_all}
    printed = {row.metric for row in rows if row.printed}
    parts: dict[str, Groups] = {part: {} for part in PARTS}
    for shown in cells(rows):
        row = shown.row
        if row.condition not in reached:
            part = "elsewhere"
        elif row.ours is None and row.system not in ran:
            part = "others"
        elif row.ours is not None and id(row) not in of_all_seeds:
            part = "seeds"
        else:
            part = "main" if row.metric in printed else "further"
        parts[part].setdefault(row.condition, []).append(shown)
    return parts


def findings(rows: Sequence[Row], nulls: Sequence[str] = ()) -> list[str]:
    """One line on each question a reader has first: how much ran, how near, above the nulls?"""
    figures = {(row.system, row.condition, row.metric) for row in rows if row.printed}
    mine = headline(rows)
    beside = [row for row in mine if row.difference is not None]
    ran = {(row.system, row.condition, row.metric) for row in beside}
    lines = [f"{len(ran)} of {len(figures)} published figures have one of ours beside them."]
    if beside:
        lines.append(_nearness(beside))
    return lines + _above_nulls(mine, nulls)


def _nearness(beside: Sequence[Row]) -> str:
    held = [row.within for row in beside if row.within is not None]
    differences = sorted(row.difference for row in beside if row.percent)
    parts = []
    if held:
        parts.append(f"the published figure lies within our interval in {sum(held)} of {len(held)}")
    if differences:
        middle, low, high = (
            display(value, 1, True, signed=True)
            for value in (median(differences), differences[0], differences[-1])
        )
        spread = f" ({low} to {high})" if low != high else ""
        parts.append(f"the median difference is {middle} points{spread}")
    line = "; ".join(parts) or f"{len(beside)} comparisons, none with an interval"
    return f"{line[0].upper()}{line[1:]}."


def _above_nulls(mine: Sequence[Row], nulls: Sequence[str]) -> list[str]:
    """How often the other systems lie above each null, in the table's first metric."""
    if not mine:
        return []
    metric = mine[0].metric
    values: dict[str, dict[tuple, float]] = {null: {} for null in nulls}
    for row in mine:
        if row.metric == metric and row.system in values:
            values[row.system][row.condition, row.variant] = row.ours
    lines = []
    for null, found in values.items():
        above = [
            row.low > found[row.condition, row.variant]
            for row in mine
            if row.system not in nulls
            and row.metric == metric
            and row.low is not None
            and (row.condition, row.variant) in found
        ]
        if above:
            lines.append(
                f"In {metric}, ours lies above {null} beyond the interval in "
                f"{sum(above)} of {len(above)}."
            )
    return lines
