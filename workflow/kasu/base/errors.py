"""The failure that Kasu expects: bad input, a missing tool, a full disk."""


class KasuError(Exception):
    """One clear line for the user: where, which item, what was found and what was expected.

    Anything else that reaches the top of a job is a bug and keeps its traceback.
    """

    def __init__(self, where: object, found: str, expected: str = "") -> None:
        super().__init__(f"{where}: {found}" + (f"; expected {expected}" if expected else ""))

    def __reduce__(self):  # worker processes send it back by value
        return _restore, (str(self),)


def _restore(line: str) -> KasuError:
    error = KasuError.__new__(KasuError)
    Exception.__init__(error, line)
    return error
