"""Record what each system of `inflection` and `cloze` did in each language, in resources/measured.

`make measured` calls this after it has recorded the figures of the tables. `inflection.tsv` and
`cloze.tsv` have a row per member, or per vote, in one language and setting; those of `cloze` are of
original forms. A row whose figures are as recorded stays, with the commit that measured it first;
rows of other configs, systems and languages stay too.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kasu.cloze.evaluation.printed import cell_of as cloze_cell_of
from kasu.cloze.families import FAMILIES as CLOZE_FAMILIES
from kasu.files.tables import read_parquet, read_tsv, write_tsv
from kasu.inflection.evaluation.printed import cell_of
from kasu.inflection.families import FAMILIES
from kasu.transduction.members.families import Families, alone
from kasu.transduction.members.packs import SECONDS

KEY = ("config", "system", "setting", "language", "variant", "seed")
FIGURES = ("members", "accuracy", "levenshtein", "dev_accuracy")
BY_LANGUAGE = (*KEY, *FIGURES, "cpu_seconds", "commit")

Row = dict[str, str]
Facts = dict[tuple[str, ...], str]
"""By family, setting, language, variant and seed."""


@dataclass(frozen=True)
class Study:
    """A study whose systems are trained by language.

    Attributes:
        name: of its folder of results, and of its file of rows.
        families: its systems.
        cell_of: from the condition of a score to the setting and the language; None if it is not
            of one language.
    """

    name: str
    families: Families
    cell_of: Callable[[str], tuple[str, str] | None]


STUDIES = (
    Study("inflection", FAMILIES, cell_of),
    Study("cloze", CLOZE_FAMILIES, cloze_cell_of),
)


def record_languages(results: Path, store: Path, at: str) -> dict[str, int]:
    """Take the rows of a run into the file of each study; return how many are new or changed.

    Args:
        results: the folder of results; it has the name of its config.
        store: as resources/measured.
        at: the commit that ran.

    Raises:
        KasuError: a file of the run cannot be read.
    """
    return {
        study.name: _record(study, results, store / f"{study.name}.tsv", at)
        for study in STUDIES
        if (results / study.name / "scores.parquet").exists()
    }


def _record(study: Study, results: Path, path: Path, at: str) -> int:
    rows = {_key(row): row for row in (read_tsv(path, BY_LANGUAGE) if path.exists() else [])}
    changed = 0
    for row in measured(study, results):
        old = rows.get(_key(row))
        if old is None or any(old[name] != row[name] for name in FIGURES):
            rows[_key(row)] = row | {"commit": at}
            changed += 1
    write_tsv(path, (rows[key] for key in sorted(rows)), BY_LANGUAGE)
    return changed


def _key(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in KEY)


def measured(study: Study, results: Path) -> Iterator[Row]:
    """The rows of a run, without their commit."""
    families = {
        system: (family, made is alone)
        for family in study.families.names
        for system, made in study.families.load(family).all_submissions.items()
    }
    found: dict[tuple[str, ...], Row] = {}
    for score in read_parquet(results / study.name / "scores.parquet").to_pylist():
        cell = study.cell_of(score["condition"])
        family, single = families.get(score["system"], ("", False))
        if not cell or not family or (single and score["runs"] > 1):
            continue  # a mean, a null, an oracle, or all seeds together
        if score["metric"] not in FIGURES:
            continue  # cloze has accuracy with case, too
        named = (results.name, score["system"], *cell, score["variant"] or "", _text(score["seed"]))
        row = found.setdefault(
            named, dict.fromkeys(BY_LANGUAGE, "") | dict(zip(KEY, named, strict=True))
        )
        row["members"] = _text(score["runs"])
        row[score["metric"]] = f"{score['value']:.6f}"
    accuracies, seconds = _dev_accuracies(study, results), _seconds(study, results)
    for row in found.values():
        family, single = families[row["system"]]
        if single:
            member = (family, *(row[name] for name in KEY[2:]))
            row["dev_accuracy"] = accuracies.get(member, "")
            row["cpu_seconds"] = seconds.get(member, "")
        yield row


def _text(value: int | None) -> str:
    return "" if value is None else str(value)


def _dev_accuracies(study: Study, results: Path) -> Facts:
    found: Facts = {}
    columns = ["family", "setting", "language", "variant", "seed", "dev_accuracy"]
    for path in _oldest_first(results / study.name / "members", "*/*/*.parquet"):
        rows = read_parquet(path, columns).group_by(columns).aggregate([]).to_pylist()
        for row in rows:
            *named, variant, seed, accuracy = row.values()
            key = (*named, variant or "", _text(seed))
            found[key] = "" if accuracy is None else f"{accuracy:.6f}"
    return found


def _seconds(study: Study, results: Path) -> Facts:
    return {
        tuple(row[name] for name in SECONDS[:-1]): row["cpu_seconds"]
        for path in _oldest_first(results / "benchmarks/inflect" / study.name, "*/*/*.seconds.tsv")
        for row in read_tsv(path, SECONDS)
    }


def _oldest_first(folder: Path, files: str) -> list[Path]:
    """So that new facts replace those of an earlier run with other `packs`, whose files stay."""
    return sorted(folder.glob(files), key=lambda path: (path.stat().st_mtime_ns, path))
