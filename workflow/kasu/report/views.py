"""A study as the page shows it: its tables, judged and in parts, with their figures and links."""

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from urllib.parse import quote

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv
from kasu.report.display import PARTS, Groups, arrange, count_states, describe_row, findings
from kasu.report.examples import Examples, show_examples
from kasu.report.markup import inline_caption, inline_svg, split_caption
from kasu.results.comparison import read_comparison
from kasu.results.paths import pdf_of
from kasu.results.reproduction import Judged, State, judge_table
from kasu.results.study import Data, StudyReport
from kasu.results.verdicts import About, Verdict
from kasu.results.warnings.table import read_warnings

LEGEND = "ours (filled, with intervals) against published (diamonds)"
YOUR_LEGEND = "figures of your data, with intervals"
LISTED = 300  # rows of a table; more are a link to its file


@dataclass(frozen=True)
class Part:
    """A part of a table.

    Attributes:
        groups, size: its rows, and how many they are.
        notes: those that no part above it has.
        first: the number of the first of them.
    """

    heading: str
    groups: Groups
    size: int
    notes: list[str]
    first: int


@dataclass(frozen=True)
class TableView:
    """A table of ours next to published, as the page shows it.

    Attributes:
        caption: its first paragraph, and the others.
        figure: its figure as SVG, if it has one.
        drawn: links to the figure's files, by kind.
        notes: the number of each.
    """

    anchor: str
    title: str
    link: str
    caption: tuple[str, str]
    figure: str
    drawn: dict[str, str]
    legend: str
    judged: Judged
    findings: list[str]
    parts: list[Part]
    notes: dict[str, int]

    @property
    def share(self) -> str:
        """How much of the table ran, in a line."""
        if self.findings:
            return self.findings[0]
        figures = "figure" if self.judged.printed == 1 else "figures"
        return f"{self.judged.printed:,} printed {figures}, {self.own:,} of ours"

    @property
    def own(self) -> int:
        """How many figures of ours its first part has."""
        main = (part.groups for part in self.parts if not part.heading)
        return sum(cell.ours != "" for groups in main for each in groups.values() for cell in each)

    @property
    def reason(self) -> str:
        """Why the table differs, or what those of its figures are that ran."""
        if self.judged.state is State.IN_PART:
            return count_states(self.judged)
        differing = self.judged.states[State.DIFFERS]
        if self.judged.state is not State.DIFFERS or not self.judged.worst:
            return ""
        worst = describe_row(self.judged.worst)
        return f"{differing:,} of {self.judged.run:,} differ; furthest: {worst}"


@dataclass(frozen=True)
class Detail:
    """A further table of a study.

    Attributes:
        figure: SVG, or empty.
        drawn: links to the figure's files, by kind.
        legend: what the figure shows.
        rows: what is shown first.
        folded: what opens at a click, by its line: claims that say nothing of this run.
    """

    anchor: str
    link: str
    figure: str
    drawn: dict[str, str]
    legend: str
    rows: list[dict[str, str]]
    folded: dict[str, list[dict[str, str]]]


@dataclass(frozen=True)
class StudyView:
    """A study as the page shows it."""

    name: str
    title: str
    short: str
    citation: str
    data: Data | None
    examples: Examples | None
    warnings: list[str]
    tables: list[TableView]
    counted: list[dict[str, object]]
    details: dict[str, Detail]
    claims: Detail | None

    @property
    def local(self) -> bool:
        """Whether no figure is known to be about the paper's data."""
        return self.data is not Data.PAPER

    @property
    def foreign(self) -> bool:
        """Whether the figures are known to be about other data than the paper's."""
        return self.data not in (Data.PAPER, Data.UNKNOWN)

    @property
    def yours(self) -> bool:
        """Whether the figures are of the user's own data."""
        return self.data is Data.YOURS

    @property
    def run(self) -> int:
        """How many published figures have one of ours next to them."""
        return sum(table.judged.run for table in self.tables)

    @property
    def own(self) -> int:
        """How many figures are of the user's data, seeds and further metrics not counted."""
        return sum(table.own for table in self.tables)

    @property
    def printed(self) -> int:
        """How many figures the tables print."""
        return sum(table.judged.printed for table in self.tables)

    @property
    def reached(self) -> list[TableView]:
        """The tables with a figure of ours."""
        return [table for table in self.tables if table.judged.state is not State.NOT_RUN]

    @property
    def unreached(self) -> list[TableView]:
        """The tables without one."""
        return [table for table in self.tables if table.judged.state is State.NOT_RUN]

    @property
    def folded(self) -> list[TableView]:
        """The tables that stand last and open at a click: print alone."""
        return [table for table in self.tables if not table.own]

    @property
    def ordered(self) -> list[TableView]:
        """All tables in the order of the page."""
        return [*(table for table in self.tables if table.own), *self.folded]

    @property
    def verdicts(self) -> dict[About, dict[Verdict, int]]:
        """How many claims have each verdict, by whose figures; one of two variants counts twice."""
        if self.local or not self.claims:
            return {}
        rows = [*self.claims.rows, *chain.from_iterable(self.claims.folded.values())]
        found = Counter((row["about"], row["result"]) for row in rows)
        counts = {
            about: {verdict: found[about, verdict] for verdict in Verdict if found[about, verdict]}
            for about in About
        }
        return {about: of_claims for about, of_claims in counts.items() if of_claims}


def view_study(study: StudyReport, results: str, folder: Path) -> StudyView:
    """Read all that the page shows of a study.

    Args:
        results: the folder of all outputs.
        folder: that of the page, from which links lead.

    Raises:
        KasuError: a file is missing or cannot be read.
    """
    details, claims = {}, None
    for heading, path in study.details.items():
        slug = re.sub(r"[^a-z0-9]+", "-", heading.lower())
        judged = Path(path).name == "claims.tsv"
        rows = read_tsv(_existing(path), ["about", "result"] if judged else ())
        folded = _idle_claims(rows, yours=study.data is Data.YOURS) if judged else {}
        idle = [*chain.from_iterable(folded.values())]
        anchor, stem = f"{study.name}-{slug}", Path(path).stem
        figure = study.figures.get(stem)
        details[heading] = Detail(
            anchor=anchor,
            link=_link(path, folder),
            figure=inline_svg(_existing(figure), anchor) if figure else "",
            drawn=_drawn(figure, folder) if figure else {},
            legend=study.legends.get(stem, YOUR_LEGEND),
            rows=[row for row in rows if row not in idle],
            folded=folded,
        )
        claims = details[heading] if judged else claims
    return StudyView(
        name=study.name,
        title=study.title,
        short=study.short,
        citation=study.citation,
        data=study.data,
        examples=show_examples(_existing(study.examples)) if study.examples else None,
        warnings=read_warnings(_existing(study.warnings)) if study.warnings else [],
        tables=[_table(study, slug, path, folder) for slug, path in study.tables(results).items()],
        counted=[
            {
                "name": name,
                "counts": _plain(study.counts.get(name)),
                "drops": _plain(study.drops.get(name)),
            }
            for name in dict.fromkeys([*study.counts, *study.drops])
        ],
        details=details,
        claims=claims,
    )


def _idle_claims(
    claims: Sequence[dict[str, str]], *, yours: bool
) -> dict[str, list[dict[str, str]]]:
    """Return the claims that say nothing of a run, by a line that counts them.

    They are untestable here or, where the data are the user's, about print alone.
    """
    untestable = [row for row in claims if row["result"] == Verdict.UNTESTABLE]
    of_print = [
        row for row in claims if yours and row["about"] == About.PRINT and row not in untestable
    ]
    said = {"untestable here": untestable, "about print alone": of_print}
    return {
        f"{len(rows):,} {'claim is' if len(rows) == 1 else 'claims are'} {what}": rows
        for what, rows in said.items()
        if rows
    }


def _link(path: str | Path, folder: Path) -> str:
    """Return the relative link from the page to a file of the results."""
    # A name may be any bytes
    return quote(Path(os.path.relpath(path, folder)).as_posix(), errors="surrogateescape")


def _table(study: StudyReport, slug: str, path: str, folder: Path) -> TableView:
    caption, figure = study.captions.get(slug), study.figures.get(slug)
    rows = read_comparison(_existing(path))
    local, yours = study.data is not Data.PAPER, study.data is Data.YOURS
    judged = judge_table(rows, study.nulls, defaults=study.defaults, local=local)
    if yours and any(row.ours is not None for row in rows):
        judged = replace(judged, state=State.YOURS)
    notes: dict[str, int] = {}
    parts = [
        _part(PARTS[part], groups, notes)
        for part, groups in arrange(rows, study.nulls, local=local, yours=yours).items()
        if groups
    ]
    anchor = f"{study.name}-{slug}"
    return TableView(
        anchor=anchor,
        title=rows[0].table[0].upper() + rows[0].table[1:],
        link=_link(path, folder),
        caption=split_caption(inline_caption(_existing(caption), anchor)) if caption else ("", ""),
        figure=inline_svg(_existing(figure), anchor) if figure else "",
        drawn=_drawn(figure, folder) if figure else {},
        legend=study.legends.get(slug, YOUR_LEGEND if yours else LEGEND),
        judged=judged,
        findings=[] if local else findings(rows, judged, study.nulls),
        parts=parts,
        notes=notes,
    )


def _part(heading: str, groups: Groups, notes: dict[str, int]) -> Part:
    """Number the notes that no earlier part has, in the order of the page; add them to `notes`."""
    size, before = sum(map(len, groups.values())), len(notes)
    if size <= LISTED:
        for note in (cell.row.note for cells in groups.values() for cell in cells):
            if note:
                notes.setdefault(note, len(notes) + 1)
    return Part(heading, groups, size, list(notes)[before:], before + 1)


def _drawn(figure: str, folder: Path) -> dict[str, str]:
    """Return the links to the files of a figure; a run of an older Kasu has no PDF."""
    files = {"SVG": Path(figure), "PDF": pdf_of(figure)}
    return {kind: _link(path, folder) for kind, path in files.items() if path.is_file()}


def _existing(path: str | Path) -> Path:
    path = Path(path)
    if not path.is_file():
        raise KasuError(path, "no such file", "an input of the report")
    return path


def _plain(path: str | Path | None) -> list[dict[str, str]] | None:
    return read_tsv(_existing(path)) if path else None
