"""`kasu score MODEL ITEMS`: score the sentences or forms of items with a language model.

It prints how often the right sentence or form has the highest score. Minimal pairs have columns
sentence_good and sentence_bad (BLiMP) or sen and wrong_sen (MultiBLiMP); minimal sets have a column
`grammatical`, which names the right form. A tie counts one half, or one divided by the number of
equal scores. A run that was cut off continues where it stopped. Runs at the same moment need an
--out each. The items left out are counted in a file next to the scores
(`.drops.tsv`).
"""

import argparse
from pathlib import Path

from kasu.base.arguments import add_device, size, threads
from kasu.base.errors import KasuError
from kasu.base.paths import expect_no_input
from kasu.files.locks import held
from kasu.job.code import code_hash
from kasu.job.run import cpu_count, log
from kasu.lm import CAUSAL, MASKED, PRECISIONS, WHERE_BFLOAT16_PAYS
from kasu.lm.models.definitions import DEFINITIONS, WORD
from kasu.lm.models.folders import kind_of
from kasu.lm.scoring.accuracy import (
    accuracies,
    accuracy_lines,
    accuracy_objects,
    expect_column,
    remarks,
)
from kasu.lm.scoring.items import has_masks

TOKENS_PER_BATCH = 2048
OTHER = "an --out of its own"
REMEDY = "; name a --definition"
DEFAULTS = {MASKED: "pll_original", CAUSAL: "causal", WORD: "word_paper_ideal"}
"""The definition for whole sentences, by the kind of model, and the one for forms."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.description = __doc__
    parser.add_argument("model", metavar="MODEL", type=Path, help="folder of the model")
    parser.add_argument(
        "items", metavar="ITEMS", type=Path,
        help=".parquet, .jsonl, .tsv or .csv; columns sentence_..., or sen and wrong_sen, or masked"
        " and form_...",
    )  # fmt: skip
    parser.add_argument(
        "--definition", nargs="+", choices=DEFINITIONS, metavar="NAME",
        help=f"how to score: {', '.join(DEFINITIONS)}; by default {DEFAULTS[MASKED]} or"
        f" {DEFAULTS[CAUSAL]}, by the kind of model, and {DEFAULTS[WORD]} for forms",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, help="parquet file to write; by default ITEMS.scores.parquet, here"
    )
    parser.add_argument(
        "--by", metavar="COLUMN",
        help="print accuracy for each value of a column, too; by default of `phenomenon`",
    )  # fmt: skip
    parser.add_argument(
        "--json", action="store_true",
        help="print one JSON object per line, with accuracies as shares of 1",
    )  # fmt: skip
    parser.add_argument(
        "--columns", nargs="+", default=[], metavar="COLUMN", help="only these sentences or forms"
    )
    add_device(parser)
    parser.add_argument(
        "--dtype", default="float32", choices=PRECISIONS,
        help=f"of products; {WHERE_BFLOAT16_PAYS}",
    )  # fmt: skip
    parser.add_argument(
        "--threads", type=threads, default=cpu_count(), help="threads of the processor"
    )
    parser.add_argument(
        "--tokens-per-batch", type=size, default=TOKENS_PER_BATCH, metavar="TOKENS",
        help=f"{TOKENS_PER_BATCH} by default, for a processor; thirty times that for a GPU",
    )  # fmt: skip
    parser.add_argument(
        "--too-long", default="error", choices=("error", "drop"),
        help="what to do with an item that is too long for the model",
    )  # fmt: skip
    parser.add_argument(
        "--untrained", action="store_true",
        help="score a checkpoint that lacks weights, with random ones: a null",
    )  # fmt: skip
    parser.add_argument(
        "--remote-code", metavar="REVISION",
        help="run the code that comes with the model, if it is of this revision",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Write SCORES of `kasu.lm.scoring.score`; return the exit status.

    Raises:
        KasuError: see `kasu.lm.scoring.score.score_file`; or there is no column for --by, the kind
            of model is unknown and no definition named, an output is a folder or an input, or
            another run writes it.
        UnicodeEncodeError: the name of --out is not UTF-8.
    """
    # torch takes seconds to import, so not for --help
    from kasu.lm.scoring.score import Scoring, score_file
    from kasu.neural.resume import expect_states

    # Before hours of scoring
    if arguments.by:
        expect_column(arguments.items, arguments.by)
    definitions = arguments.definition
    if not definitions:
        kind = WORD if has_masks(arguments.items) else kind_of(arguments.model, REMEDY)
        definitions = [DEFAULTS[kind]]
    out = arguments.out or Path(f"{arguments.items.stem}.scores.parquet")
    str(out).encode()  # an error if it is not UTF-8, which its writer finds after all scoring
    beside = str(out).removesuffix(".parquet")
    drops = f"{beside}.drops.tsv"
    for file in (out, Path(drops)):
        if file.is_dir():
            raise KasuError(file, "a folder", "a file to write")
        expect_no_input(file, arguments.items, arguments.model)
    work = Path(f"{beside}.work")
    expect_no_input(work, arguments.items, arguments.model, emptied=True)
    expect_states(work)
    scoring = Scoring(
        definitions=definitions,
        columns=arguments.columns,
        device=arguments.device,
        dtype=arguments.dtype,
        threads=arguments.threads,
        tokens_per_batch=arguments.tokens_per_batch,
        too_long=arguments.too_long,
        untrained=arguments.untrained,
        remote_code=arguments.remote_code,
    )
    with held(out, expected=OTHER), held(drops, expected=OTHER):
        scores = score_file(
            arguments.model,
            arguments.items,
            out,
            drops,
            work,
            scoring,
            code=code_hash(__file__),
        )
    found = list(accuracies(arguments.items, scores, arguments.by))
    for line in remarks(found) if found else ["no accuracy: every item was left out"]:
        log.info(line)
    for line in accuracy_objects(found) if arguments.json else accuracy_lines(found):
        print(line)
    return 0
