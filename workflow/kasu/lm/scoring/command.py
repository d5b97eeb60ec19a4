"""`kasu score`: the sentences or forms of items, scored by a language model.

A run that was cut off goes on where it stopped. Beside the scores, named like them, stands what was
left out (`.drops.tsv`).
"""

import argparse
from pathlib import Path

from kasu.base.code import code_hash
from kasu.base.run import cpu_count
from kasu.lm import PRECISIONS
from kasu.lm.scoring.definitions import DEFINITIONS

HELP = "score minimal pairs or sets with a language model"
TOKENS_PER_BATCH = 2048


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.description = __doc__
    parser.add_argument("--model", type=Path, required=True, help="folder of the model")
    parser.add_argument(
        "--items", type=Path, required=True,
        help=".parquet, .jsonl or .tsv with columns sentence_..., or masked and form_...",
    )  # fmt: skip
    parser.add_argument(
        "--definition", nargs="+", required=True, choices=DEFINITIONS, metavar="NAME",
        help="what a score is: " + ", ".join(DEFINITIONS),
    )  # fmt: skip
    parser.add_argument("--out", type=Path, required=True, help="parquet file to write")
    parser.add_argument(
        "--columns", nargs="+", default=[], metavar="COLUMN", help="only these sentences or forms"
    )
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"))
    parser.add_argument("--dtype", default="float32", choices=PRECISIONS)
    parser.add_argument("--threads", type=int, default=cpu_count(), help="of the processor")
    parser.add_argument(
        "--tokens-per-batch", type=int, default=TOKENS_PER_BATCH, metavar="TOKENS",
        help=f"{TOKENS_PER_BATCH} suit a processor, thirty times that a GPU",
    )  # fmt: skip
    parser.add_argument(
        "--too-long", default="error", choices=("error", "drop"),
        help="what to do with an item that is longer than the model",
    )  # fmt: skip
    parser.add_argument(
        "--remote-code", metavar="REVISION",
        help="let the code run that this revision of the model brings",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Write SCORES of `kasu.lm.scoring.score`; give the exit status.

    Raises:
        KasuError: see `kasu.lm.scoring.score.score_file`.
    """
    from kasu.lm.scoring.score import score_file  # torch takes seconds to import: not for --help

    score_file(
        arguments.model,
        arguments.items,
        arguments.out,
        arguments.out.with_suffix(".drops.tsv"),
        arguments.out.with_suffix(".work"),
        definitions=arguments.definition,
        columns=arguments.columns,
        device=arguments.device,
        dtype=arguments.dtype,
        threads=arguments.threads,
        tokens_per_batch=arguments.tokens_per_batch,
        too_long=arguments.too_long,
        remote_code=arguments.remote_code,
        code=code_hash(__file__),
    )
    return 0
