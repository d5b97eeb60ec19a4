"""The official scorer of task 1: accuracy and mean Levenshtein distance of a file of guesses.

    python -m kasu.inflection.evaluation.scorer GOLD GUESS

Both files have lines of lemma, form and features separated by tabs, as in the shared task; the
guesses may come from any system.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kasu.base.errors import KasuError
from kasu.inflection.data.triples import read_triples
from kasu.results.published import rounded
from kasu.transduction.alignments.edit_distance import distances
from kasu.transduction.task.scorer import run_scorer


class Result(NamedTuple):
    """The score of a file of guesses.

    `accuracy` is a fraction of 1; `levenshtein` is a mean over items, in code points. `missing`
    counts gold items without a guess, `extra` guesses without a gold item.
    """

    items: int
    accuracy: float
    levenshtein: float
    missing: int
    extra: int


def score_files(gold: str | Path, guess: str | Path) -> Result:
    """Score guesses as the official scorer does (overview §5; no normalisation, case counts).

    In both files, a later line for the same lemma and features overwrites an earlier one. A gold
    item without a guess counts as the empty form. Guesses for other items are ignored.

    Raises:
        KasuError: a file cannot be read, or as `read_triples`.
    """
    right, guesses = _read(gold), _read(guess)
    forms = list(right.values())
    found = [guesses.get(item, "") for item in right]
    distance = distances(forms, found)
    return Result(
        items=len(right),
        accuracy=float(np.mean(distance == 0)),
        levenshtein=float(distance.mean()),
        missing=len(right.keys() - guesses.keys()),
        extra=len(guesses.keys() - right.keys()),
    )


def _read(path: str | Path) -> dict[tuple[str, str], str]:
    try:
        triples = read_triples(path)
    except OSError as error:
        raise KasuError(path, error.strerror or "unreadable", "a file to read") from error
    return {(lemma, features): form for lemma, form, features in triples}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the score of a file of guesses."""
    parser = argparse.ArgumentParser(
        prog="python -m kasu.inflection.evaluation.scorer",
        description="Accuracy and mean Levenshtein distance, as the shared task scored its task 1.",
        epilog="Files have lines of lemma, form and features, separated by tabs.",
    )
    parser.add_argument("gold", help="file of right forms")
    parser.add_argument("guess", help="file of a system's forms")
    return run_scorer(parser, arguments, _lines)


def _lines(named: argparse.Namespace) -> Iterator[tuple[str, object]]:
    result = score_files(named.gold, named.guess)
    yield "items", result.items
    yield "accuracy", f"{rounded(result.accuracy, 2, percent=True)} %"
    yield "Levenshtein", rounded(result.levenshtein, 4)
    yield "missing", result.missing
    yield "extra", result.extra


if __name__ == "__main__":
    sys.exit(main())
