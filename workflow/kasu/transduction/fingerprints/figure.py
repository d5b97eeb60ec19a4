"""The figure of fingerprints: differences to the published columns, one line per system."""

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kasu.figures.style import (
    COLOURS,
    GREY,
    INK,
    figure_style,
    grid_lines,
    label_scale,
    write_figure,
)
from kasu.files.tables import read_tsv
from kasu.transduction.fingerprints.fingerprint import EARNED
from kasu.transduction.fingerprints.tables import DIFFERENCES, FINGERPRINTS

_WIDTH = 4.6  # inches: text stays legible where a phone shrinks the figure
_ROW = 0.34  # inches per line
_NOTHING = "no system of this run has a published column beside it"


def draw_fingerprints(table: str | Path, differences: str | Path, figure: str | Path) -> None:
    """Draw fingerprints, one line each, in points.

    Dots are languages, the filled mark is their mean with its interval, the band is the margin
    around the expected difference. A verdict that speaks for a system says which mean loss it sees.

    Args:
        table: FINGERPRINTS.
        differences: DIFFERENCES.
        figure: the SVG to write; its PDF lands beside it.

    Raises:
        KasuError: a table cannot be read.
    """
    rows, cells = read_tsv(table, FINGERPRINTS), read_tsv(differences, DIFFERENCES)
    # Those of a row follow those of the row before
    points = (100 * float(cell["difference"]) for cell in cells)
    with figure_style("fingerprint"):
        height = 1.1 + _ROW * max(len(rows), 2)
        drawing = Figure(figsize=(_WIDTH, height), layout="constrained")
        axis = drawing.subplots()
        for y, row in enumerate(rows):
            _draw_line(axis, y, row, [*islice(points, int(row["languages"]))])
        _lay_out(axis, rows)
        write_figure(drawing, figure)


def _points(row: Mapping[str, str], *names: str) -> list[float] | None:
    """Return cells in points; None if one is empty."""
    cells = [row[name] for name in names]
    return [100 * float(cell) for cell in cells] if all(cells) else None


def _draw_line(axis: Axes, y: int, row: Mapping[str, str], points: Sequence[float]) -> None:
    if bounds := _points(row, "expected", "margin"):
        expected, margin = bounds
        axis.fill_betweenx(
            [y - 0.4, y + 0.4], expected - margin, expected + margin, color=GREY, alpha=0.2, lw=0
        )
    # Dots of one line are set apart by their order, so that equal ones stay visible
    places = y + np.linspace(-0.28, 0.28, len(points)) if len(points) > 1 else [y]
    axis.plot(points, places, linestyle="none", marker="o", markersize=2, color=COLOURS[0])
    if interval := _points(row, "low", "high"):
        axis.plot(interval, [y, y], color=INK, linewidth=1.4)
    axis.plot(_points(row, "difference") or [], [y], marker="D", markersize=4, color=INK)


def _lay_out(axis: Axes, rows: Sequence[Mapping[str, str]]) -> None:
    if not rows:
        axis.set_axis_off()
        axis.text(0.5, 0.5, _NOTHING, ha="center", fontsize=8, transform=axis.transAxes)
        return
    axis.set_yticks(range(len(rows)), [_label(row) for row in rows], fontsize=7)
    axis.set_ylim(max(len(rows), 1) - 0.4, -0.6)
    label_scale(axis, "accuracy, ours minus published, points", len(rows), fontsize=8)
    axis.axvline(0, color=INK, linewidth=0.6)
    grid_lines(axis, "x", ("top", "right", "left"))
    axis.tick_params(axis="y", length=0)


def _label(row: Mapping[str, str]) -> str:
    """Return the system, verdict and resolution of a row.

    The column is named too if the system's name does not say it.
    """
    name = " ".join(filter(None, (row["system"], row["variant"])))
    other = "" if row["column"] == row["system"] else f" / {row['column']}"
    count = f"{row['languages']} language" + "s" * (row["languages"] != "1")
    loss = _points(row, "resolution") if row["verdict"] in EARNED else None
    seen = f", sees {loss[0]:.1f}" if loss else ""
    return f"{name}{other}, {row['setting']}\n{count}: {row['verdict']}{seen}"
