"""`kasu audit ITEMS`: what a benchmark's form gives away, and which nulls solve it."""

import argparse
from pathlib import Path

from kasu.audits.audit import Beside, audit_benchmark
from kasu.audits.data.items import BY, CLUSTERS, KNOWN, read_benchmark
from kasu.audits.output import FILES, audit_lines, to_json, write_audit
from kasu.base.arguments import share
from kasu.base.paths import expect_folder, expect_output
from kasu.job.run import log
from kasu.lm.scoring.items import ENDINGS

EPILOG = f"""\
examples:
  kasu audit pairs.jsonl
  kasu audit pairs.tsv --by phenomenon --cluster lemma --fail-above 0.6

ITEMS has one of these sets of columns: {"; ".join(KNOWN)}.

exit status: 0 whatever is found, 1 if a null is above --fail-above, 2 error
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = "Say what a benchmark gives away: its form, and the nulls that solve it."
    parser.epilog = EPILOG
    parser.add_argument("items", metavar="ITEMS", type=Path, help=f"a file ({ENDINGS})")
    parser.add_argument(
        "--by", metavar="COLUMN",
        help=f"phenomena; by default the first there is of {', '.join(BY)}; '' for none",
    )  # fmt: skip
    parser.add_argument(
        "--cluster", metavar="COLUMN",
        help="what items share, as their source sentence; by default the first there is of"
        f" {', '.join(CLUSTERS)}; '' for none",
    )  # fmt: skip
    parser.add_argument(
        "--text", metavar="CORPUS", type=Path,
        help="a text by lines (also .gz, .bz2, .xz), or .parquet with a column text",
    )  # fmt: skip
    parser.add_argument(
        "--train", metavar="ITEMS", type=Path, help="training items of the same form"
    )
    parser.add_argument(
        "--tokenizer", metavar="PATH", type=Path, help="the folder of a model or a tokenizer.json"
    )
    parser.add_argument(
        "--scores", metavar="FILE", type=Path, nargs="+", default=[], help="files of `kasu score`"
    )
    parser.add_argument(
        "--out", metavar="FOLDER", type=Path,
        help=f"for {', '.join(FILES)}; by default ITEMS.audit, here",
    )  # fmt: skip
    parser.add_argument(
        "--fail-above", metavar="SHARE", type=share,
        help="end with exit status 1 if a null is right in a larger share of the items, 0 to 1",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the JSON, with examples")


def run(arguments: argparse.Namespace) -> int:
    """Audit, write FILES and print; return the exit status.

    Raises:
        KasuError: an input cannot be read, or an output is an input or a folder.
    """
    out = arguments.out or Path(f"{arguments.items.stem}.audit")
    beside = Beside(
        text=arguments.text,
        training=arguments.train,
        tokenizer=arguments.tokenizer,
        scores=arguments.scores,
        scratch=Path(out, "text"),
    )
    expect_folder(out)
    for name in FILES:
        expect_output(Path(out, name), arguments.items, *beside.files)
    benchmark = read_benchmark(arguments.items, arguments.by, arguments.cluster)
    audit = audit_benchmark(benchmark, beside)
    write_audit(out, audit)
    if arguments.json:
        print(to_json(audit), end="")
    else:
        for line in audit_lines(audit):
            print(line)
    rest = f"; rows by {benchmark.by} without a flaw stand there alone" if benchmark.groups else ""
    log.info("written to %s: %s%s", out, ", ".join(FILES), rest)
    best, limit = audit.best_null, arguments.fail_above
    return int(limit is not None and (best.share or 0) > limit)
