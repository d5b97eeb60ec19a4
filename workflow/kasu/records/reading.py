"""The record as a whole: every printed figure, and the one of ours that stands beside it.

A printed figure may be on record from several configs. One of them stands beside it: the first of
SCALES, whatever its word is. Of several variants and seeds it is the row that was judged. Where no
row was, there may be figures of other variants than the study's default, or of members by language,
one number each and no interval: such a figure has no word. Fingerprints judge all languages of a
member together.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kasu.agreement.runs import PAPER as AGREEMENT
from kasu.base.paths import own
from kasu.blm.data.names import PAPER as BLM
from kasu.cloze.data.names import PAPER as CLOZE
from kasu.cloze.evaluation import printed as cloze
from kasu.files.reading import read_text
from kasu.inflection.data.triples import PAPER as INFLECTION
from kasu.inflection.evaluation import printed as inflection
from kasu.minimal_sets.data.paper import PAPER as MINIMAL_SETS
from kasu.pretraining.data.names import PAPER as PRETRAINING
from kasu.records.files import (
    CLAIMS,
    MEASURED,
    MEASURED_FOLDER,
    MEMBER,
    PRINT_CLAIMS,
    Figure,
    expect_record,
    fingerprints,
    newest,
    read_rows,
    states,
)
from kasu.results.published import PERCENT, Published, read_published, rounded

SCALES = ("paper", "systems", "long", "real", "curve", "wikipedia", "treebanks", "multiblimp")
"""Configs by whose figure stands beside print: the largest first, then those of `real` with other
text."""
UNJUDGED = "no word"
"""Of a figure without a word of its own."""
_CLOZE_TABLES = (cloze.MEANS, cloze.BEST, cloze.BY_LANGUAGE, cloze.TOKENS, cloze.TARGETS)
PRINTED_FOLDER = "resources/published"
_STACK = re.compile(r"^# .*--configfile((?: config/\w+\.yaml)+)", re.MULTILINE)


@dataclass(frozen=True)
class Study:
    """A study and what its paper prints.

    Attributes:
        name: as in config, paths and rules.
        paper: the paper's key in the published figures.
        prints: whether a table of the paper is one of this study.
        cell_of: the setting and language of a condition, where systems are on record by language.
    """

    name: str
    paper: str
    prints: Callable[[str], bool] = lambda table: True
    cell_of: Callable[[str], tuple[str, str] | None] = lambda condition: None


STUDIES = (
    Study("agreement", AGREEMENT),
    Study(
        "inflection",
        INFLECTION,
        lambda table: table not in _CLOZE_TABLES,
        inflection.cell_of,
    ),
    Study("cloze", CLOZE, _CLOZE_TABLES.__contains__, cloze.cell_of),
    Study("blm", BLM),
    Study("pretraining", PRETRAINING),
    Study("minimal_sets", MINIMAL_SETS),
)


@dataclass(frozen=True)
class RecordEntry:
    """A printed figure, a claim or a fingerprint, and what is on record of it.

    Numbers are fractions of 1 where the paper prints percentages.

    Attributes:
        table: as the paper calls it, or one of `kasu.records.files` for claims and fingerprints.
        system: of a claim the test.
        condition: of a claim the claim.
        printed: the text as printed.
        digits: the decimals of its column.
        published: the printed number.
        config: of the run; empty if nothing is on record.
        ours: None also where several figures are on record and none was judged.
        word: of the figure, claim or fingerprint.
        reason: what the word rests on.
    """

    study: str
    paper: str
    table: str
    system: str
    condition: str
    metric: str
    unit: str = ""
    printed: str = ""
    digits: int = 1
    published: float | None = None
    config: str = ""
    variant: str = ""
    seed: str = ""
    ours: float | None = None
    low: float | None = None
    high: float | None = None
    n: str = ""
    word: str = ""
    reason: str = ""
    commit: str = ""

    @property
    def recorded(self) -> bool:
        """Whether something is on record of it."""
        return bool(self.config)


def read_record(
    store: str | Path | None = None, published: str | Path | None = None
) -> list[RecordEntry]:
    """Read what is on record of every printed figure, claim and fingerprint.

    A figure that the paper prints as something other than a number is left out.

    Args:
        store: by default resources/measured.
        published: by default resources/published.

    Returns:
        The entries by study; of each the figures in the paper's order, claims, fingerprints.

    Raises:
        KasuError: there is no record, or a file of it cannot be read.
    """
    store = Path(store or own(MEASURED_FOLDER))
    expect_record(store)
    figures = read_published(published or own(PRINTED_FOLDER))
    printed = [figure for figure in figures if figure.value is not None]
    return [entry for study in STUDIES for entry in _read_study(study, store, printed)]


def record_files(store: str | Path | None = None, published: str | Path | None = None) -> list[str]:
    """Return the files that `read_record` reads."""
    store, published = Path(store or own(MEASURED_FOLDER)), published or own(PRINTED_FOLDER)
    names = ["fingerprints", *(study.name for study in STUDIES)]
    files = [
        *sorted((store / "figures").glob("*.tsv")),
        *(path for name in names if (path := store / f"{name}.tsv").exists()),
        *sorted(Path(published).glob("*.tsv")),
    ]
    return list(map(str, files))


def configs_of(config: str) -> list[str]:
    """Return the files of one of Kasu's configs and of those below it, by its first lines.

    Raises:
        KasuError: there is no such config.
    """
    path = f"config/{config}.yaml"
    stated = _STACK.search(read_text(own(path)))
    return stated[1].split() if stated else [path]


def command_of(study: str, config: str) -> str:
    """Return the command that repeats what is on record of a study from a config.

    Raises:
        KasuError: as `configs_of`.
    """
    return f"snakemake {study} --cores 2 --configfile {' '.join(configs_of(config))}"


def rank(config: str) -> tuple[int, str]:
    """Return the place of a config in SCALES; others come after these."""
    return (SCALES.index(config) if config in SCALES else len(SCALES), config)


def _read_study(study: Study, store: Path, printed: Sequence[Published]) -> Iterator[RecordEntry]:
    path = store / "figures" / f"{study.name}.tsv"
    last = newest(read_rows(path, MEASURED, ("value", "low", "high"))).values()
    rows = [row for row in last if states(row)]
    found: dict[tuple[str, ...], list[Figure]] = {}
    for row in rows:
        if row["value"]:
            name = (row["table"], row["system"], row["condition"], row["metric"])
            found.setdefault(name, []).append(row)
    members = _by_language(store / f"{study.name}.tsv")
    for figure in printed:
        if figure.paper == study.paper and study.prints(figure.table):
            entry = _bare(study, figure)
            rows_of = found.get(figure.key[1:], [])
            judged = [row for row in rows_of if row["verdict"]]
            if judged:
                yield _with(entry, min(judged, key=lambda row: rank(row["config"])))
            elif rows_of:
                yield _unjudged(entry, rows_of, "value", "other variants than the default")
            else:
                cell = study.cell_of(figure.condition)
                alone = members.get((figure.system, *cell), []) if cell else []
                known = [row for row in alone if row.get(figure.metric)]
                yield _unjudged(entry, known, figure.metric, "members, judged by fingerprint")
    claims = [row for row in rows if row["table"] in (CLAIMS, PRINT_CLAIMS)]
    for row in [*claims, *fingerprints(store, study.name)]:
        entry = RecordEntry(
            study=study.name,
            paper=study.paper,
            table=row["table"],
            system=row["system"],
            condition=row["condition"],
            metric=row["metric"],
            unit=row["unit"],
        )
        yield _with(entry, row)


def _bare(study: Study, figure: Published) -> RecordEntry:
    return RecordEntry(
        study=study.name,
        paper=study.paper,
        table=figure.table,
        system=figure.system,
        condition=figure.condition,
        metric=figure.metric,
        unit=figure.unit,
        printed=figure.printed,
        digits=figure.digits,
        published=figure.value,
    )


def _with(entry: RecordEntry, row: Figure) -> RecordEntry:
    ours, low, high = (float(row[name]) if row[name] else None for name in ("value", "low", "high"))
    return replace(
        entry,
        config=row["config"],
        variant=row["variant"],
        seed=row["seed"],
        ours=ours,
        low=low,
        high=high,
        n=row["n"],
        word=row["verdict"],
        reason=row["evidence"],
        commit=row["commit"],
    )


Members = dict[tuple[str, str, str], list[Figure]]
"""Rows of members and votes by system, setting and language."""


def _by_language(path: Path) -> Members:
    found: Members = {}
    for row in read_rows(path, MEMBER, ("accuracy", "levenshtein")):
        found.setdefault((row["system"], row["setting"], row["language"]), []).append(row)
    return found


def _unjudged(entry: RecordEntry, rows: Sequence[Figure], column: str, reason: str) -> RecordEntry:
    """Return the entry with the figures in a column of rows, none of which was judged."""
    if not rows:
        return entry
    config = min((row["config"] for row in rows), key=rank)
    of_config = [row for row in rows if row["config"] == config]
    values = sorted(float(row[column]) for row in of_config)
    alone = of_config[0] if len(of_config) == 1 else None
    low, high = (
        rounded(values[end], entry.digits, percent=entry.unit == PERCENT) for end in (0, -1)
    )
    many = f": {low} to {high} in {len(values)} rows"
    return replace(
        entry,
        config=config,
        variant=alone["variant"] if alone else "",
        seed=alone["seed"] if alone else "",
        ours=values[0] if alone else None,
        word=UNJUDGED,
        reason=reason + ("" if alone else many),
        commit=of_config[-1]["commit"],
    )
