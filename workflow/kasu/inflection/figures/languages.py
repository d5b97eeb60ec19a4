"""The figure of all languages: accuracy by language and setting, ours beside published."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kasu.figures.style import (
    COLOURS,
    GREY,
    INK,
    MARKERS,
    figure_style,
    legend_entries,
    write_figure,
)
from kasu.files.tables import read_parquet
from kasu.inflection.data.triples import SETTINGS
from kasu.inflection.evaluation.outcomes import ENSEMBLE
from kasu.inflection.evaluation.pairs import COPY
from kasu.inflection.evaluation.printed import ORACLES, Printed, cell_of, read_printed
from kasu.results.published import PublishedFiles

Point = tuple[float, float, float]
"""Accuracy and its interval, in percent."""

Series = dict[tuple[str, str], Point]
"""(setting, language) -> point."""

_WIDTH = 4.6  # inches: text stays legible where a phone shrinks the figure
_ROW = 0.13  # inches per language
_NULLS = (COPY, *ORACLES, ENSEMBLE)


def draw_languages(scores: str | Path, published: PublishedFiles, figure: str | Path) -> None:
    """Draw accuracy by language, one panel per setting.

    Languages come in the order of the paper's baseline. Ours are filled marks with their interval:
    each variant of the baseline and, if other systems ran, our best. The paper's baseline is a
    hollow diamond, its best submission a grey stroke. Languages that the paper lacks come last
    and show our figures only.

    Args:
        scores: SCORES of the study.
        published: the published figures.
        figure: the SVG to write; its PDF lands beside it.

    Raises:
        KasuError: a file cannot be read.
    """
    printed = read_printed(published)
    rows = [row for row in read_parquet(scores).to_pylist() if row["value"] is not None]
    series = ours_by_language(rows)
    reached = {cell for points in series.values() for cell in points}
    settings = [s for s in SETTINGS if any(setting == s for setting, _ in reached)] or SETTINGS
    languages = in_order({language for _, language in reached}, settings[0], printed)
    with figure_style("languages"):
        write_figure(_draw(settings, languages, series, printed), figure)


def ours_by_language(rows: Sequence[Mapping]) -> dict[str, Series]:
    """Return our accuracies by their entry in the legend."""
    systems = {row["system"] for row in rows if cell_of(row["condition"])} - {*_NULLS}
    found: dict[str, Series] = {}
    # The row over most seeds comes last and replaces the others
    for row in sorted(rows, key=lambda row: row["runs"] or 0):
        cell, label = cell_of(row["condition"]), None
        if cell and row["metric"] == "accuracy" and row["system"] == "baseline":
            label = f"our baseline, {row['variant']}" if row["variant"] else "our baseline"
        elif row["metric"] == "best_accuracy" and systems - {"baseline"}:
            # A row of best accuracies names the language as its system
            setting, *_ = row["condition"].split("|")
            cell, label = (setting, row["system"]), "our best system"
        if cell and label:
            value, low, high = (100 * row[key] for key in ("value", "low", "high"))
            found.setdefault(label, {})[cell] = value, low, high
    return dict(sorted(found.items()))


def in_order(languages: set[str], setting: str, printed: Printed) -> list[str]:
    """Sort languages by the paper's baseline in a setting, best first; those without one last."""

    def place(language: str) -> tuple[bool, float, str]:
        value = printed.value("baseline", setting, language)
        return value is None, -(value or 0), language

    return sorted(languages, key=place)


def _draw(
    settings: Sequence[str],
    languages: Sequence[str],
    series: Mapping[str, Series],
    printed: Printed,
) -> Figure:
    height = 1.3 + _ROW * max(len(languages), 4)
    drawing = Figure(figsize=(_WIDTH, height), layout="constrained")
    panels = drawing.subplots(1, len(settings), sharey=True, squeeze=False)[0]
    for axis, setting in zip(panels, settings, strict=True):
        _lay_out(axis, setting, languages)
        _draw_published(axis, setting, languages, printed)
        for index, (label, points) in enumerate(series.items()):
            shift = 0.36 * (index - (len(series) - 1) / 2)
            mine = {y: points.get((setting, name)) for y, name in enumerate(languages)}
            _draw_ours(axis, {y: at for y, at in mine.items() if at}, shift, index, label)
    _add_legend(drawing, panels)
    return drawing


def _lay_out(axis: Axes, setting: str, languages: Sequence[str]) -> None:
    axis.set_title(f"{setting}, %", fontsize=8)
    axis.set_yticks(range(len(languages)), languages, fontsize=7)
    axis.set_ylim(len(languages) - 0.4, -0.6)
    axis.set_xlim(-3, 103)
    axis.set_xticks((0, 50, 100))
    # The figure is tall: ticks at the top too
    axis.tick_params(axis="x", top=True, labeltop=True, labelsize=7, length=2, pad=1)
    axis.tick_params(axis="y", length=0, pad=2)
    axis.grid(axis="both", color=GREY, alpha=0.25, linewidth=0.4)
    axis.set_axisbelow(True)
    axis.spines[["left", "right"]].set_visible(False)


def _draw_published(axis: Axes, setting: str, languages: Sequence[str], printed: Printed) -> None:
    best = _places([printed.best(setting, name) for name in languages])
    if best:
        axis.plot(
            *zip(*best, strict=True), linestyle="none", marker="|", markersize=6,
            markeredgecolor=GREY, markeredgewidth=1.5, label="best published system",
        )  # fmt: skip
    baseline = _places([printed.value("baseline", setting, name) for name in languages])
    if baseline:
        axis.plot(
            *zip(*baseline, strict=True), linestyle="none", marker="D", markersize=4.5,
            markerfacecolor="none", markeredgecolor=INK, markeredgewidth=0.7,
            label="published baseline",
        )  # fmt: skip


def _places(values: Sequence[float | None]) -> list[tuple[float, int]]:
    """Return where marks go, one line per language: (percent, line)."""
    return [(100 * value, y) for y, value in enumerate(values) if value is not None]


def _draw_ours(
    axis: Axes, points: Mapping[int, Point], shift: float, index: int, label: str
) -> None:
    if not points:
        return
    values, low, high = np.array(list(points.values())).T
    places = np.array(list(points)) + shift
    colour = COLOURS[index % len(COLOURS)]
    axis.hlines(places, low, high, colors=colour, linewidth=0.8)
    axis.plot(
        values,
        places,
        linestyle="none",
        marker=MARKERS[index % len(MARKERS)],
        markersize=2.4,
        color=colour,
        label=label,
    )


def _add_legend(drawing: Figure, panels: Sequence[Axes]) -> None:
    entries = legend_entries(panels)
    drawing.legend(
        entries.values(), entries.keys(), loc="outside upper center", ncols=2, fontsize=7
    )
