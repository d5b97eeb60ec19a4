"""Tables of our figures next to the published ones, and their rows as read."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv
from kasu.results.published import (
    FRACTION,
    NUMBER,
    PERCENT,
    Published,
    column_digits,
    digits_in,
    half_unit,
    is_bare,
    shows,
)

SEEDS = ("seeds_mean", "seeds_low", "seeds_high")
"""The mean of the seeds' figures and its interval, in a row over two seeds or more."""

TIES_WRONG = "ties wrong"
"""The end of a variant's name in figures by a paper's rule, under which a tie is wrong. They stand
beside figures by the rule of `kasu.results.statistics.worth`."""

TABLE = (
    "paper", "table", "system", "condition", "metric", "unit", "variant", "seed", "ours", "low",
    "high", *SEEDS, "n", "runs", "published", "printed", "difference", "note",
)  # fmt: skip
"""The columns of `<study>/tables/<table>.tsv`. `difference` is ours minus published. `low` and
`high` are the interval over the test items, SEEDS those over training seeds."""

# A metric is a share of items if its name has one of the first words and none of the second: a gap
# between two shares and a deviation over runs are printed in percent, too
_SHARE_WORDS = {"accuracy", "recall", "precision", "f1", "share"}
_NO_SHARE_WORDS = {"gap", "std"}


def beside(
    scores: Iterable[Mapping],
    published: Iterable[Published],
    paper: str,
    table: str,
    *,
    apart: bool = False,
) -> list[dict[str, object]]:
    """Set our scores next to the figures of one printed table, or of a table of our own.

    The paper's figures come in the paper's order. Each comes with every score of ours that shares
    its key (by variant, then seed, the row over all seeds first), or with empty `ours`. Scores
    without a figure (nulls, further metrics) follow the last row of the same condition and metric,
    else of the same condition, else come last.

    Args:
        scores: rows of SCORES; rows of other tables are ignored.
        apart: whether ours are of the user's data. Then they come first, none beside a figure of
            the paper, and the paper's figures follow.

    Raises:
        KasuError: neither the paper nor the scores have such a table.
    """
    theirs = [figure for figure in published if figure.paper == paper]
    figures = [figure for figure in theirs if figure.table == table]
    ours: dict[tuple, list[Mapping]] = {}
    for row in scores:
        if (row["paper"], row["table"]) == (paper, table):
            ours.setdefault((row["system"], row["condition"], row["metric"]), []).append(row)
    if not figures and not ours:
        raise KasuError("published figures", f"no {table!r} of {paper!r}", "a table it prints")
    rows: list[dict[str, object]] = []
    for figure in [] if apart else figures:
        matching = _arrange(ours.pop(figure.key[2:], []), figure.unit)
        rows += [_beside(score, figure) for score in matching] or [_beside({}, figure)]
    units = _Units(theirs)
    for (_, _, metric), matching in ours.items():
        extra = [_alone(score, units) for score in _arrange(matching, units[metric])]
        at = _after(rows, extra[0])
        rows[at:at] = extra
    return rows + ([_beside({}, figure) for figure in figures] if apart else [])


class _Units:
    """The unit in which a paper prints a metric, or would print it."""

    def __init__(self, figures: Iterable[Published]) -> None:
        self._printed = {figure.metric: figure.unit for figure in figures}
        shares = Counter(unit for metric, unit in self._printed.items() if _is_share(metric))
        self._shares = max((PERCENT, FRACTION), key=lambda unit: shares[unit])
        if not shares:
            self._shares = FRACTION

    def __getitem__(self, metric: str) -> str:
        return self._printed.get(metric) or (self._shares if _is_share(metric) else NUMBER)


def _is_share(metric: str) -> bool:
    return not _SHARE_WORDS.isdisjoint(metric.split("_"))


def is_share(metric: str, unit: str) -> bool:
    """Return whether a figure is a share or a probability, between 0 and 1."""
    return unit in (PERCENT, FRACTION) and _NO_SHARE_WORDS.isdisjoint(metric.split("_"))


def _arrange(scores: Sequence[Mapping], unit: str) -> list[Mapping]:
    """Sort the scores of one figure by variant and seed; add SEEDS to scores over several seeds."""
    variants: dict[str, list[Mapping]] = {}
    for score in sorted(scores, key=lambda score: (score["variant"] or "", score["seed"] or 0)):
        variants.setdefault(score["variant"] or "", []).append(score)
    arranged: list[Mapping] = []
    for of_variant in variants.values():
        single = [score for score in of_variant if score["seed"] is not None]
        over_all = [score for score in of_variant if score["seed"] is None]
        arranged += [{**score, **_over_seeds(score, single, unit)} for score in over_all] + single
    return arranged


def _over_seeds(score: Mapping, single: Sequence[Mapping], unit: str) -> dict[str, float]:
    """Return the columns SEEDS of a score, from its seeds; nothing unless it has them all.

    A mean over languages may have seeds that some of its languages lack: they cannot be compared.
    """
    values = [row["value"] for row in single]
    if len(values) < 2 or len(values) != score["runs"] or None in values:
        return {}
    # SciPy takes half a second to import, which every table without seeds would pay
    from kasu.results.statistics import mean_interval

    ends = mean_interval(values, share=is_share(score["metric"], unit))
    return dict(zip(SEEDS, (sum(values) / len(values), *ends), strict=True))


def _after(rows: list[dict[str, object]], row: Mapping[str, object]) -> int:
    """Return the place of a row without a figure."""
    for keys in (("condition", "metric"), ("condition",)):
        for at in range(len(rows), 0, -1):
            if all(rows[at - 1][key] == row[key] for key in keys):
                return at
    return len(rows)


def _beside(score: Mapping, figure: Published) -> dict[str, object]:
    ours, theirs = score.get("value"), figure.value
    return {
        **{key: getattr(figure, key) for key in TABLE[:6]},
        **_ours(score),
        "published": theirs,
        "printed": figure.printed,
        "difference": None if ours is None or theirs is None else ours - theirs,
        "note": "; ".join(filter(None, (score.get("note"), figure.note))) or None,
    }


def _alone(score: Mapping, units: _Units) -> dict[str, object]:
    return {
        **{key: score[key] for key in TABLE[:5]},
        "unit": units[score["metric"]],
        **_ours(score),
        **dict.fromkeys(("published", "printed", "difference")),
        "note": score.get("note") or None,
    }


def _ours(score: Mapping) -> dict[str, object]:
    facts = {key: score.get(key) for key in ("variant", "seed", "low", "high", *SEEDS, "n", "runs")}
    return facts | {"ours": score.get("value")}


@dataclass(frozen=True)
class Row:
    """A row of `<study>/tables/<table>.tsv`; empty cells are None, numbers are numbers.

    `digits` are the decimals of its column (`kasu.results.published`); None if the table prints no
    figure of its metric.
    """

    paper: str
    table: str
    system: str
    condition: str
    metric: str
    unit: str
    variant: str | None
    seed: float | None
    ours: float | None
    low: float | None
    high: float | None
    seeds_mean: float | None
    seeds_low: float | None
    seeds_high: float | None
    n: float | None
    runs: float | None
    published: float | None
    printed: str | None
    difference: float | None
    note: str | None
    digits: int | None

    @property
    def percent(self) -> bool:
        """Whether the paper prints this metric in percent, or would print it so."""
        return self.unit == PERCENT

    @property
    def share(self) -> bool:
        """Whether the figure is a share or a probability."""
        return is_share(self.metric, self.unit)

    @property
    def bare(self) -> bool:
        """Whether the published figure is a whole number among decimals, without digits to show."""
        return is_bare(self.printed or "", self.digits or 0)

    @property
    def half(self) -> float:
        """Half a unit of the last printed digit, in the unit of `published`."""
        return half_unit(self.digits or 0, percent=self.percent)

    def shows(self, value: float) -> bool:
        """Return whether a value has the digits of the published figure; never if that is bare."""
        return not self.bare and self._rounds(value, self.digits or 0)

    def may_show(self, value: float) -> bool:
        """Return whether a value may be the published figure; if that is bare, to the nearest 1."""
        return self._rounds(value, 0 if self.bare else self.digits or 0)

    def _rounds(self, value: float, digits: int) -> bool:
        published = self.published
        return published is not None and shows(value, published, digits, percent=self.percent)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of our figure, if it has one."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def over_seeds(self) -> tuple[float | None, ...]:
        """The mean of the seeds' figures and both ends of its interval; None without seeds."""
        return self.seeds_mean, self.seeds_low, self.seeds_high

    @property
    def within(self) -> bool | None:
        """Whether our interval contains the published figure; None if either is missing."""
        if self.published is None or self.interval is None:
            return None
        low, high = self.interval
        return low <= self.published <= high


def read_comparison(path: str | Path) -> list[Row]:
    """Read a table written from `beside`, in its order.

    Raises:
        KasuError: a column is missing, there is no row, or a cell is not a number.
    """
    rows = [
        _parse(cells, f"{path}:{line}") for line, cells in enumerate(read_tsv(path, TABLE), start=2)
    ]
    if not rows:
        raise KasuError(path, "no row", "ours beside published")
    columns = column_digits((row.metric, row.printed) for row in rows if row.printed)
    return [_with_digits(row, columns.get(row.metric)) for row in rows]


def _with_digits(row: Row, column: int | None) -> Row:
    return row if column is None else replace(row, digits=digits_in(column, row.printed or ""))


def _parse(cells: Mapping[str, str], where: str) -> Row:
    def number(name: str) -> float | None:
        try:
            return float(cells[name]) if cells[name] else None
        except ValueError as error:
            raise KasuError(where, f"{name} is {cells[name]!r}", "a number") from error

    return Row(
        paper=cells["paper"],
        table=cells["table"],
        system=cells["system"],
        condition=cells["condition"],
        metric=cells["metric"],
        unit=cells["unit"],
        variant=cells["variant"] or None,
        seed=number("seed"),
        ours=number("ours"),
        low=number("low"),
        high=number("high"),
        seeds_mean=number("seeds_mean"),
        seeds_low=number("seeds_low"),
        seeds_high=number("seeds_high"),
        n=number("n"),
        runs=number("runs"),
        published=number("published"),
        printed=cells["printed"] or None,
        difference=number("difference"),
        note=cells["note"] or None,
        digits=None,
    )


def headline(rows: Iterable[Row]) -> list[Row]:
    """Return our rows over all seeds; rows of single seeds where no such row exists."""
    ours = [row for row in rows if row.ours is not None]
    over_seeds = {_figure_of(row) for row in ours if row.seed is None}
    return [row for row in ours if row.seed is None or _figure_of(row) not in over_seeds]


def _figure_of(row: Row) -> tuple[str, str, str, str | None]:
    return row.system, row.condition, row.metric, row.variant
