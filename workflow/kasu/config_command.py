"""`kasu config`: check config files; print the schema for editors, and the reference."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kasu.config.reading import read_settings
from kasu.files.maps import read_map
from kasu.reference import reference, schema
from kasu.settings import Settings, empty_studies

UNCHECKED = "whether a run finds what they name, and may write its results, says snakemake -n"
EPILOG = """\
examples:
  kasu config check config/real.yaml mine.yaml
  kasu config reference >docs/config.md

exit status: 0 no mistake in keys and values, 2 error
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Check config files without a run, or print what a config may say."
    parser.epilog = EPILOG
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser(
        "check",
        help="check a stack of files, as --configfile stacks them",
        description=(
            "Check the keys and values of config files, stacked from left to right as a run reads "
            f"them; {UNCHECKED}."
        ),
    )
    check.add_argument("files", metavar="FILE", nargs="+", type=Path, help="a config file")
    for action, what in (
        ("schema", "the JSON schema for editors"),
        ("reference", "the reference of all keys, in Markdown"),
    ):
        actions.add_parser(action, help=f"print {what}", description=f"Print {what}.")


def run(arguments: argparse.Namespace) -> int:
    """Check or print; return the exit status.

    Raises:
        KasuError: the first mistake of a config.
    """
    if arguments.action == "check":
        config = stack(arguments.files)
        read_settings(config, Settings)
        for line in empty_studies(config):
            print(line, file=sys.stderr)
        files = ", ".join(map(str, arguments.files))
        print(f"no mistake in the keys and values of {files}; {UNCHECKED}")
    else:
        print(schema() if arguments.action == "schema" else reference(), end="")
    return 0


def stack(files: Sequence[Path]) -> dict[str, Any]:
    """Merge config files as Snakemake does: maps key by key, lists whole.

    Raises:
        KasuError: as `read_map`.
    """
    merged: dict[str, Any] = {}
    for file in files:
        _merge(merged, read_map(file))
    return merged


def _merge(below: dict[str, Any], above: Mapping[str, Any]) -> None:
    for key, value in above.items():
        if isinstance(value, Mapping) and isinstance(below.get(key), Mapping):
            below[key] = dict(below[key])
            _merge(below[key], value)
        else:
            below[key] = value
