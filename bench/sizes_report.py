"""What the rates of `sizes` say: a figure, and hours and price of the English Wikipedia.

    python bench/sizes_report.py [--price 0.05]

reads resources/measured/bench.tsv, draws docs/sizes.svg and prints the table of
docs/paper-scale.md. The price is that of a core for an hour, in any currency.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure
from sizes import EXTRACTED, SIZES, STAGES, rates_of

from kasu.figures.style import COLOURS, GREY, MARKERS, figure_style, grid_lines, write_figure
from kasu.files.tables import read_tsv
from kasu.results.paths import pdf_of

ROOT = Path(__file__).resolve().parent.parent
RECORD, FIGURE = ROOT / "resources/measured/bench.tsv", ROOT / "docs/sizes.svg"
DUMP = 100_000  # MB of XML of the English Wikipedia
CORES = 8  # that a job takes
PARTS = 64  # files in which the dump comes, and nodes
PRICE = 0.05
TICKS, SECONDS = (*SIZES, EXTRACTED), (1, 10, 100, 1_000, 10_000)  # of the axes
SERIAL = STAGES[1]  # the stage in one process


class Hours(NamedTuple):
    """Hours of cores for a stage, and until it ends on one node and on PARTS nodes.

    `apart` is with a corpus for each part of the dump, whose duplicates across parts stay.
    """

    cores: float
    node: float
    nodes: float
    apart: float


def hours_of(rates: Mapping[str, float]) -> dict[str, Hours]:
    """The hours of each stage at its rate, in MB of XML per CPU second.

    A part is extracted by one job, and a corpus merged by one process and analysed by one job,
    each on one node.
    """
    found = {}
    for stage, rate in rates.items():
        cores = DUMP / rate / 3600
        node = cores if stage == SERIAL else cores / CORES
        nodes = node / PARTS if stage == STAGES[0] else node
        found[stage] = Hours(cores, node, nodes, node / PARTS)
    total = Hours(*map(sum, zip(*found.values(), strict=True)))
    return {**found, "all": total}


def table(rates: Mapping[str, float], price: float) -> list[str]:
    """The lines of the table of the hours, in Markdown."""
    header = (
        "stage", "core-hours", f"price at {price:g} a core-hour", "hours on one node",
        f"on {PARTS} nodes", f"on {PARTS} nodes, a corpus for each part",
    )  # fmt: skip
    lines = [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    for stage, (cores, *hours) in hours_of(rates).items():
        shown = " | ".join(f"{each:.1f}" if each >= 0.1 else "under 0.1" for each in hours)
        lines.append(f"| {stage} | {cores:.1f} | {cores * price:.2f} | {shown} |")
    return lines


def draw(rows: Sequence[Mapping[str, object]], path: Path) -> None:
    """Draw CPU time and memory of each stage over the size of the dump."""
    with figure_style("sizes"):
        drawing = Figure(figsize=(6.4, 2.8), layout="constrained")
        time, memory = drawing.subplots(1, 2)
        for stage, colour, marker in zip(STAGES, COLOURS, MARKERS, strict=False):
            costs = sorted(rates_of(stage, rows).items())
            sizes = [size for size, _ in costs]
            style = {"color": colour, "marker": marker, "markersize": 4.5, "label": stage}
            time.plot(sizes, [size / rate for size, (rate, _) in costs], **style)
            memory.plot(sizes, [peak for _, (_, peak) in costs], **style)
            # What is linear goes on from the first size
            (first, (rate, _)), *_, (last, _) = costs
            time.plot([first, last], [first / rate, last / rate], color=GREY, linestyle=":")
        for axis, what in ((time, "CPU time, s"), (memory, "memory at its peak, MB")):
            axis.set_xscale("log")
            axis.set_xticks(TICKS, [f"{each:,}" for each in TICKS])
            axis.minorticks_off()
            axis.set_xlabel("XML of the dump, MB")
            axis.set_title(what, fontsize=9)
            grid_lines(axis, "y", hidden=("top", "right"))
        time.set_yscale("log")
        time.set_yticks(SECONDS, [f"{each:,}" for each in SECONDS])
        time.minorticks_off()
        memory.set_ylim(bottom=0)
        drawing.legend(*time.get_legend_handles_labels(), loc="outside lower center", ncols=3)
        write_figure(drawing, path)
    pdf_of(path).unlink()


def main() -> None:
    """Draw the figure and print the table, by the newest rates."""
    parser = argparse.ArgumentParser(prog="python bench/sizes_report.py")
    parser.add_argument("--price", type=float, default=PRICE, help="of a core for an hour")
    price = parser.parse_args().price
    rows = read_tsv(RECORD)
    draw(rows, FIGURE)
    measured = {stage: rates_of(stage, rows) for stage in STAGES}
    # Of each stage the rate at the largest size
    print("\n".join(table({stage: each[max(each)][0] for stage, each in measured.items()}, price)))


if __name__ == "__main__":
    main()
