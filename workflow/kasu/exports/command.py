"""`kasu export DATASET --to FORM`: a dataset in the form that another program reads."""

import argparse
from collections.abc import Callable
from pathlib import Path

from kasu.audits.data.items import BY
from kasu.base.errors import KasuError
from kasu.base.paths import exists, expect_no_input
from kasu.exports.croissant import write_croissant
from kasu.exports.dataset import Dataset, Stated, read_dataset
from kasu.exports.harness import write_harness
from kasu.exports.hub import write_hub
from kasu.exports.pairs import write_blimp, write_multiblimp
from kasu.files.locks import held
from kasu.files.parts import landing_folder
from kasu.job.run import log

OF_DATASETS: dict[str, Callable[[Path, Dataset], None]] = {
    "hub": write_hub,
    "croissant": write_croissant,
}
OF_ITEMS: dict[str, Callable[[Path, Dataset, str | None], None]] = {
    "blimp": write_blimp,
    "multiblimp": write_multiblimp,
    "lm-eval": write_harness,
}
"""The forms of pairs, sets and choices, by phenomenon."""
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
        help="a folder with a card of Kasu, a file of it, or .parquet, .jsonl or .tsv of your own",
    )  # fmt: skip
    parser.add_argument("--to", required=True, choices=(*OF_ITEMS, *OF_DATASETS), help="the form")
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
        KasuError: as `read_dataset`; the dataset has nothing for the form; or the folder is not
            empty, or an input.
    """
    form = arguments.to
    if form in OF_DATASETS and arguments.by is not None:
        raise KasuError("--by", f"with --to {form}", f"one of {', '.join(OF_ITEMS)}")
    stated = Stated(arguments.licence, arguments.attribution, arguments.language)
    dataset = read_dataset(arguments.dataset, stated)
    out = arguments.out or Path(f"{dataset.name}.{form}")
    expect_no_input(out, dataset.path, emptied=True)
    with held(out):
        _expect_empty(out)
        with landing_folder(out.absolute()) as part:
            if form in OF_ITEMS:
                OF_ITEMS[form](part, dataset, arguments.by)
            else:
                OF_DATASETS[form](part, dataset)
    rows = ", ".join(f"{split} {table.num_rows}" for split, table in dataset.tables.items())
    log.info("%s: %s", dataset.licence, rows)
    print(out)
    return 0


def _expect_empty(out: Path) -> None:
    if exists(out) and not out.is_dir():
        raise KasuError(out, "a file", "a new folder")
    if exists(out) and any(out.iterdir()):
        raise KasuError(out, "a folder that is not empty", "a new one")
