"""The report: one page that opens from disk and sets our figures beside the published ones."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NotRequired, TypedDict
from urllib.parse import quote

import yaml
from docutils.core import publish_parts
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from kasu.base.comparison import read_comparison
from kasu.base.errors import KasuError
from kasu.base.tables import read_tsv, write_text
from kasu.report.display import PARTS, arrange, findings
from kasu.report.provenance import describe_source

DECIMAL = r"-?\d+\.\d+(?:e-?\d+)?"
Paths = Mapping[str, str | Path]
LEGEND = "ours (filled, with intervals) against published (diamonds)"
FOLDED = 150  # rows above which a table opens at a click
LISTED = 400  # rows above which the page leads to the file instead


class Study(TypedDict):
    """What the page shows of one study; names are slugs, paths are files to read.

    `tables` are written from `kasu.base.comparison.beside`; `captions` (.rst) and `figures` (.svg)
    go by the name of their table. `counts` (step, count) and `drops` (reason, count) go by what
    was counted. `details` are further TSV files by their heading. `nulls` are the systems that
    others should lie above. `legends` say what a figure shows that does not set ours against
    published.
    """

    name: str
    title: str
    citation: str
    tables: Paths
    captions: NotRequired[Paths]
    figures: NotRequired[Paths]
    counts: NotRequired[Paths]
    drops: NotRequired[Paths]
    details: NotRequired[Paths]
    nulls: NotRequired[Sequence[str]]
    legends: NotRequired[Mapping[str, str]]


def build_page(
    out: str | Path,
    *,
    title: str,
    studies: Sequence[Study],
    sources: Sequence[Mapping[str, str]],
    config: Mapping[str, object],
    versions: Mapping[str, str],
) -> None:
    """Write the report as one HTML file: no network, no fonts, no wall clock.

    Args:
        title: the heading of the page.
        studies: what to show, in order.
        sources: for each, what `kasu.report.provenance.describe_source` takes.
        config: the config as used, shown as YAML; `summary` and `results` stand at the top.
        versions: by name of a package or tool.

    Raises:
        KasuError: an input is missing or cannot be read.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["number"] = _number
    environment.filters["whole"] = lambda number: "" if number is None else f"{number:,.0f}"
    environment.tests["number_text"] = lambda text: bool(re.fullmatch(rf"-?\d+|{DECIMAL}", text))
    environment.filters["parts"] = lambda condition: condition.replace("|", " · ")
    page = environment.get_template("page.html.j2").render(
        title=title,
        studies=[_study(study, Path(out).parent) for study in studies],
        sources=[describe_source(source) for source in sources],
        config=config,
        folded=FOLDED,
        listed=LISTED,
        config_text=yaml.safe_dump(config, allow_unicode=True, sort_keys=False),
        versions=versions,
    )
    write_text(out, page)


def _study(study: Study, folder: Path) -> dict[str, object]:
    captions, figures = study.get("captions", {}), study.get("figures", {})
    counted = list(dict.fromkeys([*study.get("counts", {}), *study.get("drops", {})]))
    return {
        **{key: study[key] for key in ("name", "title", "citation")},
        "tables": [
            _table(
                f"{study['name']}-{name}",
                path,
                captions.get(name),
                figures.get(name),
                legend=study.get("legends", {}).get(name, LEGEND),
                nulls=study.get("nulls", ()),
                link=_link(path, folder),
            )
            for name, path in study["tables"].items()
        ],
        "counted": [
            {
                "name": name,
                "counts": _plain(study.get("counts", {}).get(name)),
                "drops": _plain(study.get("drops", {}).get(name)),
            }
            for name in counted
        ],
        "details": {
            name: {"rows": _plain(path), "link": _link(path, folder)}
            for name, path in study.get("details", {}).items()
        },
    }


def _link(path: str | Path, folder: Path) -> str:
    """The way from the page to a file of the results."""
    return quote(Path(os.path.relpath(path, folder)).as_posix())


def _table(
    anchor: str,
    path: str | Path,
    caption: object,
    figure: object,
    *,
    legend: str,
    nulls: Sequence[str],
    link: str,
) -> dict[str, object]:
    rows = read_comparison(_existing(path))
    parts = [
        (PARTS[part], groups, sum(map(len, groups.values())))
        for part, groups in arrange(rows).items()
        if groups
    ]
    listed = (groups for _, groups, size in parts if size <= LISTED)
    shown = (cell.row.note for groups in listed for cells in groups.values() for cell in cells)
    notes = dict.fromkeys(note for note in shown if note)
    return {
        "anchor": anchor,
        "title": rows[0].table[0].upper() + rows[0].table[1:],
        "caption": caption and _caption(_existing(caption)),
        "figure": figure and _inline(_existing(figure), anchor),
        "legend": legend,
        "findings": findings(rows, nulls),
        "reached": any(row.difference is not None for row in rows),
        "parts": parts,
        "link": link,
        "notes": {note: number for number, note in enumerate(notes, start=1)},
    }


def _existing(path: str | Path) -> Path:
    path = Path(path)
    if not path.is_file():
        raise KasuError(path, "no such file", "an input of the report")
    return path


def _plain(path: str | Path | None) -> list[dict[str, str]] | None:
    return read_tsv(_existing(path)) if path else None


def _caption(path: Path) -> str:
    """The caption as HTML; reStructuredText may neither hold raw HTML nor read files."""
    safe = {"raw_enabled": False, "file_insertion_enabled": False, "report_level": 5}
    text = path.read_text(encoding="utf-8")
    return publish_parts(text, writer="html5", settings_overrides=safe)["fragment"]


def _inline(path: Path, anchor: str) -> str:
    """The SVG as an element of the page, its ids its own."""
    _, start, rest = path.read_text(encoding="utf-8").partition("<svg")
    if not start:
        raise KasuError(path, "no <svg> element", "a figure in SVG")
    own = re.sub(r'(\sid="|href="#|url\(#)', rf"\g<1>{anchor}-", rest)
    return f'<svg role="img" aria-labelledby="{anchor}-figure"{own}'


def _number(text: str) -> str:
    """A whole number with thousands apart, another to four digits; any other text as it is."""
    if re.fullmatch(r"\d+", str(text)):
        return f"{int(text):,}"
    return f"{float(text):.4g}" if re.fullmatch(DECIMAL, str(text)) else text
