"""`kasu score`: score the sentences or forms of items with a language model.

A run that was cut off continues where it stopped. The items left out are counted in a file next to
the scores (`.drops.tsv`).
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
        help="how to score: " + ", ".join(DEFINITIONS),
    )  # fmt: skip
    parser.add_argument("--out", type=Path, required=True, help="parquet file to write")
    parser.add_argument(
        "--columns", nargs="+", default=[], metavar="COLUMN", help="only these sentences or forms"
    )
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda"))
    parser.add_argument("--dtype", default="float32", choices=PRECISIONS)
    parser.add_argument("--threads", type=int, default=cpu_count(), help="threads of the processor")
    parser.add_argument(
        "--tokens-per-batch", type=int, default=TOKENS_PER_BATCH, metavar="TOKENS",
        help=f"{TOKENS_PER_BATCH} by default, for a processor; thirty times that for a GPU",
    )  # fmt: skip
    parser.add_argument(
        "--too-long", default="error", choices=("error", "drop"),
        help="what to do with an item that is too long for the model",
    )  # fmt: skip
    parser.add_argument(
        "--remote-code", metavar="REVISION",
        help="run the code that comes with the model, if it is of this revision",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Write SCORES of `kasu.lm.scoring.score`; return the exit status.

    Raises:
        KasuError: see `kasu.lm.scoring.score.score_file`.
    """
    # torch takes seconds to import, so not for --help
    from kasu.lm.scoring.score import Scoring, score_file

    scoring = Scoring(
        definitions=arguments.definition,
        columns=arguments.columns,
        device=arguments.device,
        dtype=arguments.dtype,
        threads=arguments.threads,
        tokens_per_batch=arguments.tokens_per_batch,
        too_long=arguments.too_long,
        remote_code=arguments.remote_code,
    )
    score_file(
        arguments.model,
        arguments.items,
        arguments.out,
        arguments.out.with_suffix(".drops.tsv"),
        arguments.out.with_suffix(".work"),
        scoring,
        code=code_hash(__file__),
    )
    return 0
