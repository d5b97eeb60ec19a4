"""The official scorer of task 1: accuracy and mean Levenshtein distance of a file of guesses.

    python -m kasu.inflection.evaluation.scorer GOLD GUESS

Both files have lines of lemma, form and features separated by tabs, as in the shared task. The
guesses may come from any system, or be the table that `kasu inflect predict` prints.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kasu.base.errors import KasuError
from kasu.corpora.paradigms.schema import tidy
from kasu.corpora.texts.compressed import lines
from kasu.inflection.data.triples import Triple, read_triples
from kasu.results.published import rounded
from kasu.transduction.alignments.edit_distance import distances
from kasu.transduction.task.scorer import run_scorer

PREDICTED = ("lemma", "form", "features", "rank", "score")
"""The columns of the table that `kasu inflect predict` prints."""


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

    In both files, a later line for the same lemma and features overwrites an earlier one.

    Raises:
        KasuError: a file cannot be read, or as `read_triples`.
    """
    return score(_read(gold), _read(guess))


def score(right: Mapping[tuple[str, str], str], guesses: Mapping[tuple[str, str], str]) -> Result:
    """Score forms by lemma and features.

    A gold item without a guess counts as the empty form. Guesses for other items are ignored.
    """
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
        first = next((line for _, line in lines(path)), "")
        triples = _read_predicted(path) if _columns(first) == PREDICTED else read_triples(path)
    except OSError as error:
        raise KasuError(path, error.strerror or "unreadable", "a file to read") from error
    return {(lemma, features): form for lemma, form, features in triples}


def _read_predicted(path: str | Path) -> list[Triple]:
    """Read the first form of each item of `kasu inflect predict`."""
    triples = []
    for number, line in lines(path):
        if len(row := _columns(line)) != len(PREDICTED):
            raise KasuError(f"{path}:{number}", f"{len(row)} columns", ", ".join(PREDICTED))
        lemma, form, features, rank, _ = row
        if rank == "1":
            triples.append(Triple(lemma, form, tidy(features)))
    return triples


def _columns(line: str) -> tuple[str, ...]:
    return tuple(line.removesuffix("\r").split("\t"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the score of a file of guesses."""
    parser = argparse.ArgumentParser(
        prog="python -m kasu.inflection.evaluation.scorer",
        description="Accuracy and mean Levenshtein distance, as the shared task scored its task 1.",
        epilog="Files have lines of lemma, form and features, separated by tabs. A table that "
        "`kasu inflect predict` printed is a file of guesses too: the first form of each item.",
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
