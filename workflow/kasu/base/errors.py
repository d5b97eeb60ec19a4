"""The exception for expected failures: bad input, a missing tool, a full disk."""

from collections.abc import Callable

from kasu.base.secrets import redact
from kasu.base.visible import visible


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
        return _restore, (str(self),)


def _restore(line: str) -> KasuError:
    error = KasuError.__new__(KasuError)
    Exception.__init__(error, line)
    return error
