"""The figure of agreement pairs: what models and nulls solve by attractors and distance."""

from collections.abc import Mapping
from pathlib import Path

from matplotlib.figure import Figure

from kasu.figures.groups import LEAST, draw_groups
from kasu.figures.style import figure_style, legend_entries, write_figure
from kasu.files.tables import read_tsv
from kasu.minimal_sets.pairs.design import NULLS
from kasu.minimal_sets.pairs.released import ALL
from kasu.minimal_sets.pairs.tables import GROUPINGS, SCORES


def draw_pair_scores(table: str | Path, figure: str | Path) -> None:
    """Draw a row of panels per set, a column per grouping, and a line per system; nulls are grey.

    Groups of fewer than LEAST pairs are left out, and sets that have no other.

    Args:
        table: SCORES.
        figure: the SVG to write; its PDF lands beside it.

    Raises:
        KasuError: the table cannot be read.
    """
    panels: dict[str, dict[str, dict[str, list[Mapping[str, str]]]]] = {}
    for row in read_tsv(table, SCORES):
        if row["phenomenon"] == ALL and row["by"] and int(row["pairs"]) >= LEAST:
            systems = panels.setdefault(row["set"], {}).setdefault(row["by"], {})
            label = " ".join(filter(None, (row["system"], row["definition"])))
            systems.setdefault(label, []).append(row)
    with figure_style("pair scores"):
        drawing = Figure(figsize=(4.6, 0.9 + 1.5 * max(1, len(panels))), layout="constrained")
        axes = drawing.subplots(max(1, len(panels)), len(GROUPINGS), sharey="row", squeeze=False)
        for line, (name, panel) in zip(axes, panels.items(), strict=False):
            for axis, by in zip(line, GROUPINGS, strict=True):
                draw_groups(axis, panel.get(by, {}), NULLS, "share")
            line[0].set_title(name, fontsize=8, loc="left")
            line[0].set_ylabel("right, %", fontsize=8)
        for axis, by in zip(axes[-1], GROUPINGS, strict=True):
            axis.set_xlabel(by, fontsize=8)
        entries = legend_entries(axes.flat)
        drawing.legend(entries.values(), entries, loc="outside lower center", ncols=2, fontsize=8)
        write_figure(drawing, figure)
