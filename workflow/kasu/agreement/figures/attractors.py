"""The figure of attractors: accuracy by what stands between a verb and its argument."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from kasu.agreement.data.tasks import SLOTS
from kasu.agreement.evaluation.attractors import ATTRACTORS
from kasu.figures.groups import LEAST, draw_groups
from kasu.figures.style import figure_style, legend_entries, write_figure
from kasu.files.tables import read_tsv

SHOWN = ("attractors", "distance", "verbs")


def draw_attractors(
    table: str | Path, figure: str | Path, *, variant: str, nulls: Sequence[str]
) -> None:
    """Draw a row of panels per slot, a column per grouping, and a line per system; nulls are grey.

    Groups of fewer than LEAST items are left out.

    Args:
        table: ATTRACTORS.
        figure: the SVG to write; its PDF lands beside it.
        variant: the variant to draw.

    Raises:
        KasuError: the table cannot be read.
    """
    panels: dict[tuple[str, str], dict[str, list[Mapping[str, str]]]] = {}
    for row in read_tsv(table, ATTRACTORS):
        if row["variant"] == variant and row["by"] in SHOWN and int(row["n"]) >= LEAST:
            panel = panels.setdefault((row["slot"], row["by"]), {})
            panel.setdefault(row["system"], []).append(row)
    with figure_style("attractors"):
        drawing = Figure(figsize=(4.6, 5.6), layout="constrained")
        axes = drawing.subplots(len(SLOTS), len(SHOWN), sharey="row", squeeze=False)
        for line, slot in zip(axes, SLOTS, strict=True):
            for axis, by in zip(line, SHOWN, strict=True):
                draw_groups(axis, panels.get((slot, by), {}), nulls, "accuracy")
                axis.set_xlabel(by if slot == SLOTS[-1] else "", fontsize=8)
            line[0].set_ylabel(f"{slot}, %", fontsize=8)
        entries = legend_entries(axes.flat)
        drawing.legend(entries.values(), entries, loc="outside lower center", ncols=4, fontsize=8)
        write_figure(drawing, figure)
