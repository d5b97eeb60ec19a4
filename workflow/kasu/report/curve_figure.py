"""Figures 1 to 4 of Urbizu et al. (2024): accuracy by epoch, as SVG (BL2MP-9 to -13)."""

import math
from pathlib import Path
from typing import NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kasu.base.errors import KasuError
from kasu.base.tables import read_tsv
from kasu.report.figures import COLOURS, GREY, MARKERS, STYLE, write_svg

_READ = ("figure", "panel", "line", "kind", "epoch", "value", "low", "high", "published")
_COLUMNS = 3


class _Point(NamedTuple):
    epoch: int
    value: float | None
    low: float | None
    high: float | None
    published: float | None


Panels = dict[str, dict[tuple[str, str], list[_Point]]]
"""Panel -> (kind, line) -> points by epoch."""


def draw_curves(table: str | Path, figure: str | Path, title: str, name: str) -> None:
    """Draw the curves of one figure: a panel a model, epochs on a binary logarithmic axis.

    Ours are full lines with their interval as a band, published ones dashed with hollow marks;
    losses, scaled from their least to their greatest value, are grey.

    Args:
        table: a TSV of `kasu.pretraining.evaluation.curves.CURVES`.
        figure: the SVG to write.
        title: stands above the panels.
        name: the figure to draw (`Figure 1`).

    Raises:
        KasuError: a column is missing, a cell is no number, or nothing is to be drawn.
    """
    panels = _read_panels(table, name)
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": title}):
        write_svg(_draw(panels, title), figure)


def _read_panels(table: str | Path, name: str) -> Panels:
    panels: Panels = {}
    for number, row in enumerate(read_tsv(table, _READ), start=2):
        if row["figure"] != name:
            continue
        try:
            point = _Point(
                int(row["epoch"]),
                *(float(row[column]) if row[column] else None for column in _READ[5:]),
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
    lines = sorted({line for curves in panels.values() for kind, line in curves if kind != "loss"})
    for axis, (panel, curves) in zip(grid, panels.items(), strict=False):
        for (kind, line), points in sorted(curves.items()):
            if kind == "loss":
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
    ours = [point for point in points if point.value is not None]
    if ours:
        epochs = [point.epoch for point in ours]
        axis.plot(
            epochs, [100 * point.value for point in ours], color=colour, marker=marker,
            markersize=3.5, linewidth=1.4, label=line,
        )  # fmt: skip
    band = [point for point in ours if point.low is not None and point.high is not None]
    if band:
        low, high = ([100 * getattr(p, end) for p in band] for end in ("low", "high"))
        axis.fill_between([p.epoch for p in band], low, high, color=colour, alpha=0.18, linewidth=0)
    theirs = [point for point in points if point.published is not None]
    if theirs:
        axis.plot(
            [point.epoch for point in theirs], [100 * point.published for point in theirs],
            color=colour, linestyle="--", linewidth=0.9, marker=marker, markersize=3.5,
            markerfacecolor="none", label=f"{line}, published",
        )  # fmt: skip


def _draw_loss(axis: Axes, line: str, points: list[_Point]) -> None:
    style = "-" if line.startswith("train") else ":"
    drawn = [(point.epoch, 100 * point.value) for point in points if point.value is not None]
    if drawn:
        label = f"{line}, scaled"
        axis.plot(*zip(*drawn, strict=True), color=GREY, linestyle=style, linewidth=1, label=label)


def _lay_out(axis: Axes, panel: str, curves: dict[tuple[str, str], list[_Point]]) -> None:
    most = max(point.epoch for points in curves.values() for point in points)
    powers = range(0, math.ceil(math.log2(most)) + 1, 2 if most > 64 else 1)
    axis.set_xscale("log", base=2)
    axis.set_xticks([2**power for power in powers], [str(2**power) for power in powers])
    axis.tick_params(axis="x", labelsize=7)
    axis.minorticks_off()
    axis.set_ylim(-2, 102)
    axis.set_title(panel, fontsize=9)
    axis.set_xlabel("epochs")
    axis.grid(axis="y", color=GREY, alpha=0.3, linewidth=0.6)
    axis.set_axisbelow(True)
    axis.spines[["top", "right"]].set_visible(False)


def _add_legend(drawing: Figure, axes: list[Axes]) -> None:
    entries = {}
    for axis in axes:
        entries.update(zip(*reversed(axis.get_legend_handles_labels()), strict=True))
    labels = sorted(entries, key=lambda label: ("scaled" in label, label))
    drawing.legend(
        [entries[label] for label in labels], labels, loc="outside lower center", ncols=3,
        fontsize=8,
    )  # fmt: skip
