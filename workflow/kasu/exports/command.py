"""`kasu export DATASET --to FORM`: a dataset in the form that another program reads."""

import argparse
from pathlib import Path

from kasu.audits.data.items import BY
from kasu.exports.dataset import Stated
from kasu.exports.export import FORMS, OF_ITEMS, export_dataset
from kasu.lm.scoring.items import ENDINGS

EPILOG = """\
examples:
  kasu export results/demo/minimal_sets/datasets/demo-nom-dat-subj --to hub
  kasu export pairs.jsonl --to croissant --licence "CC BY 4.0" --attribution "Ane Etxeberria"

exit status: 0 the folder is written, 2 error
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Write a dataset in the form that another program reads."
    parser.epilog = EPILOG
    parser.add_argument(
        "dataset", metavar="DATASET", type=Path,
        help=f"a folder with a card of Kasu, a file of it, or a file of your own ({ENDINGS})",
    )  # fmt: skip
    parser.add_argument("--to", required=True, choices=FORMS, help="the form")
    parser.add_argument(
        "--out", metavar="FOLDER", type=Path, help="a new folder; by default DATASET.FORM, here"
    )
    parser.add_argument(
        "--by", metavar="COLUMN",
        help=f"phenomena of {', '.join(OF_ITEMS)}; by default the first there is of"
        f" {', '.join(BY)}; '' for none",
    )  # fmt: skip
    parser.add_argument("--licence", metavar="TEXT", help="of what states none, as 'CC BY 4.0'")
    parser.add_argument(
        "--attribution", metavar="TEXT",
        help="whom to name for a file of your own; by default its name",
    )  # fmt: skip
    parser.add_argument(
        "--language", metavar="CODE", help="of a file of your own, by ISO 639; by default und"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the export and print its folder; return the exit status.

    Raises:
        KasuError: as `export_dataset`.
    """
    stated = Stated(arguments.licence, arguments.attribution, arguments.language)
    print(export_dataset(arguments.dataset, arguments.to, arguments.out, arguments.by, stated))
    return 0
