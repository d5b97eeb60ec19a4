"""How much of a paper is reproduced: a word for each figure and table, by one rule for each.

Our interval is the one at 95 %; half a unit of the last printed digit is always allowed for
rounding. *Way* is the way to the printed figure from the null nearest to it. Where no null is
scored, 0 is the null: a program that finds nothing has it. A printed figure gets the first word
that fits:

- not run at this scale: there is no figure of ours, or none about the paper's data.
- agrees: our figure shows the printed digits; or, for a share, our whole interval lies within
  MARGIN of the printed figure, and within NEAR of the way.
- consistent: our interval contains the printed figure.
- agrees in kind: our figure lies between a null and the printed one, within NEAR of the way, and
  our interval contains no null. Where no null is scored, there is no such word.
- differs: none of these.

These words become *uninformative* if the figure would have come out so anyway:

- equal digits: a null shows them too.
- other figures that agree, are consistent or agree in kind: the interval of a null, or a null
  without one, contains the printed figure; or our interval contains a null; or it is wider than
  WIDE, or, for a figure that is not a share, wider than the way.
- all of them: the printed share is below FLOOR, where nulls are scored; or our share is 0 or 1: a
  program that finds nothing has that, and a program to which every answer is right.
- a *bare* figure, a whole number among decimals: it has no digits to show or to miss
  (`kasu.results.published`), so only an interval of ours can earn a word. Beside a bare 0 nothing
  can, since a program without any spread or hit gives it.

A null is a system that cannot do what is tested (chance, majority, copying). Where a tie is wrong
in a figure of ours, it is wrong in those of its nulls. Of several variants of ours the study's
default one is judged, whatever the others give; a figure that no default variant has was not run.

A table with figures of the user's own data has the word *your data*: none of them stands beside
print (`kasu.results.comparison.beside`). Any other is *run in part* if fewer than HALF of its
printed figures have one of ours: a verdict on the rest is open. Else it has the best word that MOST
of its informative figures reach; it is uninformative if fewer than half of those run are
informative.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from kasu.results.comparison import TIES_WRONG, Row, headline

MARGIN = 0.02  # of a share: 2 points
NEAR = 0.25  # of the way from a null to print: 2 points are little of 40, and most of 2.5
WIDE = 0.30  # of a share: an interval of 30 points could hold almost any figure
FLOOR = 0.05  # of a share: a broken program comes as near
MOST = 0.9  # a right interval at 95 % misses one figure in twenty
HALF = 0.5  # of the printed figures of a table
_TINY = 1e-9  # float error


class State(StrEnum):
    """How far a printed figure, table or system is reproduced, best first."""

    AGREES = "agrees"
    CONSISTENT = "consistent"
    IN_KIND = "agrees in kind"
    DIFFERS = "differs"
    UNINFORMATIVE = "uninformative"
    IN_PART = "run in part"  # of tables alone
    NOT_RUN = "not run at this scale"
    YOURS = "your data"  # of tables alone


RUN = tuple(state for state in State if state not in (State.IN_PART, State.NOT_RUN, State.YOURS))
"""The words of a figure that ran."""

Defaults = Mapping[str, Sequence[str]]
"""By system, the variants that may stand for it: the first of them that has a figure does. Those
under `""` are for every system that is not named. A figure without a variant always stands."""


def judge(low: float, high: float, *, margin: float, slack: float = 0.0, nearest: bool) -> State:
    """Judge a difference (ours minus published, or minus what is expected) by its interval.

    Args:
        low: lower end of the interval.
        high: upper end.
        margin: how far the whole interval may lie from 0 to agree.
        slack: what rounding may add to the difference.
        nearest: whether the published figure is nearer to ours than the others that ours could have
            met: nulls, or the same figure of other systems.
    """
    slack += _TINY
    if -margin - slack <= low and high <= margin + slack:
        return State.AGREES
    if low - slack <= 0 <= high + slack:
        return State.CONSISTENT
    return State.IN_KIND if nearest else State.DIFFERS


def judge_row(row: Row, nulls: Sequence[Row] = ()) -> State:
    """Judge our figure in a row of a table against the printed one.

    Args:
        row: has both figures, else it is not run.
        nulls: rows of nulls for the same condition, metric and variant.
    """
    if row.ours is None or row.published is None:
        return State.NOT_RUN
    ours, published = row.ours, row.published
    if row.bare and not (row.interval and published):
        return State.UNINFORMATIVE if row.may_show(ours) else State.DIFFERS
    scored = [null for null in nulls if null.ours is not None and isfinite(null.ours)]
    values = [null.ours for null in scored if null.ours is not None]
    least = values or [0.0]  # without a null, the figure of a program that finds nothing
    way = min(abs(published - value) for value in least)
    near = NEAR * way
    exact = row.shows(ours)
    low, high = row.interval or (ours, ours)
    no_null_within = not any(low <= value <= high for value in least)
    if exact:
        state = State.AGREES
    else:
        between = any(min(value, published) < ours < max(value, published) for value in values)
        close = abs(ours - published) <= near + _TINY
        state = judge(
            low - published,
            high - published,
            # Without an interval only the printed digits count
            margin=min(MARGIN, near) if row.share and row.interval else 0.0,
            slack=row.half,
            nearest=between and close and no_null_within,
        )
    if state is State.DIFFERS:
        return State.UNINFORMATIVE if row.bare and row.may_show(ours) else state
    if exact:
        # Equal digits are no accident of a wide interval, unless a null shows them too
        empty = any(row.shows(value) for value in least)
    else:
        reached = any(
            _holds(null.interval or (value, value), published, row.half)
            for null, value in zip(scored, values, strict=True)
        )
        wide = high - low > (WIDE if row.share else way)
        empty = reached or not no_null_within or wide
    # Where nulls are scored, the figure measures how well a system does
    floored = row.share and (ours in (0, 1) or (bool(values) and published < FLOOR))
    return State.UNINFORMATIVE if empty or floored else state


def _holds(interval: tuple[float, float], value: float, slack: float) -> bool:
    return interval[0] - slack <= value <= interval[1] + slack


@dataclass(frozen=True)
class Judged:
    """A table and how far it is reproduced.

    Attributes:
        state: the state of the whole table.
        printed: how many figures it prints.
        states: how many of them are in each state.
        rows: our rows that are judged.
        aside: how many figures are not judged because ours are by other variants than the default.
        worst: of our figures that differ, the one furthest from print.
    """

    state: State
    printed: int
    states: Counter[State]
    rows: Sequence[Row]
    aside: int
    worst: Row | None

    @property
    def run(self) -> int:
        """The number of printed figures that have one of ours next to them."""
        return self.printed - self.states[State.NOT_RUN]

    @property
    def share(self) -> float:
        """The share of printed figures that have one of ours next to them."""
        return self.run / self.printed if self.printed else 0.0


def judge_table(
    rows: Sequence[Row],
    nulls: Sequence[str] = (),
    *,
    defaults: Defaults | None = None,
    local: bool = False,
) -> Judged:
    """Judge a table of ours beside published.

    Args:
        rows: the table.
        nulls: names of systems.
        defaults: which variants are judged.
        local: whether our figures are not about the paper's data.
    """
    figures = {_key(row) for row in rows if row.published is not None}
    ours = {} if local else {_key(row): row for row in standing(rows, defaults or {})}
    scored = [row for row in rows if row.system in nulls]
    judged = {key: judge_row(row, nulls_of(row, scored)) for key, row in ours.items()}
    states = Counter(judged.get(key, State.NOT_RUN) for key in figures)
    beside = {_key(row) for row in rows if row.ours is not None} & figures
    differing = [ours[key] for key, state in judged.items() if state is State.DIFFERS]
    return Judged(
        state=summarise(states),
        printed=len(figures),
        states=states,
        rows=[*ours.values()],
        aside=0 if local else len(beside - ours.keys()),
        worst=max(differing, key=_gap, default=None),
    )


def standing(rows: Iterable[Row], defaults: Defaults) -> list[Row]:
    """Return for each printed figure the one of ours that stands for its system.

    Of the figures of one variant, one by the paper's rule (a tie is wrong) comes first, then one
    over all seeds, then one of the first seed.
    """
    found: dict[tuple[str, str, str], tuple[tuple[int, bool], Row]] = {}
    for row in headline(rows):
        order = ["", *defaults.get(row.system, defaults.get("", ()))]
        variant = (row.variant or "").removesuffix(TIES_WRONG).removesuffix("; ")
        if row.published is None or variant not in order:
            continue
        rank = order.index(variant), not (row.variant or "").endswith(TIES_WRONG)
        known = found.get(_key(row))
        if known is None or rank < known[0]:
            found[_key(row)] = rank, row
    return [row for _, row in found.values()]


def nulls_of(row: Row, nulls: Iterable[Row]) -> list[Row]:
    """Return the rows of nulls that answer the same question as a row, judged by the same rule.

    For each null this is the row of the same variant, or of TIES_WRONG if the row's variant ends
    so, or else the row without a variant: a null without ties has no other.
    """
    strict = (row.variant or "").endswith(TIES_WRONG)
    variants = [row.variant, *([TIES_WRONG] if strict else []), None]
    found: dict[str, dict[int, list[Row]]] = {}
    for null in nulls:
        same = (null.condition, null.metric) == (row.condition, row.metric)
        if null.system != row.system and same and null.variant in variants:
            by_variant = found.setdefault(null.system, {})
            by_variant.setdefault(variants.index(null.variant), []).append(null)
    return [null for by_variant in found.values() for null in by_variant[min(by_variant)]]


def summarise(states: Counter[State]) -> State:
    """Return the state of a table, from how many of its figures are in each state."""
    run = states.total() - states[State.NOT_RUN]
    if not run:
        return State.NOT_RUN
    if run < HALF * states.total():
        return State.IN_PART
    total = run - states[State.UNINFORMATIVE]
    if total < states[State.UNINFORMATIVE]:
        return State.UNINFORMATIVE
    reached = 0
    for state in (State.AGREES, State.CONSISTENT, State.IN_KIND):
        reached += states[state]
        if reached >= MOST * total:
            return state
    return State.DIFFERS


def _key(row: Row) -> tuple[str, str, str]:
    return row.system, row.condition, row.metric


def _gap(row: Row) -> float:
    return abs(row.difference or 0.0)
