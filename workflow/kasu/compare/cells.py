"""Which cells of paired rows differ, and how a difference reads."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from operator import eq

import pyarrow as pa

SHOWN = 5  # differing cells, and unpaired rows of a side, printed per file
WIDTH = 60  # characters of a printed value
_INTEGER = re.compile(r"[+-]?[0-9]{1,300}")


class Cells:
    """Collects the cells that differ between paired rows: counts of all, the first few to show."""

    def __init__(self, tolerance: float) -> None:
        self.tolerance = tolerance
        self.rows = 0
        self.by_column: Counter[str] = Counter()
        self.shown: list[str] = []

    def compare(self, old: pa.Table, new: pa.Table, numbers: Sequence[int]) -> None:
        """Compare tables row by row; `numbers` are the row numbers of `old` in its file."""
        changed: dict[int, list[tuple[str, object, object]]] = defaultdict(list)
        for name in old.column_names:
            before, after = old[name], new[name]
            if before.type == after.type and before.equals(after):
                continue
            cells = zip(before.to_pylist(), after.to_pylist(), strict=True)
            for at, (left, right) in enumerate(cells):
                if not self._same(left, right):
                    self.by_column[name] += 1
                    changed[at].append((name, left, right))
        self.rows += len(changed)
        for at in sorted(changed):
            for change in changed[at][: SHOWN - len(self.shown)]:
                self.shown.append(f"  row {numbers[at] + 1}, {describe(*change, self._same)}")

    def _same(self, left: object, right: object) -> bool:
        if left == right:
            return True
        if isinstance(left, list) and isinstance(right, list):
            return len(left) == len(right) and all(map(self._same, left, right))
        if isinstance(left, dict) and isinstance(right, dict):  # a struct
            return left.keys() == right.keys() and all(
                self._same(left[name], right[name]) for name in left
            )
        if isinstance(left, float) and isinstance(right, float) and math.isnan(left):
            return math.isnan(right)
        if not self.tolerance:
            return False
        before, after = as_number(left), as_number(right)
        return before is not None and after is not None and abs(before - after) <= self.tolerance

    def details(self) -> list[str]:
        """Say how many rows and cells changed, and the first of them."""
        if not self.rows:
            return []
        columns = ", ".join(f"{name} ({count})" for name, count in self.by_column.items())
        return [f"rows changed: {self.rows}; cells: {columns}", *self.shown]


def describe(
    name: str, left: object, right: object, same: Callable[[object, object], bool] = eq
) -> str:
    """Describe a changed cell.

    Of lists of one length and structs of the same fields: the first element or field that differs.
    """
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        at = next(at for at in range(len(left)) if not same(left[at], right[at]))
        return describe(f"{name}[{at}]", left[at], right[at], same)
    if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
        field = next(field for field in left if not same(left[field], right[field]))
        return describe(f"{name}.{field}", left[field], right[field], same)
    start = 0
    if isinstance(left, str) and isinstance(right, str):
        pairs = zip(left, right, strict=False)
        start = next((at for at, (before, after) in enumerate(pairs) if before != after), 0)
    return f"{name}: {short(left, start)} -> {short(right, start)}"


def short(value: object, start: int = 0) -> str:
    """Return the value as Python writes it; of a long one, the part around `start`."""
    text = repr(value)
    first = max(0, start - WIDTH // 3) if len(text) > WIDTH else 0
    cut = text[first : first + WIDTH]
    return "…" * (first > 0) + cut + "…" * (first + WIDTH < len(text))


def as_number(cell: object) -> float | None:
    """Return the value of a number, or of text that spells one; of integers the exact one.

    Truth values are no numbers, nor are names with underscores (*1_12*), which Python reads.
    """
    if isinstance(cell, (int, float)):
        return None if isinstance(cell, bool) else cell
    if not isinstance(cell, str) or "_" in cell:
        return None
    try:
        # Floats do not tell integers beyond 2**53 apart
        return int(cell) if _INTEGER.fullmatch(cell) else float(cell)
    except ValueError:
        return None
