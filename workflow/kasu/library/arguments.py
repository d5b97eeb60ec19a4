"""Arguments as people write them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
Paths = str | Path | Sequence[str | Path]


def listed(given: str | Path | Sequence[T] | None) -> list:
    """Return several as a list, one as a list of one, and none as an empty list."""
    if given is None:
        return []
    return [given] if isinstance(given, str | Path) else list(given)
