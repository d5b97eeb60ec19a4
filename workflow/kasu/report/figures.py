"""Figures: ours against published, as SVG whose bytes depend on the table alone."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("svg")

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kasu.base.tables import landing
from kasu.report.comparison import Row, headline, read_comparison

# Okabe and Ito's palette: told apart by colour-blind readers and legible on black and white.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
MARKERS = "osD^vP"
INK = "#010203"  # a mark for text and axes: becomes the colour of the page's own text
GREY = "#808080"
STYLE = {
    "svg.fonttype": "path",  # no font is needed where the page is read
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
}
_NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))


def draw_comparison(table: str | Path, figure: str | Path, title: str) -> None:
    """Draw a table of ours beside published: a panel a metric, a line a published figure.

    Published figures are hollow diamonds; ours are filled marks with their interval, one kind a
    variant; systems that the paper lacks (nulls) are grey strokes. Only conditions with a figure
    of ours are drawn, or all where there is none.

    Args:
        table: a TSV written from `kasu.base.published.beside`.
        figure: the SVG to write.
        title: stands above the panels.

    Raises:
        KasuError: the table cannot be read.
    """
    rows = read_comparison(table)
    ours = headline(rows)
    conditions = {row.condition for row in ours} or {row.condition for row in rows}
    theirs = [row for row in rows if row.published is not None and row.condition in conditions]
    panels = {row.metric: [] for row in theirs}
    for row in theirs:
        line = (row.system, row.condition)
        if line not in panels[row.metric]:
            panels[row.metric].append(line)
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": title}):
        write_svg(_draw(panels, theirs, ours, title), figure)


def write_svg(drawing: Figure, figure: str | Path) -> None:
    """Write a drawing made in STYLE as SVG, its ink in the colour of the page's own text."""
    with landing(figure) as part:
        drawing.savefig(part, format="svg", transparent=True, metadata=_NO_METADATA)
        svg = part.read_text(encoding="utf-8")
        part.write_text(svg.replace(INK, "currentColor"), encoding="utf-8")


def _draw(panels: dict, theirs: Sequence[Row], ours: Sequence[Row], title: str) -> Figure:
    systems = {row.system for row in theirs}
    variants = sorted({row.variant or "" for row in ours if row.system in systems})
    nulls = list(dict.fromkeys(row.system for row in ours if row.system not in systems))
    lines = sum(map(len, panels.values()))
    drawing = Figure(figsize=(4.6, 1.4 + 0.55 * len(panels) + 0.42 * lines), layout="constrained")
    drawing.suptitle(title, fontsize=10)
    axes = drawing.subplots(
        len(panels) or 1,
        squeeze=False,
        gridspec_kw={"height_ratios": [len(lines) for lines in panels.values()] or [1]},
    )[:, 0]
    for axis, (metric, lines) in zip(axes, panels.items(), strict=False):
        scale = 100 if any(row.percent for row in theirs if row.metric == metric) else 1
        _lay_out(axis, metric, lines, many_systems=len(systems) > 1, percent=scale == 100)
        _draw_published(axis, lines, theirs, metric, scale)
        for index, variant in enumerate(variants):
            shift = 0.4 * (index - (len(variants) - 1) / 2)
            mine = [
                row
                for row in ours
                if row.metric == metric and (row.variant or "") == variant and row.system in systems
            ]
            _draw_ours(axis, lines, mine, scale, shift, index, variant)
        for index, null in enumerate(nulls):
            mine = [row for row in ours if row.metric == metric and row.system == null]
            _draw_null(axis, lines, mine, scale, index, null)
    _add_legend(drawing, axes, last=nulls)
    return drawing


def _add_legend(drawing: Figure, axes: Sequence[Axes], last: Sequence[str]) -> None:
    entries = {}
    for axis in axes:
        entries.update(zip(*reversed(axis.get_legend_handles_labels()), strict=True))
    labels = sorted(entries, key=lambda label: label in last)
    handles = [entries[label] for label in labels]
    drawing.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=8)


def _lay_out(axis: Axes, metric: str, lines: list, *, many_systems: bool, percent: bool) -> None:
    labels = [
        (f"{system}: " if many_systems else "") + condition.replace("|", " · ")
        for system, condition in lines
    ]
    axis.set_yticks(range(len(lines)), labels)
    axis.set_ylim(len(lines) - 0.5, -0.5)
    axis.set_xlabel(metric.replace("_", " ") + (", %" if percent else ""))
    axis.grid(axis="x", color=GREY, alpha=0.3, linewidth=0.6)
    axis.set_axisbelow(True)
    axis.tick_params(axis="y", length=0)
    axis.spines[["top", "right", "left"]].set_visible(False)
    axis.margins(x=0.06)


def _draw_published(axis: Axes, lines: list, rows: Sequence[Row], metric: str, scale: int) -> None:
    places = {
        (row.system, row.condition): scale * row.published for row in rows if row.metric == metric
    }
    axis.plot(
        [places[line] for line in lines],
        range(len(lines)),
        linestyle="none",
        marker="D",
        markersize=7,
        markerfacecolor="none",
        markeredgecolor=INK,
        label="published",
    )


def _draw_ours(
    axis: Axes, lines: list, rows: Sequence[Row], scale: int, shift: float, index: int, variant: str
) -> None:
    for row in rows:
        if (row.system, row.condition) not in lines:
            continue
        place = scale * row.ours
        error = None
        if row.has_interval:
            error = [[max(place - scale * row.low, 0)], [max(scale * row.high - place, 0)]]
        axis.errorbar(
            place,
            lines.index((row.system, row.condition)) + shift,
            xerr=error,
            fmt=MARKERS[index % len(MARKERS)],
            color=COLOURS[index % len(COLOURS)],
            markersize=4.5,
            capsize=2.5,
            linewidth=1.2,
            label=f"ours, {variant}" if variant else "ours",
        )


def _draw_null(
    axis: Axes, lines: list, rows: Sequence[Row], scale: int, index: int, null: str
) -> None:
    places = {
        (scale * row.ours, y)
        for row in rows
        for y, (_, condition) in enumerate(lines)
        if condition == row.condition
    }
    if places:
        xs, ys = zip(*sorted(places), strict=True)
        axis.plot(
            xs,
            ys,
            linestyle="none",
            marker="|x+"[index % 3],
            markersize=8,
            markeredgewidth=1.5,
            color=GREY,
            label=null,
        )
