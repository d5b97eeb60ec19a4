"""The files of the record: their columns, and which of their rows holds."""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv
from kasu.results.published import PERCENT

MEASURED_FOLDER = "resources/measured"

KEY = ("config", "table", "system", "condition", "metric", "variant", "seed")
VALUES = ("value", "low", "high", "n")
WORDS = ("verdict", "evidence")
MEASURED = (*KEY, "unit", *VALUES, "runs", "printed", *WORDS, "commit", "why")
"""The columns of `figures/<study>.tsv`: one row per figure or claim of a run, and a further one for
each change of it. A figure has a `verdict` if it is the one that is judged of those beside a
printed figure: the State of `kasu.results.reproduction`. A claim has no value; its `verdict` is of
`kasu.results.verdicts`, and `evidence` the figures, p and nulls it was made from. What has neither
value nor verdict was gone from that run."""

CLAIMS = "claims"
PRINT_CLAIMS = "claims about print"
FINGERPRINTS = "fingerprints"
"""What the record calls the tables of claims and of fingerprints, which no paper prints."""

SAME = ("config", "system", "variant", "low", "high", "verdict", "commit")
FINGERPRINT = ("study", "setting", "column", "languages", "difference", "reason", *SAME)
"""The columns of `fingerprints.tsv` that the record shows, and those that it has by that name."""

MEMBER = ("config", "system", "setting", "language", "variant", "seed", "accuracy", "commit")
"""The columns that `<study>.tsv` must have, where members and votes are on record by language."""

Figure = dict[str, str]
Key = tuple[str, ...]


def key(row: Mapping[str, str]) -> Key:
    """Return what names a figure of a study."""
    return tuple(row[column] for column in KEY)


def states(row: Mapping[str, str]) -> bool:
    """Return whether a row states something, rather than that a figure is gone."""
    return bool(row["value"] or row["verdict"])


def newest(rows: Iterable[Figure]) -> dict[Key, Figure]:
    """Return the last row of each figure, by age, of the rows of a file."""
    last: dict[Key, Figure] = {}
    for row in rows:
        last.pop(key(row), None)  # a change makes it young
        last[key(row)] = row
    return last


def read_rows(path: Path, columns: Sequence[str], numbers: Iterable[str]) -> list[Figure]:
    """Read the rows of a file of the record; none if there is no such file.

    Args:
        columns: those that it must have.
        numbers: columns of numbers, of which some may be missing; a cell may be empty.

    Raises:
        KasuError: the file cannot be read, a column is missing, or a cell is no number.
    """
    rows = read_tsv(path, columns) if path.exists() else []
    for column in numbers:
        for row in rows:
            if (cell := row.get(column)) and not _is_number(cell):
                found = f"the {column} {cell!r} of {row['system']}"
                raise KasuError(path, found, "a number, or nothing")
    return rows


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


def fingerprints(store: Path, study: str) -> list[Figure]:
    """Return the fingerprints of a study in the columns of MEASURED: mean difference, verdict.

    The condition is the setting, the published column and the number of languages.

    Raises:
        KasuError: as `read_rows`.
    """
    rows = read_rows(store / "fingerprints.tsv", FINGERPRINT, ("difference", "low", "high"))
    found = []
    for row in rows:
        if row["study"] == study:
            place = f"{row['setting']}|{row['column']}|{row['languages']} languages"
            same = {name: row[name] for name in SAME}
            made = {"table": FINGERPRINTS, "condition": place, "metric": "difference"}
            made |= {"unit": PERCENT, "value": row["difference"], "evidence": row["reason"]}
            found.append(dict.fromkeys(MEASURED, "") | same | made)
    return found


def expect_record(store: Path) -> None:
    """Check that the record is at hand.

    Raises:
        KasuError: it is not: an installed package has none of the project's files.
    """
    if not (store / "figures").is_dir():
        raise KasuError(
            store,
            "no record; an installed package does not hold it",
            "Kasu's own folder, as cloned: its resources/measured is the record",
        )
