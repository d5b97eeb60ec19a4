"""What several commands share on the command line, for argparse: an option, types of numbers."""

import argparse
import math

from kasu.base.limits import MOST_THREADS


def add_device(parser: argparse.ArgumentParser) -> None:
    """Declare the option that says where networks run."""
    parser.add_argument(
        "--device",
        default="auto",
        choices=("auto", "cpu", "cuda"),
        help="where networks run; auto, the default, is a GPU if there is one",
    )


def size(text: str) -> int:
    """Parse a whole number of 1 or more."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number of 1 or more")
    return number


def threads(text: str) -> int:
    """Parse a whole number from 1 to MOST_THREADS."""
    number = size(text)
    if number > MOST_THREADS:
        raise argparse.ArgumentTypeError(f"{text!r}: expected at most {MOST_THREADS}")
    return number


def not_negative(text: str) -> float:
    """Parse a finite number of 0 or more."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number of 0 or more")
    return number


def share(text: str) -> float:
    """Parse a number from 0 to 1."""
    number = not_negative(text)
    if number > 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a share from 0 to 1")
    return number
