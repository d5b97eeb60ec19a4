"""The official scorer of task 2: accuracies and mean Levenshtein distance of a file of guesses.

    python -m kasu.cloze.evaluation.scorer GOLD GUESS

Both files have lines of form, lemma and features separated by tabs, and a blank line after each
sentence, as in the shared task; the guesses may come from any system.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kasu.base.errors import KasuError
from kasu.cloze.data.sentences import read_rows, read_uncovered
from kasu.corpora.texts.spelling import lower_case
from kasu.results.published import rounded
from kasu.transduction.alignments.edit_distance import distances
from kasu.transduction.task.scorer import run_scorer


class Judged(NamedTuple):
    """The outcome of each guess, arrays of shape (items,).

    Attributes:
        original: whether it is the form of the treebank.
        plausible: whether it is any form that fits.
        distance: Levenshtein distance to the form of the treebank, in code points.
    """

    original: np.ndarray
    plausible: np.ndarray
    distance: np.ndarray


def judge(
    gold: Sequence[Sequence[str]], guesses: Sequence[str], *, fold: bool = True, language: str = ""
) -> Judged:
    """Compare guesses with the right forms.

    Args:
        gold: the forms that fit each item, the form of the treebank first.
        fold: whether to lower-case both sides. The scorer of the test sets does; the scorer of the
            baseline's development results does not.
        language: a code, for lower case.
    """
    small = lower_case(language) if fold else str
    forms = [tuple(map(small, each)) for each in gold]
    found = list(map(small, guesses))
    distance = distances([each[0] for each in forms], found)
    fits = [guess in each for guess, each in zip(found, forms, strict=True)]
    return Judged(distance == 0, np.array(fits, bool), distance)


class Result(NamedTuple):
    """The score of a file of guesses: shares of 1, and a mean distance in code points."""

    items: int
    original: float
    plausible: float
    levenshtein: float


def score_files(gold: str | Path, guess: str | Path, *, fold: bool = True) -> Result:
    """Score guesses as the official scorers do (overview §5.2).

    Targets are the tokens that the gold file gives without features. Guesses are taken whole;
    slashes in them separate nothing.

    Args:
        fold: as in `judge`.

    Raises:
        KasuError: a file cannot be read, or the sentences, tokens or lemmata of targets differ.
    """
    try:
        sentences, guessed = read_uncovered(gold), read_rows(guess)
    except OSError as error:
        raise KasuError(error.filename, error.strerror or "unreadable", "a file to read") from error
    if len(guessed) != len(sentences):
        raise KasuError(guess, f"{len(guessed)} sentences", f"{len(sentences)}, as in {gold}")
    forms, guesses = [], []
    for words, rows in zip(sentences, guessed, strict=True):
        if len(rows) != len(words):
            where, found = f"{guess}:{rows[0].line}", f"a sentence of {len(rows)} tokens"
            raise KasuError(where, found, f"{len(words)}, as in {gold}")
        for word, row in zip(words, rows, strict=True):
            if word.target:
                if row.lemma != word.lemma:
                    where = f"{guess}:{row.line}"
                    raise KasuError(where, f"the lemma {row.lemma!r}", f"{word.lemma!r}")
                forms.append(word.plausible)
                guesses.append(row.form)
    judged = judge(forms, guesses, fold=fold)
    return Result(len(forms), *(float(outcome.mean()) for outcome in judged))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the score of a file of guesses."""
    parser = argparse.ArgumentParser(
        prog="python -m kasu.cloze.evaluation.scorer",
        description="Accuracies and mean Levenshtein distance, as the shared task scored task 2.",
        epilog="Lines of form, lemma and features, separated by tabs; blank lines end sentences.",
    )
    parser.add_argument("gold", help="sentences whose targets have their forms")
    parser.add_argument("guess", help="the same sentences with guesses in place of these forms")
    parser.add_argument("--exact", action="store_true", help="tell capital letters from small ones")
    return run_scorer(parser, arguments, _lines)


def _lines(named: argparse.Namespace) -> Iterator[tuple[str, object]]:
    result = score_files(named.gold, named.guess, fold=not named.exact)
    yield "items", result.items
    yield "original form", f"{rounded(result.original, 2, percent=True)} %"
    yield "plausible form", f"{rounded(result.plausible, 2, percent=True)} %"
    yield "Levenshtein", rounded(result.levenshtein, 4)


if __name__ == "__main__":
    sys.exit(main())
