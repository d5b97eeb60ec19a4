"""The figure of accuracy and F1 over the amount of training text."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kasu.agreement.data.tasks import SUFFIXES
from kasu.agreement.evaluation.curve import CURVE
from kasu.agreement.evaluation.rows import TITLES, WORD_ONLY
from kasu.corpora.morphology.tagset import ALL_SLOTS
from kasu.figures.style import (
    COLOURS,
    GREY,
    INK,
    MARKERS,
    figure_style,
    grid_lines,
    legend_entries,
    write_figure,
)
from kasu.files.tables import read_tsv

DRAWN = ("accuracy", "f1")
COLUMNS = 3
ORDER = (*ALL_SLOTS, *(f"suffix={suffix}" for suffix in (*SUFFIXES, "Any")))


def draw_curve(
    table: str | Path,
    figure: str | Path,
    *,
    variant: str,
    main_corpus: str,
    nulls: Sequence[str],
) -> None:
    """Draw a panel per argument and suffix under `base`: a line per system, nulls in grey.

    Bands are intervals over the test text, bars those over training seeds. Sets drawn from another
    corpus than `main_corpus` are hollow marks of their own. Nulls are dashed, and the published
    figure is a dotted line.

    Args:
        table: CURVE.
        figure: the SVG to write; its PDF lands beside it.
        variant: the variant to draw.

    Raises:
        KasuError: the table cannot be read.
    """
    panels: dict[str, dict[tuple[str, str], list[Mapping[str, str]]]] = {}
    for row in read_tsv(table, CURVE):
        shown = row["variant"] == variant and row["condition"] in (TITLES["base"], WORD_ONLY)
        if shown and row["metric"] in DRAWN:
            lines = panels.setdefault(row["of"], {})
            lines.setdefault((row["system"], row["corpus"]), []).append(row)
    with figure_style("curve"):
        height = -(-len(panels) // COLUMNS) or 1
        drawing = Figure(figsize=(4.6, 1 + 1.6 * height), layout="constrained")
        axes = drawing.subplots(height, COLUMNS, sharex=True, squeeze=False)
        for axis, of in zip(axes.flat, sorted(panels, key=ORDER.index), strict=False):
            systems = panels[of]
            _draw_panel(axis, systems, main_corpus, nulls)
            metric = next(iter(systems.values()))[0]["metric"]
            name = {"accuracy": "accuracy", "f1": "F1"}[metric]
            axis.set_title(f"{of.removeprefix('suffix=')}, {name}, %", fontsize=8)
        for axis in axes.flat[len(panels) :]:
            axis.set_visible(False)
        axes[-1, 0].set_xlabel("thousands of words", fontsize=8)
        entries = legend_entries(axes.flat)
        drawing.legend(entries.values(), entries, loc="outside lower center", ncols=2, fontsize=8)
        write_figure(drawing, figure)


def _draw_panel(
    axis: Axes,
    systems: Mapping[tuple[str, str], Sequence[Mapping[str, str]]],
    main_corpus: str,
    nulls: Sequence[str],
) -> None:
    networks = list(dict.fromkeys(system for system, _ in systems if system not in nulls))
    for (system, corpus), rows in systems.items():
        null, own = system in nulls, corpus == main_corpus
        number = (nulls if null else networks).index(system)
        colour = GREY if null else COLOURS[number]
        words = [int(row["words"]) for row in rows]
        values, lows, highs = (_percents(rows, name) for name in ("ours", "low", "high"))
        if own:
            axis.fill_between(words, lows, highs, color=colour, alpha=0.12, linewidth=0)
        axis.plot(
            words, values, color=colour, marker=MARKERS[number], markersize=3, linewidth=1,
            markerfacecolor=colour if own else "none",
            linestyle=("--" if null else "-") if own else "none",
            label=system if own else f"{system}, trained on {corpus}",
        )  # fmt: skip
        several = [at for at, row in enumerate(rows) if row["seeds_mean"]]
        ends = [_percents([rows[at] for at in several], f"seeds_{end}") for end in ("low", "high")]
        axis.vlines([words[at] for at in several], *ends, color=colour, linewidth=1)
        if not null and rows[0]["published"]:
            published = 100 * float(rows[0]["published"])
            axis.axhline(published, color=INK, linestyle=":", linewidth=1, label="published")
    axis.set_xscale("log")
    sizes = sorted({int(row["words"]) for rows in systems.values() for row in rows})
    # Sets of one size differ by a few words, and share a tick
    ticks = {f"{size / 1000:,.0f}": size for size in sizes}
    axis.set_xticks([*ticks.values()], [*ticks], rotation=45)
    axis.minorticks_off()
    axis.tick_params(labelsize=7)
    grid_lines(axis, "y", hidden=("top", "right"))


def _percents(rows: Sequence[Mapping[str, str]], column: str) -> list[float]:
    return [100 * float(row[column]) for row in rows]
