"""The cost of a grid, by what its systems cost when they were measured."""

from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from kasu.base.paths import own
from kasu.files.tables import read_tsv
from kasu.transduction.task.grid import Grid

MEASURED = own("resources/measured")
HOUR = 3600  # seconds; a smaller grid gets no line
MINUTE = 60  # seconds; a smaller part is not listed


def announce_cost(study: str, grid: Grid, measured: Path = MEASURED) -> list[str]:
    """Return one line on the CPU time of all members of a study's grid, finished ones included.

    A member costs the mean of what members of its system and setting cost, over the languages in
    which one was measured. A small grid gets no line.

    Args:
        measured: the folder with what each study measured by language, `<study>.tsv`.

    Raises:
        KasuError: a line of the grid is wrong, or the table of what was measured.
    """
    path = measured / f"{study}.tsv"
    costs = _read(path) if path.exists() else {}
    total, parts, unknown = 0.0, [], []
    for family, setting, members in _count(grid):
        each = [
            costs[system, setting]
            for system in grid.systems.load(family).all_submissions
            if (system, setting) in costs
        ]
        if each:
            total += members * each[0]
            if members * each[0] >= MINUTE:
                parts.append(f"{family} {setting}: {members} of {each[0]:.0f} s")
        else:
            unknown.append(f"{family} {setting}: {members} not measured")
    if total < HOUR:
        return []
    hours = f"about {total / HOUR:.1f} CPU hours"
    return [f"{study}: the members of the grid cost {hours} ({'; '.join(parts + unknown)})"]


def _count(grid: Grid) -> Iterator[tuple[str, str, int]]:
    """Yield how many members each family and setting has, over all languages."""
    for family in grid.families:
        for setting in grid.settings:
            if count := sum(map(len, grid.members(family, setting).values())):
                yield family, setting, count


def _read(path: Path) -> dict[tuple[str, str], float]:
    """Read the mean CPU seconds of a member, by system and setting."""
    found: dict[tuple[str, str], list[float]] = {}
    for row in read_tsv(path, ("system", "setting", "cpu_seconds")):
        if row["cpu_seconds"]:
            found.setdefault((row["system"], row["setting"]), []).append(float(row["cpu_seconds"]))
    return {key: mean(values) for key, values in found.items()}
