"""The command of an official scorer: the score of a file of guesses."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence

from kasu.base.errors import KasuError


def run_scorer(
    parser: argparse.ArgumentParser,
    arguments: Sequence[str] | None,
    score: Callable[[argparse.Namespace], Iterable[tuple[str, object]]],
) -> int:
    """Print the score of a file of guesses; return the exit status.

    Args:
        parser: parser of the files and options.
        arguments: the arguments; by default those of the command line.
        score: a function of the arguments, `gold` and `guess` among them, that returns the lines
            to print.
    """
    named = parser.parse_args(arguments)
    try:
        lines = list(score(named))
    except KasuError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for name, value in lines:
        print(f"{name}\t{value}")
    return 0
