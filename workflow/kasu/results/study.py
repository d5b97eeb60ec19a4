"""What a study tells those above it: what its target builds, and what the report shows of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from kasu.base.paths import own
from kasu.results.paths import PATHS, Paths
from kasu.results.reproduction import Defaults
from kasu.sources.registry import Entry


@dataclass(frozen=True)
class StudyReport:
    """What the report shows of one study; keys are slugs or headings, values are paths.

    Attributes:
        name: the study's name in config, paths and rules.
        title: its heading.
        citation: the paper, as the heading cites it.
        paper: the paper's key in the published figures.
        printed: by slug of a table, what the paper calls it: `table_4` -> `Table 4`. Each is set
            next to the published figures, at `<study>/tables/<slug>.tsv`.
        captions: by slug of a printed table, its caption (.rst), one of Kasu's files.
        figures: by slug of the table that it stands under, a figure (.svg).
        legends: by the same slug, what a figure shows that is not ours against published.
        counts: by what was counted, a file of steps and counts.
        drops: by what was counted, a file of reasons and counts.
        details: by heading, a further table.
        examples: ten items with answers (`kasu.results.examples`); empty if the study shows none.
        nulls: the systems that others should lie above.
        defaults: which variants stand for a system (`kasu.results.reproduction.Defaults`).
        sources: where the study's data come from.
        readers: what jobs made of sources, where their counts are not shown: seals tell what was
            read.
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
    nulls: Sequence[str] = ()
    defaults: Defaults = field(default_factory=dict)
    sources: Sequence[Entry] = ()
    readers: Sequence[str] = ()

    def __post_init__(self) -> None:
        found = {slug: str(own(path)) for slug, path in self.captions.items()}
        object.__setattr__(self, "captions", found)

    @property
    def short(self) -> str:
        """The title without the question that it asks."""
        return self.title.partition(":")[0]

    @property
    def local(self) -> bool:
        """Whether all data are local files, of the demo or the user's own.

        Then no figure is about the paper's data, whatever models were downloaded.
        """
        return not any(entry.source and "models" not in entry.file.parts for entry in self.sources)

    def tables(self, results: str) -> dict[str, str]:
        """Return where each printed table stands next to ours, by slug.

        Args:
            results: the folder of all outputs.
        """
        paths = Paths(PATHS, results, self.name)
        return {slug: paths("table", table=slug) for slug in self.printed}

    def files(self, results: str) -> list[str]:
        """Return every file of the study that the report reads."""
        shown = (self.captions, self.figures, self.counts, self.drops, self.details)
        paths = (path for each in shown for path in each.values())
        examples = [self.examples] if self.examples else []
        return [*self.tables(results).values(), *examples, *paths, *self.readers]

    def dump(self) -> dict[str, object]:
        """Return the arguments that make this report again, as plain values without sources."""
        plain = {
            key: dict(value) if isinstance(value, Mapping) else value
            for key, value in vars(self).items()
        }
        return {**plain, "nulls": list(self.nulls), "sources": [], "readers": list(self.readers)}


class DrawnFrom(NamedTuple):
    """What `kasu.<study>.evaluation.examples` draws from: the plan of a study with examples has it.

    Attributes:
        files: what it reads, by name.
        settings: its further arguments, all but the seed.
    """

    files: Mapping[str, Sequence[str]]
    settings: Mapping[str, object]


class StudyPlan(Protocol):
    """What the workflow asks of every study's plan. Nothing is resolved before it is asked for."""

    papers: tuple[str, ...]
    """The papers whose printed figures it reads."""

    @property
    def files(self) -> list[str]:
        """What the study's target builds: scores, tables and figures."""
        ...

    @property
    def report(self) -> StudyReport:
        """What the report shows of the study."""
        ...
