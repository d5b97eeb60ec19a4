"""A panel of shares by groups of items: a line per system, nulls in grey."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

from kasu.figures.style import COLOURS, GREY, MARKERS, grid_lines

LEAST = 10
"""Items of a group that is drawn; tables have all."""


def draw_groups(
    axis: Axes, systems: Mapping[str, Sequence[Mapping[str, str]]], nulls: Sequence[str], share: str
) -> None:
    """Draw the shares of systems by group, in per cent, with their intervals.

    Args:
        systems: rows of a table by system, in the order of the groups: `group`, `low`, `high`, and
            the share.
        nulls: the systems to draw in grey.
        share: the column of the share.
    """
    groups = list(dict.fromkeys(row["group"] for rows in systems.values() for row in rows))
    networks = [system for system in systems if system not in nulls]
    for system, rows in systems.items():
        null = system in nulls
        number = (nulls if null else networks).index(system)
        places = [groups.index(row["group"]) for row in rows]
        values, lows, highs = (
            [100 * float(row[name]) for row in rows] for name in (share, "low", "high")
        )
        colour = GREY if null else COLOURS[number % len(COLOURS)]
        # Small groups have wide intervals: a band says which bends mean something
        axis.fill_between(places, lows, highs, color=colour, alpha=0.12, linewidth=0)
        axis.plot(
            places, values, color=colour, marker=MARKERS[number % len(MARKERS)], markersize=3,
            linewidth=1, linestyle=(":", "--")[number % 2] if null else "-", label=system,
        )  # fmt: skip
    axis.set_xticks(
        range(len(groups)), [group.replace(" or more", "+") for group in groups], fontsize=7
    )
    axis.tick_params(axis="y", labelsize=7)
    grid_lines(axis, "y", hidden=("top", "right"))
