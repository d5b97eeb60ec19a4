"""JSON lines: texts with one JSON object per line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kasu.base.errors import KasuError
from kasu.corpora.compressed import lines


def objects(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each object of a file after the number of its line; blank lines are skipped.

    Raises:
        KasuError: as `lines` and `parse_object`.
    """
    for number, line in lines(path):
        if line.strip():
            yield number, parse_object(line, f"{path}:{number}")


def parse_object(line: str, where: str) -> dict[str, Any]:
    """Parse a line; `where` names it in errors.

    Raises:
        KasuError: it is not JSON, or not an object.
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise KasuError(where, "invalid JSON", "one object per line") from error
    if not isinstance(found, dict):
        raise KasuError(where, type(found).__name__, "one object per line")
    return found
