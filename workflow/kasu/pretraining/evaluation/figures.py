"""Figures 1 to 4 of Urbizu et al. (2024): accuracy by epoch (BL2MP-9 to -13)."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kasu.base.errors import KasuError
from kasu.figures.style import (
    COLOURS,
    GREY,
    MARKERS,
    figure_style,
    grid_lines,
    legend_entries,
    write_figure,
)
from kasu.files.tables import read_tsv
from kasu.pretraining.evaluation.curves import CURVES, LOSS

_COLUMNS = 3


class _Point(NamedTuple):
    epoch: int
    value: float | None
    low: float | None
    high: float | None
    published: float | None


Panels = dict[str, dict[tuple[str, str], list[_Point]]]
"""Panel -> (kind, line) -> its points."""


def draw_curves(table: str | Path, figure: str | Path, title: str, name: str) -> None:
    """Draw the curves of one figure: one panel per model, epochs on a base-2 log axis.

    Ours are solid lines with their interval as a band; published curves are dashed with hollow
    marks; losses, min-max scaled, are grey.

    Args:
        table: a TSV of `kasu.pretraining.evaluation.curves.CURVES`.
        figure: the SVG to write; its PDF lands beside it.
        title: the heading above the panels.
        name: the figure to draw (`Figure 1`).

    Raises:
        KasuError: a column is missing, a cell is not a number, or there is nothing to draw.
    """
    panels = _read_panels(table, name)
    with figure_style(title):
        write_figure(_draw(panels, title), figure)


def _read_panels(table: str | Path, name: str) -> Panels:
    panels: Panels = {}
    for number, row in enumerate(read_tsv(table, CURVES), start=2):
        if row["figure"] != name:
            continue
        try:
            point = _Point(
                int(row["epoch"]),
                *(float(row[name]) if row[name] else None for name in _Point._fields[1:]),
            )
        except ValueError as error:
            raise KasuError(f"{table}:{number}", str(error), "numbers") from error
        if point.epoch < 1:
            raise KasuError(f"{table}:{number}", f"epoch {point.epoch}", "1 or more")
        panels.setdefault(row["panel"], {}).setdefault((row["kind"], row["line"]), []).append(point)
    if not panels:
        raise KasuError(table, f"no curve of {name}", "one or more")
    return panels


def _draw(panels: Panels, title: str) -> Figure:
    columns = min(_COLUMNS, len(panels))
    rows = math.ceil(len(panels) / columns)
    size = (1.0 + 2.6 * columns, 1.3 + 2.0 * rows)
    drawing = Figure(figsize=size, layout="constrained")
    drawing.suptitle(title, fontsize=10)
    grid = drawing.subplots(rows, columns, squeeze=False, sharey=True).ravel()
    lines = sorted({line for curves in panels.values() for kind, line in curves if kind != LOSS})
    for axis, (panel, curves) in zip(grid, panels.items(), strict=False):
        for (kind, line), points in sorted(curves.items()):
            if kind == LOSS:
                _draw_loss(axis, line, points)
            else:
                _draw_accuracy(axis, line, lines.index(line), points)
        _lay_out(axis, panel, curves)
    for axis in grid[len(panels) :]:
        axis.set_visible(False)
    for axis in grid[::columns]:
        axis.set_ylabel("accuracy, %")
    _add_legend(drawing, grid)
    return drawing


def _draw_accuracy(axis: Axes, line: str, index: int, points: list[_Point]) -> None:
    colour = COLOURS[index % len(COLOURS)]
    marker = MARKERS[index % len(MARKERS)]
    ours = [(p.epoch, 100 * p.value) for p in points if p.value is not None]
    if ours:
        axis.plot(
            *zip(*ours, strict=True), color=colour, marker=marker, markersize=3.5, linewidth=1.4,
            label=line,
        )  # fmt: skip
    band = [
        (p.epoch, 100 * p.low, 100 * p.high)
        for p in points
        if p.value is not None and p.low is not None and p.high is not None
    ]
    if band:
        epochs, low, high = zip(*band, strict=True)
        axis.fill_between(epochs, low, high, color=colour, alpha=0.18, linewidth=0)
    theirs = [(p.epoch, 100 * p.published) for p in points if p.published is not None]
    if theirs:
        axis.plot(
            *zip(*theirs, strict=True), color=colour, linestyle="--", linewidth=0.9, marker=marker,
            markersize=3.5, markerfacecolor="none", label=f"{line}, published",
        )  # fmt: skip


def _draw_loss(axis: Axes, line: str, points: list[_Point]) -> None:
    stroke = "-" if line.startswith("train") else ":"
    drawn = [(point.epoch, 100 * point.value) for point in points if point.value is not None]
    if drawn:
        label = f"{line}, scaled"
        axis.plot(*zip(*drawn, strict=True), color=GREY, linestyle=stroke, linewidth=1, label=label)


def _lay_out(axis: Axes, panel: str, curves: dict[tuple[str, str], list[_Point]]) -> None:
    last = max(point.epoch for points in curves.values() for point in points)
    # A long run labels every second power of two
    powers = range(0, math.ceil(math.log2(last)) + 1, 2 if last > 64 else 1)
    axis.set_xscale("log", base=2)
    axis.set_xticks([2**power for power in powers], [str(2**power) for power in powers])
    axis.tick_params(axis="x", labelsize=7)
    axis.minorticks_off()
    axis.set_ylim(-2, 102)
    axis.set_title(panel, fontsize=9)
    axis.set_xlabel("epochs")
    grid_lines(axis, "y", hidden=("top", "right"))


def _add_legend(drawing: Figure, axes: Iterable[Axes]) -> None:
    entries = legend_entries(axes)
    labels = sorted(entries, key=lambda label: ("scaled" in label, label))
    drawing.legend(
        [entries[label] for label in labels], labels, loc="outside lower center", ncols=3,
        fontsize=8,
    )  # fmt: skip
