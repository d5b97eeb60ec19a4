"""The report: one page that opens from disk and sets our figures next to the published ones."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from urllib.parse import quote

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kasu.base.errors import KasuError
from kasu.base.visible import visible
from kasu.files.tables import read_tsv, write_text
from kasu.report.display import (
    PARTS,
    Groups,
    arrange,
    columns,
    count_states,
    describe_row,
    findings,
)
from kasu.report.examples import Examples, show_examples
from kasu.report.markup import inline_caption, inline_svg, split_caption
from kasu.report.on_record import OnRecord, chips
from kasu.report.provenance import describe_source, used_dictionaries, used_sources
from kasu.results.comparison import read_comparison
from kasu.results.paths import pdf_of
from kasu.results.reproduction import (
    FLOOR,
    HALF,
    MARGIN,
    MOST,
    NEAR,
    WIDE,
    Judged,
    State,
    judge_table,
)
from kasu.results.study import Data, StudyReport
from kasu.results.verdicts import About, Verdict
from kasu.results.warnings.table import read_warnings

DECIMAL = r"-?\d+\.\d+(?:e-?\d+)?"
TITLE, YOUR_TITLE = "Kasu: ours next to published", "Kasu: your data"
LEGEND = "ours (filled, with intervals) against published (diamonds)"
YOUR_LEGEND = "figures of your data, with intervals"
JUDGED_BY = {About.OURS: "about our figures", About.PRINT: "about print alone"}
FOLDED = 50  # rows of a table; more open at a click
LISTED = 300  # rows of a table; more are a link to its file
EXAMPLES = 3  # of a study; more open at a click


# Of a study whose figures cannot reproduce printed ones
ASIDE = {
    Data.YOURS: "your data. Their figures stand by themselves; what the paper prints, of its own "
    "data, is folded below them.",
    Data.DEMO: "the demo's data, invented for it, not the paper's. They show that the workflow "
    "runs and what it finds there; none of their figures can reproduce a printed one.",
    Data.UNKNOWN: "the folder does not say whose data these are, nor which systems are nulls. So "
    "no figure is judged.",
}
# What each word means, as the page says it; `kasu.results.reproduction` has the rules
RULES = {
    State.AGREES: "Ours shows the printed digits, or our whole 95 % interval lies within "
    f"{100 * MARGIN:.0f} points of the printed figure and within {100 * NEAR:.0f} % of the way to "
    "it from the nearest null.",
    State.CONSISTENT: "Our interval contains the printed figure but reaches further.",
    State.IN_KIND: "Our interval misses it and contains no null; ours lies between a null and it, "
    f"within {100 * NEAR:.0f} % of the way from the nearest null.",
    State.DIFFERS: "None of these.",
    State.UNINFORMATIVE: "It fits but shows nothing: a null fits as well, our interval contains a "
    f"null or is wider than {100 * WIDE:.0f} points, or the printed share is below "
    f"{100 * FLOOR:.0f} %. Or the paper prints a whole number among decimals, such as 0, which has "
    "no digits to show.",
    State.IN_PART: f"Of a table: fewer than {100 * HALF:.0f} % of its figures have one of ours.",
    State.NOT_RUN: "No figure of ours by the default variant, or none on the paper's data.",
    State.YOURS: "Of a table: its figures are of your own data. None stands beside a printed one, "
    "and none is judged.",
}


def build_page(
    out: str | Path,
    *,
    studies: Sequence[StudyReport],
    sources: Sequence[Mapping[str, str]],
    inputs: Iterable[str] = (),
    config: Mapping[str, object],
    versions: Mapping[str, str],
    dictionaries: Iterable[str] = (),
    record: Sequence[OnRecord] = (),
    notices: Sequence[str] = (),
    partial: bool = False,
) -> None:
    """Write the report as one HTML file: no network, no fonts, no wall clock.

    Args:
        studies: what to show, in order, those of the user's data first; their sources are not read.
        sources: for each, what `kasu.report.provenance.describe_source` takes.
        inputs: all files that the page is of; their seals tell which sources were read.
        config: the config as used, shown as YAML; its `summary` stands at the top, and its
            `results` is the folder of all outputs. Nothing is shown of a config of these two alone.
        versions: by name of a package or tool, as far as they are known.
        dictionaries: those of analysers; the page prints the hashes that they were read with.
        record: what earlier runs have measured, shown before this run; behind it, if the run has
            figures of the user's data.
        notices: what a reader must know of the page, a line each.
        partial: whether sources may be missing; the page then says so of each.

    Raises:
        KasuError: an input is missing or cannot be read.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["number"] = _number
    environment.filters["whole"] = lambda number: "" if number is None else f"{number:,.0f}"
    environment.tests["number_text"] = lambda text: bool(re.fullmatch(rf"-?\d+|{DECIMAL}", text))
    environment.filters["chips"] = chips
    environment.filters["columns"] = columns
    environment.filters["parts"] = lambda condition: condition.replace("|", " · ")
    results, folder = str(config["results"]), Path(out).parent
    used = used_sources(inputs)
    ordered = sorted(studies, key=lambda study: study.data is not Data.YOURS)
    shown = [_study(study, results, folder) for study in ordered]
    page = environment.get_template("page.html.j2").render(
        title=YOUR_TITLE if all(study.yours for study in shown) else TITLE,
        studies=shown,
        states=RULES,
        judged_by=JUDGED_BY,
        unreached=State.NOT_RUN,
        most=MOST,
        first=_read_first(shown),
        sources=[describe_source(source, used, partial=partial) for source in sources],
        config=config,
        folded=FOLDED,
        listed=LISTED,
        shown_at_once=EXAMPLES,
        config_text=yaml.safe_dump(config, allow_unicode=True, sort_keys=False)
        if len(config) > 2
        else "",
        versions={**versions, **used_dictionaries(dictionaries, used)},
        record=record,
        notices=notices,
        aside=ASIDE,
        own_first=any(study.yours for study in shown),
    )
    write_text(out, page)


@dataclass(frozen=True)
class _Part:
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
class _Table:
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
    parts: list[_Part]
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
class _Detail:
    """A further table of a study.

    Attributes:
        rows: what is shown first.
        folded: what opens at a click, by its line: claims that say nothing of this run.
    """

    anchor: str
    link: str
    rows: list[dict[str, str]]
    folded: dict[str, list[dict[str, str]]]


@dataclass(frozen=True)
class _StudyView:
    """A study as the page shows it."""

    name: str
    title: str
    short: str
    citation: str
    data: Data | None
    examples: Examples | None
    warnings: list[str]
    tables: list[_Table]
    counted: list[dict[str, object]]
    details: dict[str, _Detail]
    claims: _Detail | None

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
    def reached(self) -> list[_Table]:
        """The tables with a figure of ours."""
        return [table for table in self.tables if table.judged.state is not State.NOT_RUN]

    @property
    def unreached(self) -> list[_Table]:
        """The tables without one."""
        return [table for table in self.tables if table.judged.state is State.NOT_RUN]

    @property
    def folded(self) -> list[_Table]:
        """The tables that stand last and open at a click: print alone."""
        return [table for table in self.tables if not table.own]

    @property
    def ordered(self) -> list[_Table]:
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


def _read_first(studies: Sequence[_StudyView]) -> list[tuple[str, str]]:
    """Return what to read before all else, as (anchor, text).

    For each study: the first table that is reproduced, the first that differs (a study has its main
    tables first), and its claims if any fails.
    """
    links = []
    for study in studies:
        for states in ((State.AGREES, State.CONSISTENT, State.IN_KIND), (State.DIFFERS,)):
            tables = [table for table in study.reached if table.judged.state in states]
            for table in tables[:1]:
                count = sum(table.judged.states[state] for state in states)
                share = f"{count:,} of {table.judged.run:,} figures"
                text = f"{study.short}, {table.title} {table.judged.state}: {share}"
                links.append((table.anchor, text))
        for about, counts in study.verdicts.items():
            if study.claims and (failed := counts.get(Verdict.FAILS)):
                share = f"{failed} of {sum(counts.values())} claims {JUDGED_BY[about]} fail"
                links.append((study.claims.anchor, f"{study.short}: {share}"))
    return links


def _study(study: StudyReport, results: str, folder: Path) -> _StudyView:
    details, claims = {}, None
    for heading, path in study.details.items():
        slug = re.sub(r"[^a-z0-9]+", "-", heading.lower())
        judged = Path(path).name == "claims.tsv"
        rows = read_tsv(_existing(path), ["about", "result"] if judged else ())
        folded = _idle_claims(rows, yours=study.data is Data.YOURS) if judged else {}
        idle = [*chain.from_iterable(folded.values())]
        details[heading] = _Detail(
            anchor=f"{study.name}-{slug}",
            link=_link(path, folder),
            rows=[row for row in rows if row not in idle],
            folded=folded,
        )
        claims = details[heading] if judged else claims
    return _StudyView(
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


def _table(study: StudyReport, slug: str, path: str, folder: Path) -> _Table:
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
    return _Table(
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


def _part(heading: str, groups: Groups, notes: dict[str, int]) -> _Part:
    """Number the notes that no earlier part has, in the order of the page; add them to `notes`."""
    size, before = sum(map(len, groups.values())), len(notes)
    if size <= LISTED:
        for note in (cell.row.note for cells in groups.values() for cell in cells):
            if note:
                notes.setdefault(note, len(notes) + 1)
    return _Part(heading, groups, size, list(notes)[before:], before + 1)


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


def _shown(value: object) -> object:
    """Return what the page shows of a value that is no markup."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible(value, kept="\n")
    return value


def _number(text: str) -> str:
    """Group the thousands of a whole number, round a decimal to four digits, keep other text."""
    if re.fullmatch(r"\d+", str(text)):
        return f"{int(text):,}"
    return f"{float(text):.4g}" if re.fullmatch(DECIMAL, str(text)) else text
