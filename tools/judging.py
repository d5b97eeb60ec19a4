"""The word of each printed figure on record, by the rules of the code and from the record's rows.

A word follows from a figure, its interval, the nulls beside it and the digits of print. So a
changed rule changes the words of old rows too, and nothing has to run again. Which systems are
nulls, the study's plan says under the recorded config; it can be made without data.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from kasu.agreement.plan import AgreementPlan
from kasu.base.paths import own
from kasu.blm.plan import BlmPlan
from kasu.cloze.plan import ClozePlan
from kasu.config.reading import read_settings
from kasu.config_command import stack
from kasu.corpora.plan import Corpora, Treebanks
from kasu.files.tables import write_tsv
from kasu.inflection.plan import InflectionPlan
from kasu.lm.plan import Models
from kasu.minimal_sets.plan import MinimalSetsPlan
from kasu.pretraining.plan import PretrainingPlan
from kasu.records.files import KEY, Figure, Key
from kasu.records.reading import configs_of
from kasu.results.comparison import TABLE, Row, beside, read_comparison
from kasu.results.published import PUBLISHED_FOLDER, read_published
from kasu.results.reproduction import State, judge_row, nulls_of, standing
from kasu.results.study import StudyPlan, StudyReport
from kasu.settings import Settings
from kasu.sources.registry import read_registry
from kasu.sources.workspace import Workspace

read_printed = cache(read_published)


@cache
def plans(config: str) -> dict[str, StudyPlan]:
    """The plans of all studies by name, under a config of Kasu's own and what it stacks on."""
    files = [own(each) for each in configs_of(config)]
    settings = read_settings(stack(files), Settings)
    registry = read_registry(own("config/sources.tsv"))
    downloads = Path("resources/downloads")
    workspace = Workspace(settings.results, registry, downloads, [], settings.licences)
    treebanks = Treebanks(settings.treebanks, workspace)
    corpora = Corpora(settings.corpora, settings.analysers, workspace, treebanks)
    models = Models(settings.models, workspace, lambda: pretraining.trained_models)
    pretraining = PretrainingPlan(settings.pretraining, corpora, models)
    seeds = settings.seeds
    return {
        "agreement": AgreementPlan(settings.agreement, seeds, corpora),
        "blm": BlmPlan(settings.blm, seeds, models),
        "cloze": ClozePlan(settings.cloze, workspace),
        "inflection": InflectionPlan(settings.inflection, corpora),
        "minimal_sets": MinimalSetsPlan(settings.minimal_sets, seeds, treebanks, models, corpora),
        "pretraining": pretraining,
    }


def words(study: str, rows: Iterable[Figure]) -> dict[Key, str]:
    """The word of each printed figure, by the key of the row that is judged.

    Args:
        study: its name; one that Kasu does not have has no words.
        rows: the newest rows of its figures.
    """
    tables: dict[tuple[str, str], list[Figure]] = {}
    for row in rows:
        if row["value"]:
            tables.setdefault((row["config"], row["table"]), []).append(row)
    found = {}
    for (config, table), measured in tables.items():
        if study in plans(config):
            report = plans(config)[study].report
            for row, state in judge(as_rows(measured, report.paper, table), report):
                found[_key(config, row)] = str(state)
    return found


def judge(rows: Sequence[Row], report: StudyReport) -> Iterator[tuple[Row, State]]:
    """The row of each printed figure that is judged, and its word."""
    scored = [row for row in rows if row.system in report.nulls]
    for row in standing(rows, report.defaults):
        yield row, judge_row(row, nulls_of(row, scored))


def as_rows(measured: Iterable[Figure], paper: str, table: str) -> list[Row]:
    """Recorded figures beside the printed ones, as in the table of a run."""
    printed, scores = read_printed(PUBLISHED_FOLDER), [_score(row, paper) for row in measured]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.tsv"
        write_tsv(path, beside(scores, printed, paper, table), TABLE)
        return read_comparison(path)


def _score(row: Figure, paper: str) -> Mapping[str, object]:
    names = {name: row[name] for name in ("table", "system", "condition", "metric")}
    numbers = {name: float(row[name]) if row[name] else None for name in ("value", "low", "high")}
    counts = {name: int(row[name]) if row[name] else None for name in ("n", "runs", "seed")}
    return {"paper": paper, "variant": row["variant"] or None, **names, **numbers, **counts}


def _key(config: str, row: Row) -> Key:
    cells = {"config": config, "seed": "" if row.seed is None else f"{row.seed:.0f}"}
    return tuple(cells.get(name) or getattr(row, name, None) or "" for name in KEY)
