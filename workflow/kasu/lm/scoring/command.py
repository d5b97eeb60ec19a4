"""`kasu score MODEL [MODEL ...] ITEMS`: score the sentences or forms of items with language models.

It prints how often the right sentence or form has the highest score. Minimal pairs have columns
sentence_good and sentence_bad (BLiMP) or sen and wrong_sen (MultiBLiMP); minimal sets have a column
`grammatical`, which names the right form. A tie counts one half, or one divided by the number of
equal scores. A run that was cut off continues where it stopped. Runs at the same moment need an
--out each. The items left out are counted in a file next to the scores
(`.drops.tsv`).

Several models are also compared: the second table has the difference between each two on the items
that both judge, with McNemar's test (a permutation test if there are ties or clusters) and Holm's
correction.
--out is then a folder, for ITEMS.MODEL.scores.parquet, ITEMS.accuracies.tsv,
ITEMS.comparisons.tsv and ITEMS.flips.tsv: the items on which models or definitions disagree.

--covariates fits, for each model, whether being right goes with what the right text has more of
than the wrong ones: characters, pieces and, with --text, frequent words. It prints the factor of
the odds by one standard deviation more, with standard errors clustered.

Items with the same source sentence or lemma (--cluster) are not independent: intervals and
tests are then of these clusters.
"""

import argparse
from pathlib import Path

from kasu.base.arguments import add_device, size, threads
from kasu.base.errors import KasuError
from kasu.base.paths import expect_folder, expect_output
from kasu.base.visible import visible
from kasu.files.tables import write_text
from kasu.job.run import cpu_count, log
from kasu.lm import CAUSAL, MASKED, PRECISIONS, WHERE_BFLOAT16_PAYS
from kasu.lm.models.definitions import DEFINITIONS, WORD
from kasu.lm.models.folders import model_name
from kasu.lm.scoring.accuracy import (
    Accuracy,
    accuracies,
    expect_column,
    remarks,
    verdicts,
)
from kasu.lm.scoring.clusters import CLUSTERS, SAYS, read_clusters
from kasu.lm.scoring.compare import System, Verdicts, compare
from kasu.lm.scoring.covariates import Effect, Items, effects, read_counted
from kasu.lm.scoring.items import ENDINGS, read_rows
from kasu.lm.scoring.jobs import DEFAULTS, TOKENS_PER_BATCH, Job, plan_job
from kasu.lm.scoring.publish import bibtex, latex
from kasu.lm.scoring.tables import effect_lines, printed, write_tables

EPILOG = """\
examples:
  kasu score models/bert pairs.jsonl
  kasu score models/bert models/gpt pairs.jsonl --out scores --latex table.tex

exit status: 0 whatever is right, 2 error
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.description = __doc__
    parser.epilog = EPILOG
    parser.add_argument("models", metavar="MODEL", type=Path, nargs="+", help="folder of a model")
    parser.add_argument(
        "items", metavar="ITEMS", type=Path,
        help=f"a file ({ENDINGS}); columns sentence_..., or sen and wrong_sen, or masked and"
        " form_...",
    )  # fmt: skip
    parser.add_argument(
        "--definition", nargs="+", choices=DEFINITIONS, metavar="NAME",
        help=f"how to score: {', '.join(DEFINITIONS)}; by default {DEFAULTS[MASKED]} or"
        f" {DEFAULTS[CAUSAL]}, by the kind of model; forms, by a masked one, {DEFAULTS[WORD]}",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path,
        help="parquet file to write, by default ITEMS.scores.parquet, here; of several models, a"
        " folder",
    )  # fmt: skip
    parser.add_argument(
        "--latex", metavar="FILE", type=Path, help="write the tables for LaTeX, with booktabs"
    )
    parser.add_argument(
        "--bibtex", metavar="FILE", type=Path,
        help="write the sources of the definitions and tests that were used",
    )  # fmt: skip
    parser.add_argument(
        "--covariates", action="store_true",
        help="fit whether being right goes with length, pieces and (with --text) frequency",
    )  # fmt: skip
    parser.add_argument(
        "--text", metavar="CORPUS", type=Path,
        help="of --covariates, where words are counted: a text by lines (also .gz, .bz2, .xz), or"
        " .parquet with a column text",
    )  # fmt: skip
    parser.add_argument(
        "--cluster", metavar="COLUMN",
        help="what items share, as their source sentence; by default the first there is of"
        f" {', '.join(CLUSTERS)}; '' for none",
    )  # fmt: skip
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
    """Write SCORES of `kasu.lm.scoring.score`, and what is asked for; return the exit status.

    Raises:
        KasuError: see `kasu.lm.scoring.score.score_file`; or there is no column for --by or
            --cluster, the kind of model is unknown and no definition named, two models have one
            name, an output is a folder or an input, or another run writes it.
        UnicodeEncodeError: the name of --out is not UTF-8.
    """
    # Before hours of scoring
    if arguments.by:
        expect_column(arguments.items, arguments.by)
    items = _covariates(arguments)
    jobs = _jobs(arguments)
    tables = {}
    if len(jobs) > 1:
        expect_folder(arguments.out or ".")
        tables = _tables(arguments)
    text = (arguments.text,) if arguments.text else ()
    inputs = (arguments.items, *arguments.models, *text)
    for file in (*tables.values(), *filter(None, (arguments.latex, arguments.bibtex))):
        expect_output(file, *inputs)
    for job in jobs.values():
        job.check(*inputs)
    of, cluster = arguments.items, arguments.cluster
    if shared := read_clusters(of, read_rows(of), cluster).shared:
        log.info(SAYS.format(visible(shared)))
    rows: dict[System, list[Accuracy]] = {}
    judged: dict[System, Verdicts] = {}
    found_effects: list[Effect] = []
    for name, job in jobs.items():
        scores = job.run()
        found = list(accuracies(of, scores, arguments.by, cluster))
        for line in remarks(found):
            log.info(f"{name}: {line}" if len(jobs) > 1 else line)
        for row in found:
            rows.setdefault(System(name, row.definition), []).append(row)
        of_model = verdicts(of, scores, name, arguments.by, cluster)
        judged |= of_model
        if items:
            found_effects += effects(items, scores, of_model)
    comparisons = compare(judged) if len(jobs) > 1 else []
    if tables:
        write_tables(tables, rows, comparisons, judged)
    if arguments.latex:
        write_text(arguments.latex, latex(rows, comparisons))
    if arguments.bibtex:
        write_text(arguments.bibtex, bibtex(rows, comparisons, covariates=bool(items)))
    for line in printed(rows, comparisons, arguments.json, several=len(jobs) > 1):
        print(line)
    for line in effect_lines(found_effects, as_json=arguments.json):
        print(line)
    return 0


def _covariates(arguments: argparse.Namespace) -> Items | None:
    """Read what --covariates needs; None without it.

    Raises:
        KasuError: as `read_counted`; or --text stands alone.
    """
    if arguments.covariates:
        return read_counted(arguments.items, arguments.text)
    if arguments.text:
        raise KasuError("--text", "without --covariates", "both")
    return None


def _jobs(arguments: argparse.Namespace) -> dict[str, Job]:
    """Plan the scoring with each model, by its name.

    Raises:
        KasuError: as `run`.
    """
    several = len(arguments.models) > 1
    jobs: dict[str, Job] = {}
    for model in arguments.models:
        name = model_name(str(model.absolute()))
        if name in jobs:
            found = f"called {name!r}, like {jobs[name].model}"
            raise KasuError(model, found, "models in folders of different names")
        if several:
            out = Path(arguments.out or ".", f"{arguments.items.stem}.{name}.scores.parquet")
        else:
            out = arguments.out or Path(f"{arguments.items.stem}.scores.parquet")
        jobs[name] = plan_job(
            model, arguments.items, out, arguments.definition, of_several=several,
            columns=arguments.columns, device=arguments.device, dtype=arguments.dtype,
            threads=arguments.threads, tokens_per_batch=arguments.tokens_per_batch,
            too_long=arguments.too_long, untrained=arguments.untrained,
            remote_code=arguments.remote_code,
        )  # fmt: skip
    return jobs


def _tables(arguments: argparse.Namespace) -> dict[str, Path]:
    """Return the tables that are written of several models."""
    stem = arguments.items.stem
    names = ("accuracies", "comparisons", "flips")
    return {name: Path(arguments.out or ".", f"{stem}.{name}.tsv") for name in names}
