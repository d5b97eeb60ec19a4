"""Regular expressions of users, which may not keep a run busy for ever."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod

import regex

from kasu.base.errors import KasuError

SECONDS = 5.0  # for one text; a sound pattern takes microseconds
REPEATS = 10_000
_COUNT = regex.compile(r"\{(\d{1,9}),?\}|\{\d*,(\d{1,9})\}")


@dataclass(frozen=True)
class Pattern:
    """A regular expression in the syntax of `re`; it takes at most SECONDS for a text.

    Raises:
        KasuError: it is not valid, or its counted repeats multiply to more than REPEATS: the
            library unrolls them.
    """

    text: str
    ignore_case: bool = False

    def __post_init__(self) -> None:
        if prod(max(1, int(a or b)) for a, b in _COUNT.findall(self.text)) > REPEATS:
            raise KasuError(self._name, "too many repeats", f"{REPEATS} in all")
        try:
            self._compiled.search("")
        except regex.error as error:
            raise KasuError(self._name, str(error)) from error

    def search(self, text: str) -> bool:
        """Return whether the pattern fits somewhere in a text.

        Raises:
            KasuError: the search takes too long.
        """
        return self._in_time(self._compiled.search, text)

    def fits(self, text: str) -> bool:
        """Return whether the pattern fits the whole of a text; raises as `search`."""
        return self._in_time(self._compiled.fullmatch, text)

    def _in_time(self, match: Callable[..., object], text: str) -> bool:
        try:
            return match(text, timeout=SECONDS) is not None
        except TimeoutError:
            found = f"over {SECONDS:g} s on {text[:60]!r}"
            raise KasuError(self._name, found, "a pattern without repeats of repeats") from None

    @cached_property
    def _compiled(self) -> regex.Pattern:
        return regex.compile(self.text, regex.IGNORECASE if self.ignore_case else 0)

    @property
    def _name(self) -> str:
        return f"regular expression {self.text[:60]!r}"
