"""Record what each system of `inflection` did in each language, in resources/measured.

`make measured` calls this after it has recorded the figures of the tables. `inflection.tsv` has a
row per member, or per vote, in one language and setting. A row whose figures are as recorded stays,
with the commit that measured it first; rows of other configs, systems and languages stay too.
"""

from collections.abc import Iterator
from pathlib import Path

from kasu.base.tables import read_parquet, read_tsv, write_tsv
from kasu.inflection.evaluation.printed import cell_of
from kasu.inflection.families import FAMILIES
from kasu.inflection.settings import SYSTEMS
from kasu.transduction.members.families import alone
from kasu.transduction.members.packs import SECONDS

KEY = ("config", "system", "setting", "language", "variant", "seed")
FIGURES = ("members", "accuracy", "levenshtein", "dev_accuracy")
INFLECTED = (*KEY, *FIGURES, "cpu_seconds", "commit")

Row = dict[str, str]
Facts = dict[tuple[str, ...], str]
"""By family, setting, language, variant and seed."""


def record_languages(results: Path, store: Path, at: str) -> int:
    """Take the rows of a run into `inflection.tsv`; return how many are new or changed.

    Args:
        results: the folder of results; it has the name of its config.
        store: as resources/measured.
        at: the commit that ran.

    Raises:
        KasuError: a file of the run cannot be read.
    """
    if not (results / "inflection" / "scores.parquet").exists():
        return 0
    path = store / "inflection.tsv"
    rows = {_key(row): row for row in (read_tsv(path, INFLECTED) if path.exists() else [])}
    changed = 0
    for row in measured(results):
        old = rows.get(_key(row))
        if old is None or any(old[name] != row[name] for name in FIGURES):
            rows[_key(row)] = row | {"commit": at}
            changed += 1
    write_tsv(path, (rows[key] for key in sorted(rows)), INFLECTED)
    return changed


def _key(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in KEY)


def measured(results: Path) -> Iterator[Row]:
    """The rows of a run, without their commit."""
    families = {
        system: (family, made is alone)
        for family in SYSTEMS
        for system, made in FAMILIES.submissions(family).items()
    }
    found: dict[tuple[str, ...], Row] = {}
    for score in read_parquet(results / "inflection" / "scores.parquet").to_pylist():
        cell = cell_of(score["condition"])
        family, single = families.get(score["system"], ("", False))
        if not cell or not family or (single and score["runs"] > 1):
            continue  # a mean, a null, an oracle, or all seeds together
        named = (results.name, score["system"], *cell, score["variant"] or "", _text(score["seed"]))
        row = found.setdefault(
            named, dict.fromkeys(INFLECTED, "") | dict(zip(KEY, named, strict=True))
        )
        row["members"] = _text(score["runs"])
        row[score["metric"]] = f"{score['value']:.6f}"
    accuracies, seconds = _dev_accuracies(results), _seconds(results)
    for row in found.values():
        family, single = families[row["system"]]
        if single:
            member = (family, *(row[name] for name in KEY[2:]))
            row["dev_accuracy"] = accuracies.get(member, "")
            row["cpu_seconds"] = seconds.get(member, "")
        yield row


def _text(value: int | None) -> str:
    return "" if value is None else str(value)


def _dev_accuracies(results: Path) -> Facts:
    found: Facts = {}
    columns = ["family", "setting", "language", "variant", "seed", "dev_accuracy"]
    for path in (results / "inflection" / "members").glob("*/*/*.parquet"):
        rows = read_parquet(path, columns).group_by(columns).aggregate([]).to_pylist()
        for row in rows:
            *named, variant, seed, accuracy = row.values()
            key = (*named, variant or "", _text(seed))
            found[key] = "" if accuracy is None else f"{accuracy:.6f}"
    return found


def _seconds(results: Path) -> Facts:
    return {
        tuple(row[name] for name in SECONDS[:-1]): row["cpu_seconds"]
        for path in (results / "benchmarks" / "inflect").glob("*/*/*.seconds.tsv")
        for row in read_tsv(path, SECONDS)
    }
