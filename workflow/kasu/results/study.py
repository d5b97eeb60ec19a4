"""The parts of a study for the layers above it: what its target builds, what the report shows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol

from kasu.base.paths import ROOT, own
from kasu.results.paths import PATHS, Paths, pdf_of
from kasu.results.reproduction import Defaults
from kasu.sources.registry import Entry
from kasu.sources.workspace import comes_with_kasu


class Data(StrEnum):
    """What the figures of a study are about."""

    PAPER = "the paper's data"
    DEMO = "the demo's data"
    YOURS = "your data"
    UNKNOWN = "unknown data"


@dataclass(frozen=True)
class StudyReport:
    """The parts of the report on one study; keys are slugs or headings, values are paths.

    Attributes:
        name: the study's name in config, paths and rules.
        title: its heading.
        citation: the paper, as the heading cites it.
        paper: the paper's key in the published figures.
        printed: the paper's name of each table, by slug: `table_4` -> `Table 4`. Each is set next
            to the published figures, at `<study>/tables/<slug>.tsv`.
        captions: the caption (.rst) of each printed table by slug, one of Kasu's files.
        figures: the figure (.svg) that stands under a table, by the table's slug, that is, the
            name of its file.
        legends: by the same slug, what a figure shows that is not ours against published.
        counts: a file of steps and counts, by what was counted.
        drops: a file of reasons and counts, by what was counted.
        details: further tables, by heading.
        examples: ten items with answers (`kasu.results.examples`); empty if the study shows none.
        warnings: what makes results meaningless (`kasu.results.warnings`); empty if it has none.
        nulls: the systems that others should lie above.
        defaults: which variants stand for a system (`kasu.results.reproduction.Defaults`).
        sources: where the study's data come from.
        readers: files that jobs made of sources and whose counts are not shown: their seals tell
            what was read.
        foreign: whether the data are not the paper's though some of them are registered sources,
            as a treebank of another language is.
        data: what the figures are about; by default it follows from `sources` and `foreign`.
    """

    name: str
    title: str
    citation: str
    paper: str
    printed: Mapping[str, str]
    captions: Mapping[str, str]
    figures: Mapping[str, str] = field(default_factory=dict)
    legends: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, str] = field(default_factory=dict)
    drops: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, str] = field(default_factory=dict)
    examples: str = ""
    warnings: str = ""
    nulls: Sequence[str] = ()
    defaults: Defaults = field(default_factory=dict)
    sources: Sequence[Entry] = ()
    readers: Sequence[str] = ()
    foreign: InitVar[bool] = False
    data: Data | None = None

    def __post_init__(self, foreign: bool) -> None:
        found = {slug: str(own(path)) for slug, path in self.captions.items()}
        object.__setattr__(self, "captions", found)
        data = Data(self.data) if self.data else _data_of(self.sources, foreign)
        object.__setattr__(self, "data", data)

    @property
    def short(self) -> str:
        """The title without the question that it asks."""
        return self.title.partition(":")[0]

    def tables(self, results: str) -> dict[str, str]:
        """Return the path of each printed table next to ours, by slug.

        Args:
            results: the folder of all outputs.
        """
        paths = Paths(PATHS, results, self.name)
        return {slug: paths("table", table=slug) for slug in self.printed}

    def files(self, results: str) -> list[str]:
        """Return every file of the study that the report reads or links."""
        shown = (self.captions, self.figures, self.counts, self.drops, self.details)
        paths = (path for each in shown for path in each.values())
        single = filter(None, (self.examples, self.warnings))
        pdfs = [str(pdf_of(figure)) for figure in self.figures.values()]
        return [*self.tables(results).values(), *single, *paths, *pdfs, *self.readers]

    def dump(self) -> dict[str, object]:
        """Return the arguments that make this report again, as plain values without sources."""
        plain = {
            key: dict(value) if isinstance(value, Mapping) else value
            for key, value in vars(self).items()
        }
        captions = {slug: _named_in_kasu(path) for slug, path in self.captions.items()}
        lists = {"nulls": list(self.nulls), "sources": [], "readers": list(self.readers)}
        return {**plain, **lists, "captions": captions, "data": str(self.data)}


def _data_of(sources: Iterable[Entry], foreign: bool) -> Data:
    data = [entry for entry in sources if not entry.is_model]
    if any(entry.is_registered for entry in data) and not foreign:
        return Data.PAPER
    return Data.DEMO if all(map(comes_with_kasu, data)) else Data.YOURS


def _named_in_kasu(path: str) -> str:
    """Return the name of one of Kasu's files in Kasu's folder, other paths as they are."""
    return str(Path(path).relative_to(ROOT)) if Path(path).is_relative_to(ROOT) else path


def captions_of(study: str, tables: Iterable[str]) -> dict[str, str]:
    """Return the caption of each table by slug, of a study that has a file for each."""
    return {table: f"workflow/report/{study}_{table}.rst" for table in tables}


class DrawnFrom(NamedTuple):
    """What a rule that all studies share hands to a study's own module.

    A plan has one as `examples`, for `kasu.<study>.evaluation.examples`, and one as `warnings`, for
    `kasu.<study>.warnings`.

    Attributes:
        files: the files that it reads, by name.
        settings: its further arguments, all but the seed.
    """

    files: Mapping[str, Sequence[str]]
    settings: Mapping[str, object]


class StudyPlan(Protocol):
    """The interface of every study's plan, as the workflow sees it.

    Nothing is resolved before it is asked for.
    """

    papers: tuple[str, ...]
    """The papers whose printed figures it reads."""

    @property
    def printed(self) -> Mapping[str, str]:
        """The paper's name of each table, by slug; as in the report."""
        ...

    @property
    def captions(self) -> Mapping[str, str]:
        """The caption (.rst) of each of these tables, by slug."""
        ...

    @property
    def figures(self) -> Mapping[str, str]:
        """The figure (.svg) under each table that has one; as in the report."""
        ...

    @property
    def files(self) -> list[str]:
        """The files that the study's target builds: scores, tables and figures."""
        ...

    @property
    def report(self) -> StudyReport:
        """What the report shows of the study."""
        ...
