"""The figures that the papers print, each under one key, and how exactly they print them.

The digits of a figure are those of its *column*: the figures of one paper, table and metric. A
column has as many decimals as most of its figures that have any (of equals, the more). A figure
with fewer has lost zeros at its end, as programs drop them: in a column of two decimals 0.5 is
0.50. A whole number among decimals is *bare*: nobody can tell how exact `0` or `100` is, so it has
no digits to show. In a column without any decimal, whole numbers are exact to 1.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from math import isfinite
from pathlib import Path
from typing import TypeVar

from kasu.base.errors import KasuError
from kasu.base.paths import own
from kasu.files.tables import read_tsv

PUBLISHED_FOLDER = own("resources/published")
PublishedFiles = str | Path | Sequence[str | Path]
"""A folder of published figures, or files of them."""
PUBLISHED = ("paper", "table", "system", "condition", "metric", "unit", "value", "note")
"""The columns of the files in PUBLISHED_FOLDER: one row per printed figure. `value` is the text as
printed. Systems and languages are spelt as the config spells them."""

PERCENT = "percent"  # of items; read as a fraction of 1
FRACTION = "fraction"  # a share or a probability, printed as a fraction of 1
COUNT = "count"
NUMBER = "number"  # anything else: a distance, a loss, a correlation
UNITS = (PERCENT, FRACTION, COUNT, NUMBER)

Column = TypeVar("Column", bound=Hashable)


@dataclass(frozen=True)
class Published:
    """One printed figure.

    `value` is a fraction of 1 where the paper prints a percentage, the number itself in all other
    units, and None where the paper prints nothing or not a single number. `printed` is the text as
    the paper has it, empty if the paper prints nothing (`note` says why). `digits` are the decimals
    of its column.
    """

    paper: str
    table: str
    system: str
    condition: str
    metric: str
    unit: str
    value: float | None
    printed: str
    note: str
    digits: int

    @property
    def column(self) -> tuple[str, str, str]:
        """The paper, table and metric: figures that share them are printed equally exactly."""
        return self.paper, self.table, self.metric

    @property
    def half(self) -> float:
        """Half a unit of the last digit, in the unit of `value`."""
        return half_unit(self.digits, percent=self.unit == PERCENT)

    def shows(self, value: float) -> bool | None:
        """Return whether a value has the digits of this figure; None if it has none to show."""
        if self.value is None or is_bare(self.printed, self.digits):
            return None
        return shows(value, self.value, self.digits, percent=self.unit == PERCENT)

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """The values that a score must share to stand beside this figure."""
        return self.paper, self.table, self.system, self.condition, self.metric


def parse(printed: str, unit: str) -> float | None:
    """Parse a printed figure, a percentage as a fraction of 1; None if it is no number."""
    # The double nearest to the printed decimal, which a division by 100 may miss
    exponent = "e-2" if unit == PERCENT else ""
    try:
        value = float(printed + exponent)
    except ValueError:
        return None
    return value if isfinite(value) else None


def column_digits(figures: Iterable[tuple[Column, str]]) -> dict[Column, int]:
    """Return the decimals of each column, from its figures as printed."""
    found: dict[Column, Counter[int]] = {}
    for column, printed in figures:
        found.setdefault(column, Counter())[_decimals(printed)] += 1
    # Figures with decimals count before whole numbers, then the most frequent number of decimals
    return {
        column: max(counts, key=lambda digits: (digits > 0, counts[digits], digits))
        for column, counts in found.items()
    }


def digits_in(column: int, printed: str) -> int:
    """Return the decimals of a figure in a column; some figures have more than the column."""
    return max(column, _decimals(printed))


def is_bare(printed: str, digits: int) -> bool:
    """Return whether a figure is a whole number in a column of decimals."""
    return bool(printed) and digits > 0 and not _decimals(printed)


def half_unit(digits: int, *, percent: bool = False) -> float:
    """Return half a unit of the last of so many decimals; of a percentage, as a fraction of 1."""
    return 0.5 * 10.0 ** -(digits + (2 if percent else 0))


def _decimals(printed: str) -> int:
    return len(printed.partition(".")[2])


def rounded(
    value: float, digits: int, *, percent: bool = False, near: float | None = None
) -> Decimal:
    """Round a figure as every table, page and claim shows it beside print.

    The nearest decimal wins. If two are equally near, the one that equals `near` wins, else the
    larger. Either is right, since the programs behind the papers round ties each in their own way
    (0.155 was printed as 0.15, 88.55 as 88.6).

    Args:
        percent: whether to multiply by 100 first.
        near: the printed figure, in the unit of `value`.
    """
    exact, unit = _exact(value, percent), Decimal(1).scaleb(-digits)
    up, down = (+exact.quantize(unit, rule) for rule in (ROUND_HALF_UP, ROUND_HALF_DOWN))
    return down if near is not None and down == _exact(near, percent) else up


def shows(value: float, published: float, digits: int, *, percent: bool = False) -> bool:
    """Return whether a figure, rounded to the `digits` decimals of a published one, equals it."""
    if not isfinite(value):
        return False
    near = rounded(value, digits, percent=percent, near=published)
    return near == _exact(published, percent)


def _exact(value: float, percent: bool) -> Decimal:
    # Sums and quotients of floats err in their last digits; without these, ties stay ties
    return Decimal(f"{value:.12g}").scaleb(2 if percent else 0)


def file_slug(table: str) -> str:
    """Return the name of a table in a path: `Table 4` -> `table_4`."""
    return table.lower().replace(" ", "_")


def published_files(*papers: str) -> list[str]:
    """Return the files with the figures of these papers; each file has the figures of one paper."""
    return [str(file) for file in _files(PUBLISHED_FOLDER) if _paper_of(file) in papers]


def read_published(published: PublishedFiles = PUBLISHED_FOLDER) -> list[Published]:
    """Read the figures of files, or of every `*.tsv` of a folder, by file name and line.

    Raises:
        KasuError: there is no file, a file has another header than PUBLISHED or the figures of two
            papers, a unit is unknown, or two figures share a key.
    """
    files = _files(published) if isinstance(published, str | Path) else list(map(Path, published))
    if not files:
        raise KasuError(str(published), "no published figures", "*.tsv")
    figures: dict[tuple[str, ...], Published] = {}
    for file in files:
        for figure in _read(file):
            if figure.key in figures:
                raise KasuError(file, f"a second figure for {'; '.join(figure.key)}", "one")
            figures[figure.key] = figure
    columns = column_digits((figure.column, figure.printed) for figure in figures.values())
    return [
        replace(figure, digits=digits_in(columns[figure.column], figure.printed))
        for figure in figures.values()
    ]


def _files(folder: str | Path) -> list[Path]:
    return sorted(Path(folder).glob("*.tsv"))


def _paper_of(file: Path) -> str:
    """Return the paper of a file's first figure."""
    with file.open(encoding="utf-8") as lines:
        next(lines, "")
        return next(lines, "").partition("\t")[0]


def _read(file: Path) -> Iterator[Published]:
    rows = read_tsv(file)
    header = tuple(rows[0]) if rows else ()
    if header != PUBLISHED:
        raise KasuError(f"{file}:1", f"the header {' '.join(header)!r}", f"{' '.join(PUBLISHED)!r}")
    for line, row in enumerate(rows, start=2):
        if row["paper"] != rows[0]["paper"]:
            raise KasuError(f"{file}:{line}", f"the paper {row['paper']!r}", rows[0]["paper"])
        if row["unit"] not in UNITS:
            raise KasuError(f"{file}:{line}", f"the unit {row['unit']!r}", ", ".join(UNITS))
        yield _figure(row)


def _figure(row: Mapping[str, str]) -> Published:
    return Published(
        paper=row["paper"],
        table=row["table"],
        system=row["system"],
        condition=row["condition"],
        metric=row["metric"],
        unit=row["unit"],
        value=parse(row["value"], row["unit"]),
        printed=row["value"],
        note=row["note"],
        digits=_decimals(row["value"]),
    )
