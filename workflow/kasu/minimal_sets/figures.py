"""Figure 3 of Gallagher & Heyer (2026): what models give each case (GEO-14)."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from kasu.base.errors import KasuError
from kasu.figures.style import COLOURS, GREY, INK, figure_style, grid_lines, write_figure
from kasu.files.tables import read_tsv
from kasu.minimal_sets.evaluation.scores import PROBABILITIES

Panels = dict[str, dict[str, list[float]]]
"""Set -> value -> mean probabilities, one per system."""


def draw_probabilities(
    table: str | Path,
    figure: str | Path,
    title: str,
    variant: str | None,
    systems: Sequence[str] = (),
) -> None:
    """Draw mean probabilities at word level: one panel per set, one box per value.

    Each system is a point; the box of the right value is filled.

    Args:
        table: a TSV of `kasu.minimal_sets.evaluation.scores.PROBABILITIES`.
        figure: the SVG to write; its PDF lands beside it.
        title: the heading above the panels.
        variant: the variant to draw; None if no model scores forms, as where one of a hub that was
            taken for masked has landed and is causal.
        systems: the systems to draw; all by default.

    Raises:
        KasuError: a column is missing, a cell is not a number, or there is nothing to draw.
    """
    if variant is None:
        found = "no model scores forms: all are causal, as config.json says of one just fetched"
        raise KasuError(table, found, "a masked one for this figure; run again without it")
    panels, right = _read_panels(table, variant, systems)
    with figure_style(title):
        write_figure(_draw(panels, right, title), figure)


def _read_panels(
    table: str | Path, variant: str, systems: Sequence[str]
) -> tuple[Panels, dict[str, str]]:
    panels: Panels = {}
    right: dict[str, str] = {}
    for line, row in enumerate(read_tsv(table, PROBABILITIES), start=2):
        wanted = (row["variant"], row["level"]) == (variant, "word")
        if not wanted or (systems and row["system"] not in systems):
            continue
        try:
            probability = float(row["mean_probability"])
        except ValueError as error:
            found = f"the mean probability {row['mean_probability']!r}"
            raise KasuError(f"{table}:{line}", found, "a number") from error
        panels.setdefault(row["set"], {}).setdefault(row["value"], []).append(probability)
        if row["grammatical"] == "True":
            right[row["set"]] = row["value"]
    if not panels:
        raise KasuError(table, f"no probability at word level of {variant}", "one or more")
    return panels, right


def _draw(panels: Panels, right: dict[str, str], title: str) -> Figure:
    values = sorted({value for panel in panels.values() for value in panel})
    colours = {value: COLOURS[at % len(COLOURS)] for at, value in enumerate(values)}
    boxes = sum(map(len, panels.values()))
    size = (4.6, 1.2 + 0.5 * len(panels) + 0.3 * boxes)
    drawing = Figure(figsize=size, layout="constrained")
    drawing.suptitle(title, fontsize=10)
    heights = [len(panel) for panel in panels.values()]
    axes = drawing.subplots(
        len(panels), squeeze=False, sharex=True, gridspec_kw={"height_ratios": heights}
    )[:, 0]
    for axis, (name, panel) in zip(axes, panels.items(), strict=True):
        _draw_panel(axis, panel, right.get(name), colours)
        axis.set_title(name, fontsize=9, loc="left")
    axes[-1].set_xlabel("mean probability of the form")
    legend = [
        Patch(facecolor=GREY, label="the right case"),
        Patch(facecolor="none", edgecolor=INK, label="a wrong case"),
    ]
    drawing.legend(handles=legend, loc="outside lower center", ncols=2, fontsize=8)
    return drawing


def _draw_panel(
    axis: Axes, panel: dict[str, list[float]], right: str | None, colours: dict[str, str]
) -> None:
    for place, (value, probabilities) in enumerate(sorted(panel.items())):
        colour = colours[value]
        boxes = axis.boxplot(
            probabilities, positions=[place], widths=0.6, orientation="horizontal",
            showfliers=False, patch_artist=True, medianprops={"color": INK},
            whiskerprops={"color": colour}, capprops={"color": colour}, manage_ticks=False,
        )  # fmt: skip
        fill = colour if value == right else "none"
        boxes["boxes"][0].set(facecolor=fill, edgecolor=colour, alpha=0.8)
        axis.plot(
            probabilities, np.full(len(probabilities), place), "o", markersize=2.5, color=INK,
            zorder=3, linestyle="none",
        )  # fmt: skip
    axis.set_yticks(range(len(panel)), sorted(panel))
    axis.set_ylim(len(panel) - 0.4, -0.6)
    axis.tick_params(axis="y", length=0)
    grid_lines(axis, "x", hidden=("top", "right", "left"))
