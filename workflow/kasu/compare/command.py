"""`kasu compare OLD NEW`: what differs between two result folders."""

import argparse
from collections import Counter
from pathlib import Path

from kasu.base.arguments import not_negative
from kasu.base.visible import visible
from kasu.compare.folders import Options, compare_folders

EPILOG = """\
examples:
  kasu compare results/before results/demo
  kasu compare before after --sort --tolerance 1e-6 --ignore '*.svg'

Parquet and TSV files are compared cell by cell, all other files byte by byte; logs/, benchmarks/,
<study>/work/ and the report's page are left out. Rows are paired by position, and row 1 is the
first below the header. With --key, with --sort, or where a file has gained or lost rows, equal
rows are paired first, then those with the same key, then (without a key) those that differ only in
numbers with a decimal point.

exit status: 0 no difference, 1 some, 2 error
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Print every difference between two result folders."
    parser.epilog = EPILOG
    parser.add_argument("old", metavar="OLD", type=Path, help="a folder of results")
    parser.add_argument("new", metavar="NEW", type=Path, help="another one")
    parser.add_argument(
        "--ignore",
        metavar="GLOB",
        action="append",
        default=[],
        help="leave out paths that match; * also matches /; repeatable",
    )
    parser.add_argument("--sort", action="store_true", help="let rows stand in another order")
    parser.add_argument(
        "--key",
        metavar="COLUMN,COLUMN",
        type=lambda text: tuple(map(str.strip, text.split(","))),
        default=(),
        help="columns that identify a row, in tables that have them all",
    )
    parser.add_argument(
        "--tolerance",
        metavar="T",
        type=not_negative,
        default=0.0,
        help="numbers count as equal up to this absolute difference (default 0)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Compare and print; return the exit status, 0 if nothing differs and 1 otherwise.

    Raises:
        KasuError: a folder is missing or empty, no table has the key, or a table is unreadable.
    """
    options = Options(
        ignore=arguments.ignore,
        key=arguments.key,
        sort=arguments.sort,
        tolerance=arguments.tolerance,
    )
    states: Counter[str] = Counter()
    for finding in compare_folders(arguments.old, arguments.new, options):
        states[finding.state] += 1
        if finding.state != "equal":
            print(f"{visible(finding.path)}: {finding.state}")
            for line in finding.details:
                print(f"  {visible(line)}")
    equal = states.pop("equal", 0)
    print("; ".join([f"files equal: {equal}", *(f"{name}: {n}" for name, n in states.items())]))
    return 1 if states else 0
