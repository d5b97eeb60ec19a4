"""One style for all figures, as SVG and PDF whose bytes depend on the drawn data alone."""

import re
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal

import matplotlib

matplotlib.use("svg")

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text

from kasu.base.visible import visible
from kasu.files.tables import landing
from kasu.results.paths import pdf_of

# The palette of Okabe and Ito: colour-blind readers can tell it apart, and it survives greyscale
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
MARKERS = "osD^vP"
STROKES = "|x+12_3"  # for nulls: seven that can be told apart
INK = "#010203"  # stands for the colour of the page's own text
GREY = "#808080"
TALL = 12  # lines; the ends of a taller panel are seldom on one screen

_STYLE = {
    "svg.fonttype": "path",  # the page needs no font
    "pdf.fonttype": 42,  # text that journals accept and editors can change
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 9,
    "text.parse_math": False,  # a dollar sign in a name is no formula
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
}
_AUTOMATIC = re.compile(r"_nolegend_|_(child|container)\d+")  # labels of what has none
_NO_METADATA = {
    "svg": dict.fromkeys(("Date", "Creator", "Format", "Type")),
    "pdf": dict.fromkeys(("CreationDate", "Creator", "Producer")),
}


def figure_style(salt: str) -> AbstractContextManager[None]:
    """Return the settings to draw and write a figure in; `salt` fixes the ids in its SVG."""
    return matplotlib.rc_context({**_STYLE, "svg.hashsalt": salt})


def write_figure(drawing: Figure, figure: str | Path) -> None:
    """Write a drawing as SVG, and as PDF beside it.

    In the SVG, the ink is replaced by the colour of the page's own text.
    """
    _make_visible(drawing)
    with landing(figure) as svg, landing(pdf_of(figure)) as pdf:
        for part, kind in ((svg, "svg"), (pdf, "pdf")):
            metadata = _NO_METADATA[kind]
            drawing.savefig(part, format=kind, transparent=True, metadata=metadata)
        drawn = svg.read_text(encoding="utf-8")
        svg.write_text(drawn.replace(INK, "currentColor"), encoding="utf-8")


def _make_visible(drawing: Figure) -> None:
    """Escape what would not be seen in a label, or would reorder it."""
    texts: list[Any] = drawing.findobj(Text)
    for text in texts:
        text.set_text(visible(text.get_text(), kept="\n"))
    axes: list[Any] = drawing.findobj(Axis)
    for axis in axes:  # which writes its labels when it is drawn
        labels = [text.get_text() for text in axis.get_ticklabels()]
        shown = [visible(label, kept="\n") for label in labels]
        if shown != labels:
            axis.set_ticklabels(shown)


def legend_entries(axes: Iterable[Axes]) -> dict[str, Artist]:
    """Return the labelled lines and marks of several panels, one per label."""
    entries: dict[str, Artist] = {}
    for axis in axes:
        drawn: list[Any] = [*axis.lines, *axis.containers]
        for artist in drawn:
            # matplotlib's own would leave out every name that begins with `_`
            if not _AUTOMATIC.fullmatch(label := artist.get_label()):
                entries[label] = artist
    return entries


def label_scale(axis: Axes, label: str, lines: int, fontsize: int = 9) -> None:
    """Name the horizontal scale of a panel, of a tall one (in lines) at its top too."""
    axis.set_xlabel(label, fontsize=fontsize)
    if lines > TALL:
        axis.tick_params(axis="x", top=True, labeltop=True)
        axis.set_title(label, fontsize=fontsize)


def grid_lines(axis: Axes, along: Literal["x", "y"], hidden: Sequence[str]) -> None:
    """Draw faint grid lines along an axis (`x`, `y`), under the data; hide some spines."""
    axis.grid(axis=along, color=GREY, alpha=0.3, linewidth=0.6)
    axis.set_axisbelow(True)
    axis.spines[list(hidden)].set_visible(False)
