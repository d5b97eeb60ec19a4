"""The exception for expected failures: bad input, a missing tool, a full disk."""

import difflib
from collections.abc import Callable, Iterable

from kasu.base.secrets import redact
from kasu.base.visible import visible

FEW = 12  # names that a line lists; of more it lists the nearest


class KasuError(Exception):
    """One clear line for the user: where, what was found and what was expected.

    Any other exception that reaches the top of a job is a bug and keeps its traceback.
    """

    def __init__(self, where: object, found: str, expected: str = "") -> None:
        line = f"{where}: {found}" + (f"; expected {expected}" if expected else "")
        # What was found may hold passwords, line ends, and what steers a terminal
        super().__init__(visible(redact(line)))

    def __reduce__(self) -> tuple[Callable[[str], "KasuError"], tuple[str]]:
        # Worker processes send it back pickled
        return as_printed, (str(self),)


def as_printed(line: str) -> KasuError:
    """Return the error with this whole line."""
    error = KasuError.__new__(KasuError)
    Exception.__init__(error, line)
    return error


def nearest(name: str, known: Iterable[str]) -> str:
    """Return what to write for an unknown name: `one of a, b`, or the nearest of many."""
    names = list(known)
    if len(names) <= FEW:
        return f"one of {', '.join(names) or 'none'}"
    # A capital letter is no other letter
    by_folded = {each.casefold(): each for each in names}
    folded = difflib.get_close_matches(name.casefold(), by_folded, cutoff=0)
    similar = [by_folded[each] for each in folded]
    return f"one of {', '.join(similar)} (the nearest of {len(names)})"
