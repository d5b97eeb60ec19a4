"""The table of a study's warnings, and its lines in a log and on the page."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from kasu.base.visible import visible
from kasu.files.tables import read_tsv, write_tsv
from kasu.job.run import log

WARNINGS = ("system", "warning", "where")
"""One result that means nothing per row: the system, what is wrong, and the test, with its items.
`where` is empty where the warning is about the whole study."""

SHOWN = 3  # places of a line; the table has all


class ResultWarning(NamedTuple):
    """A result that means nothing: one row of WARNINGS.

    `warning` is the same for all places at which the same is wrong, so that one line can name them.
    """

    system: str
    warning: str
    where: str = ""


def write_warnings(path: str | Path, found: Iterable[ResultWarning]) -> None:
    """Write WARNINGS, and log a line for each system and warning."""
    rows = [{name: visible(cell) for name, cell in row._asdict().items()} for row in found]
    write_tsv(path, rows, WARNINGS)
    for line in read_warnings(path):
        log.warning("%s", line)


def read_warnings(path: str | Path) -> list[str]:
    """Read WARNINGS as lines, one for each system and warning, in the order of the table.

    Raises:
        KasuError: the file is missing or no such table.
    """
    places: dict[tuple[str, str], list[str]] = {}
    for row in read_tsv(path, WARNINGS):
        places.setdefault((row["system"], row["warning"]), []).append(row["where"])
    return [_line(*key, list(filter(None, where))) for key, where in places.items()]


def _line(system: str, warning: str, places: list[str]) -> str:
    text = f"{system}: {warning}"
    if not places:
        return text
    more = f"; and {len(places) - SHOWN:,} more" if len(places) > SHOWN else ""
    return f"{text} ({'; '.join(places[:SHOWN])}{more})"
