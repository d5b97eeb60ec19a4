"""How the page shows a table of ours next to published: digits, parts, findings in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median

from kasu.results.comparison import Row, headline
from kasu.results.published import rounded
from kasu.results.reproduction import RUN, Judged, State, judge_row, nulls_of


def decimals(rows: Sequence[Row]) -> dict[str, int]:
    """Return the decimals that the page shows of each metric that the paper does not print.

    3 where all figures are below 1, as areas under a curve are, else 1; whole numbers and
    percentages have 1.
    """
    figures: dict[str, list[float]] = {}
    for row in rows:
        if row.digits is None:
            ours = (row.ours or 0.0) * (100 if row.percent else 1)
            figures.setdefault(row.metric, []).append(ours)
    small = {
        metric
        for metric, given in figures.items()
        if all(abs(each) <= 1 for each in given) and any(each % 1 for each in given)
    }
    return {metric: 3 if metric in small else 1 for metric in figures}


def display(
    value: float | None,
    digits: int,
    percent: bool,
    signed: bool = False,
    near: float | None = None,
) -> str:
    """Return the value as the paper would print it (G-2; see `rounded`), a percentage times 100."""
    if value is None or value != value:
        return ""
    return _text(rounded(value, digits, percent=percent, near=near), signed)


def _text(figure: Decimal, signed: bool = False) -> str:
    return f"{figure:{'+' if signed and figure else ''},f}".replace("-", "−")


@dataclass(frozen=True)
class Cells:
    """What the page shows of one row."""

    row: Row
    published: str
    ours: str
    interval: str
    over_seeds: str
    difference: str
    state: State | None


Groups = dict[str, list[Cells]]
"""Rows by condition."""

COLUMNS = ("published", "ours", "interval", "over_seeds", "difference", "state")
"""The figures of a row, in the order of the page."""


def columns(groups: Groups) -> list[str]:
    """Return those of COLUMNS that have anything in some row."""
    shown = [cell for members in groups.values() for cell in members]
    return [name for name in COLUMNS if any(getattr(cell, name) for cell in shown)]


def cells(rows: Sequence[Row], nulls: Sequence[str] = (), *, local: bool = False) -> list[Cells]:
    """Return every row with its figures as text, ours with the digits of the printed column.

    Args:
        rows: a table.
        nulls: names of systems.
        local: our figures are not about the paper's data: rows have no state.
    """
    usual = decimals(rows)
    scored = [row for row in rows if row.system in nulls]
    shown = []
    for row in rows:
        digits = usual[row.metric] if row.digits is None else row.digits
        ends = [display(end, digits, row.percent) for end in row.interval or ()]
        mean, *seeds = (display(figure, digits, row.percent) for figure in row.over_seeds)
        judged = row.difference is not None and not local
        ours = display(row.ours, digits, row.percent, near=row.published)
        shown.append(
            Cells(
                row=row,
                published=row.printed or "",
                ours="no items" if row.ours is None and row.n == 0 else ours,
                interval="–".join(ends),
                over_seeds=f"{mean} ({'–'.join(seeds)})" if mean else "",
                difference=_difference(row, digits),
                state=judge_row(row, nulls_of(row, scored)) if judged else None,
            )
        )
    return shown


def _difference(row: Row, digits: int) -> str:
    """Return ours minus published, of the figures as shown, so that the row adds up."""
    if row.ours is None or row.published is None:
        return ""
    ours, published = (
        rounded(value, digits, percent=row.percent, near=row.published)
        for value in (row.ours, row.published)
    )
    return _text(ours - published, signed=True)


# The parts of a table on the page, and the heading of those that are folded
PARTS = {
    "main": "",
    "further": "Further metrics, which the paper does not print",
    "seeds": "The same by training seed",
    "others": "Published figures of systems that this run lacks",
    "elsewhere": "Published figures under conditions that this run lacks",
    "print": "What the paper prints of its own data",
}


def arrange(
    rows: Sequence[Row], nulls: Sequence[str] = (), *, local: bool = False, yours: bool = False
) -> dict[str, Groups]:
    """Distribute the rows over the PARTS of the page, each by condition, in their order.

    `main` has the conditions and systems with a figure of ours, in the metrics that the paper
    prints, if it prints any; rows of single seeds only where there is no row over all seeds.

    Args:
        rows: a table.
        nulls: names of systems.
        local: our figures are not about the paper's data: rows have no state.
        yours: our figures are of the user's data: all that the paper prints is `print`.
    """
    over_seeds = headline(rows)
    kept = {id(row) for row in over_seeds}
    conditions = {row.condition for row in over_seeds}
    systems = {row.system for row in over_seeds}
    printed = {row.metric for row in rows if row.printed} or {row.metric for row in rows}
    parts: dict[str, Groups] = {part: {} for part in PARTS}
    for shown in cells(rows, nulls, local=local):
        row = shown.row
        if yours and row.ours is None:
            # What no item of ours was left for is not of the paper
            part = "print" if row.printed else "further"
        elif row.condition not in conditions:
            part = "elsewhere"
        elif row.ours is None and row.system not in systems:
            part = "others"
        elif row.ours is not None and id(row) not in kept:
            part = "seeds"
        else:
            part = "main" if row.metric in printed else "further"
        parts[part].setdefault(row.condition, []).append(shown)
    return parts


def describe_row(row: Row) -> str:
    """Describe one of our figures and the printed one in a line."""
    named = [*row.condition.split("|"), row.metric.replace("_", " ")]
    ours = display(row.ours, row.digits or 0, row.percent, near=row.published)
    where = ", ".join([row.system, *filter(None, named)])
    return f"{where}: {row.printed} printed, ours {ours}"


def findings(rows: Sequence[Row], judged: Judged, nulls: Sequence[str] = ()) -> list[str]:
    """Answer a reader's first questions in a line each: how much ran, how near, above the nulls?"""
    mine = headline(rows)
    run, printed = f"{judged.run:,}", f"{judged.printed:,}"
    reached = f"{run} of {printed} published figures have one of ours next to them"
    reached += f": {count_states(judged)}" if judged.run else ""
    if judged.aside:
        more = "more " if judged.run else ""
        have = "has" if judged.aside == 1 else "have"
        reached += f"; {judged.aside:,} {more}{have} one by another variant than the default"
    if not judged.run:
        return [f"{reached}.", *_above_nulls(mine, nulls)]
    lines = [reached]
    lines.append(_nearness(judged.rows))
    if judged.worst:
        lines.append(f"Furthest from print: {describe_row(judged.worst)}")
    return [f"{line}." for line in lines] + _above_nulls(mine, nulls)


def count_states(judged: Judged) -> str:
    """Count the figures of a table by state."""
    counts = [f"{judged.states[state]:,} {state}" for state in RUN if judged.states[state]]
    return ", ".join(counts)


def _nearness(beside: Sequence[Row]) -> str:
    held = [row.within for row in beside if row.within is not None]
    differences = [row.difference for row in beside if row.percent and row.difference is not None]
    parts = []
    if held:
        parts.append(f"our interval contains the published figure in {sum(held)} of {len(held)}")
    if differences:
        middle, low, high = (
            display(value, 1, True, signed=True)
            for value in (median(differences), min(differences), max(differences))
        )
        spread = f" ({low} to {high})" if low != high else ""
        parts.append(f"the median difference is {middle} points{spread}")
    line = "; ".join(parts) or f"{len(beside)} comparisons, none with an interval"
    return f"{line[0].upper()}{line[1:]}"


def _above_nulls(mine: Sequence[Row], nulls: Sequence[str]) -> list[str]:
    """Count how often systems lie above each null, and above all, in the first metric."""
    of_metric = [row for row in mine if row.metric == mine[0].metric]
    printed = {row.system for row in of_metric if row.published is not None}
    of_nulls = [row for row in of_metric if row.system in nulls]
    # The lower end of each of the paper's systems, and the nulls of the same question
    answered = [
        (
            row.low,
            {null.system: null.ours for null in nulls_of(row, of_nulls) if null.ours is not None},
        )
        for row in of_metric
        if row.system in printed and row.low is not None
    ]
    scored = [null for null in dict.fromkeys(nulls) if any(null in given for _, given in answered)]
    together = [scored] if len(scored) > 1 else []
    lines = []
    for names in [[null] for null in scored] + together:
        above = [
            all(low > given[null] for null in names)
            for low, given in answered
            if given.keys() >= set(names)
        ]
        if above:
            what = names[0] if len(names) == 1 else "every null"
            lines.append(
                f"In {mine[0].metric}, ours lies above {what} beyond the interval in "
                f"{sum(above)} of {len(above)}."
            )
    return lines
