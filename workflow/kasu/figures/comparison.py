"""The figure of any printed table: our figures next to the published ones."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kasu.figures.style import (
    COLOURS,
    GREY,
    INK,
    MARKERS,
    STROKES,
    figure_style,
    grid_lines,
    label_scale,
    legend_entries,
    write_figure,
)
from kasu.results.comparison import Row, headline, read_comparison

Lines = list[tuple[str, str]]
"""The lines of a panel from top to bottom: (system, condition)."""


def draw_comparison(table: str | Path, figure: str | Path, title: str) -> None:
    """Draw a table of ours next to published: one panel per metric, one line per figure.

    Lines are those of published figures or, where ours stand beside none, of ours, in the metrics
    that the paper prints.

    Published figures are hollow diamonds; ours are filled marks with their interval, one kind per
    variant; systems without a line (nulls) are grey strokes. Only metrics and conditions with a
    figure of ours are drawn, or all if there is none.

    Args:
        table: a TSV written from `kasu.results.comparison.beside`.
        figure: the SVG to write; its PDF lands beside it.
        title: the heading above the panels.

    Raises:
        KasuError: the table cannot be read.
    """
    rows = read_comparison(table)
    ours = headline(rows)
    conditions = {row.condition for row in ours} or {row.condition for row in rows}
    printed = [row for row in rows if row.published is not None]
    measured, wanted = ({row.metric for row in each} for each in (ours, printed))
    metrics = measured & wanted or measured or wanted
    theirs = [row for row in printed if row.condition in conditions and row.metric in metrics]
    drawn = theirs
    if ours and all(row.published is None for row in ours):
        theirs, drawn = [], [row for row in ours if row.metric in metrics]
    panels: dict[str, Lines] = {row.metric: [] for row in drawn}
    for row in drawn:
        line = (row.system, row.condition)
        if line not in panels[row.metric]:
            panels[row.metric].append(line)
    with figure_style(title):
        write_figure(_draw(panels, theirs, ours, title), figure)


def _draw(
    panels: Mapping[str, Lines], theirs: Sequence[Row], ours: Sequence[Row], title: str
) -> Figure:
    systems = {system for lines in panels.values() for system, _ in lines}
    variants = sorted({row.variant or "" for row in ours if row.system in systems})
    nulls = list(dict.fromkeys(row.system for row in ours if row.system not in systems))
    height = 1.4 + 0.55 * len(panels) + 0.42 * sum(map(len, panels.values()))
    drawing = Figure(figsize=(4.6, height), layout="constrained")
    drawing.suptitle(title, fontsize=10)
    axes = drawing.subplots(
        len(panels) or 1,
        squeeze=False,
        gridspec_kw={"height_ratios": [len(lines) for lines in panels.values()] or [1]},
    )[:, 0]
    for axis, (metric, lines) in zip(axes, panels.items(), strict=False):
        published = [row for row in theirs if row.metric == metric]
        mine = [row for row in ours if row.metric == metric]
        percent = any(row.percent for row in published or mine)
        scale = 100 if percent else 1
        _lay_out(axis, metric, lines, many_systems=len(systems) > 1, percent=percent)
        if published:
            _draw_published(axis, lines, published, scale)
        for index, variant in enumerate(variants):
            # Variants share a line: spread them around its middle
            shift = 0.4 * (index - (len(variants) - 1) / 2)
            of_variant = [
                row for row in mine if (row.variant or "") == variant and row.system in systems
            ]
            _draw_ours(axis, lines, of_variant, scale, shift, index)
        for index, null in enumerate(nulls):
            _draw_null(axis, lines, [row for row in mine if row.system == null], scale, index)
    _add_legend(drawing, axes, last=nulls)
    return drawing


def _add_legend(drawing: Figure, axes: Iterable[Axes], last: Sequence[str]) -> None:
    entries = legend_entries(axes)
    labels = sorted(entries, key=lambda label: label in last)
    handles = [entries[label] for label in labels]
    drawing.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=8)


def _lay_out(axis: Axes, metric: str, lines: Lines, *, many_systems: bool, percent: bool) -> None:
    labels = [
        (f"{system}: " if many_systems else "") + condition.replace("|", " · ")
        for system, condition in lines
    ]
    axis.set_yticks(range(len(lines)), labels)
    axis.set_ylim(len(lines) - 0.5, -0.5)
    label_scale(axis, metric.replace("_", " ") + (", %" if percent else ""), len(lines))
    axis.tick_params(axis="y", length=0)
    grid_lines(axis, "x", hidden=("top", "right", "left"))
    axis.margins(x=0.06)


def _draw_published(axis: Axes, lines: Lines, rows: Sequence[Row], scale: int) -> None:
    values = {
        (row.system, row.condition): scale * row.published
        for row in rows
        if row.published is not None
    }
    axis.plot(
        [values[line] for line in lines],
        range(len(lines)),
        linestyle="none",
        marker="D",
        markersize=7,
        markerfacecolor="none",
        markeredgecolor=INK,
        label="published",
    )


def _draw_ours(
    axis: Axes, lines: Lines, rows: Sequence[Row], scale: int, shift: float, index: int
) -> None:
    for row in rows:
        if row.ours is None or (row.system, row.condition) not in lines:
            continue
        place = scale * row.ours
        error = None
        if row.interval:
            low, high = row.interval
            error = [[max(place - scale * low, 0)], [max(scale * high - place, 0)]]
        axis.errorbar(
            place,
            lines.index((row.system, row.condition)) + shift,
            xerr=error,
            fmt=MARKERS[index % len(MARKERS)],
            color=COLOURS[index % len(COLOURS)],
            markersize=4.5,
            capsize=2.5,
            linewidth=1.2,
            label=f"ours, {row.variant}" if row.variant else "ours",
        )


def _draw_null(axis: Axes, lines: Lines, rows: Sequence[Row], scale: int, index: int) -> None:
    places = {
        (scale * row.ours, y)
        for row in rows
        for y, (_, condition) in enumerate(lines)
        if condition == row.condition and row.ours is not None
    }
    if places:
        xs, ys = zip(*sorted(places), strict=True)
        axis.plot(
            xs,
            ys,
            linestyle="none",
            marker=STROKES[index % len(STROKES)],
            markersize=8,
            markeredgewidth=1.5,
            color=GREY,
            label=rows[0].system,
        )
