"""Figure 9 of An et al. (2023): which wrong answers networks choose (BLM-18)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from kasu.base.errors import KasuError
from kasu.blm.evaluation.scores import ERRORS
from kasu.figures.style import COLOURS, INK, figure_style, grid_lines, write_figure
from kasu.files.tables import read_tsv

_LESS, _MORE = COLOURS[:2]
# One hatch per training type; dots would make the file twenty times as large
_HATCHES = ("", "/////", "|||||")

Panel = dict[str, dict[str, tuple[float, float]]]
"""Label -> training type -> (share, reference)."""

Panels = dict[tuple[str, str], Panel]
"""(system, test type) -> its panel."""


def draw_errors(table: str | Path, figure: str | Path, title: str, regime: str) -> None:
    """Draw error shares: one row of panels per network and variant, one panel per test type.

    The black line of a label is its share where training and test are of one type. Bars start at
    this line: upwards where a network trained on another type errs more, downwards where less.

    Args:
        table: a TSV of `kasu.blm.evaluation.scores.ERRORS`. Systems without a reference are left
            out.
        figure: the SVG to write; its PDF lands beside it.
        title: the heading above the panels.
        regime: the training regime to draw.

    Raises:
        KasuError: a column is missing, a cell is not a number, or there is nothing to draw.
    """
    panels = _read_panels(table, regime)
    with figure_style(title):
        write_figure(_draw(panels, title), figure)


def _read_panels(table: str | Path, regime: str) -> Panels:
    panels: Panels = {}
    for line, row in enumerate(read_tsv(table, ERRORS), start=2):
        if row["regime"] != regime or not row["reference"]:
            continue
        try:
            shares = float(row["share"]), float(row["reference"])
        except ValueError as error:
            found = f"{row['share']!r}, {row['reference']!r}"
            raise KasuError(f"{table}:{line}", found, "share and reference as numbers") from error
        panel = panels.setdefault((f"{row['model']}, {row['variant']}", row["test"]), {})
        panel.setdefault(row["label"], {})[row["train"]] = shares
    if not panels:
        raise KasuError(table, f"no error share of {regime} with a reference", "one or more")
    return panels


def _draw(panels: Panels, title: str) -> Figure:
    systems = list(dict.fromkeys(system for system, _ in panels))
    tests = sorted({test for _, test in panels})
    trains = sorted(
        {train for panel in panels.values() for shares in panel.values() for train in shares}
    )
    size = (1.2 + 2.2 * len(tests), 1.6 + 1.7 * len(systems))
    drawing = Figure(figsize=size, layout="constrained")
    drawing.suptitle(title, fontsize=10)
    grid = drawing.subplots(len(systems), len(tests), squeeze=False, sharex=True, sharey=True)
    for system, axes in zip(systems, grid, strict=True):
        for test, axis in zip(tests, axes, strict=True):
            _draw_panel(axis, panels.get((system, test), {}), test, trains)
            # The first row names the tests, the first column the systems
            axis.set_title(
                f"tested on {test.replace('_', ' ')}" if system == systems[0] else "", fontsize=9
            )
            axis.set_ylabel(f"{system}\nerrors, %" if test == tests[0] else "")
            grid_lines(axis, "y", hidden=("top", "right"))
    drawing.legend(handles=_legend(trains), loc="outside lower center", ncols=3, fontsize=8)
    return drawing


def _draw_panel(axis: Axes, panel: Panel, test: str, trains: Sequence[str]) -> None:
    labels = [label.replace("_", " ") for label in panel]
    axis.set_xticks(range(len(panel)), labels, rotation=50, ha="right", rotation_mode="anchor")
    axis.tick_params(axis="x", length=0)
    others = [train for train in trains if train != test]
    width = 0.7 / max(len(others), 1)
    for at, by_train in enumerate(panel.values()):
        # All training types of a label share the reference
        reference = 100 * next(iter(by_train.values()))[1]
        axis.hlines(reference, at - 0.42, at + 0.42, color=INK, linewidth=1.4, zorder=3)
        for place, train in enumerate(others):
            if train in by_train:
                share = 100 * by_train[train][0]
                axis.bar(
                    at + width * (place - (len(others) - 1) / 2),
                    share - reference,
                    0.9 * width,
                    bottom=reference,
                    color=_MORE if share > reference else _LESS,
                    **_edge(train, trains),
                )


class _Edge(TypedDict):
    hatch: str
    edgecolor: str
    linewidth: float


def _edge(train: str, trains: Sequence[str]) -> _Edge:
    hatch = _HATCHES[trains.index(train) % len(_HATCHES)]
    return {"hatch": hatch, "edgecolor": INK, "linewidth": 0.4}


def _legend(trains: Sequence[str]) -> list[Line2D | Patch]:
    return [
        Line2D([], [], color=INK, linewidth=1.4, label="trained on the test's type"),
        Patch(color=_MORE, label="more errors"),
        Patch(color=_LESS, label="fewer errors"),
        *(
            Patch(
                facecolor="none",
                label=f"trained on {train.replace('_', ' ')}",
                **_edge(train, trains),
            )
            for train in trains
        ),
    ]
