"""One style for all figures, as SVG whose bytes depend on the drawn data alone."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Literal

import matplotlib

matplotlib.use("svg")

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kasu.base.tables import landing

# The palette of Okabe and Ito: colour-blind readers can tell it apart, and it survives greyscale
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
MARKERS = "osD^vP"
STROKES = "|x+12_3"  # for nulls: seven that can be told apart
INK = "#010203"  # stands for the colour of the page's own text
GREY = "#808080"

_STYLE = {
    "svg.fonttype": "path",  # the page needs no font
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


def figure_style(salt: str) -> AbstractContextManager[None]:
    """The settings to draw and write a figure in; `salt` fixes the ids in its SVG."""
    return matplotlib.rc_context({**_STYLE, "svg.hashsalt": salt})


def write_svg(drawing: Figure, figure: str | Path) -> None:
    """Write a drawing as SVG, its ink replaced by the colour of the page's own text."""
    with landing(figure) as part:
        drawing.savefig(part, format="svg", transparent=True, metadata=_NO_METADATA)
        svg = part.read_text(encoding="utf-8")
        part.write_text(svg.replace(INK, "currentColor"), encoding="utf-8")


def legend_entries(axes: Iterable[Axes]) -> dict[str, Artist]:
    """The labelled marks of several panels, one per label."""
    entries: dict[str, Artist] = {}
    for axis in axes:
        handles, labels = axis.get_legend_handles_labels()
        entries.update(zip(labels, handles, strict=True))
    return entries


def grid_lines(axis: Axes, along: Literal["x", "y"], hidden: Sequence[str]) -> None:
    """Draw faint grid lines along an axis (`x`, `y`), under the data; hide some spines."""
    axis.grid(axis=along, color=GREY, alpha=0.3, linewidth=0.6)
    axis.set_axisbelow(True)
    axis.spines[list(hidden)].set_visible(False)
