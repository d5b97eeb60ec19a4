"""Arguments as people write them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

Paths = str | Path | Sequence[str | Path]


def listed(given: Any) -> list[Any]:
    """Return several as a list; one path, text or frame as a list of one; None as an empty list."""
    if given is None:
        return []
    alone = isinstance(given, str | Path) or hasattr(given, "columns")
    return [given] if alone else list(given)
