"""JSON lines: texts with one JSON object per line."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kasu.base.errors import KasuError
from kasu.base.tables import expect_distinct
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
    """Parse a line; `where` names it in errors. Blanks around a key are stripped.

    Raises:
        KasuError: it is not JSON, or not an object, or two keys of an object are equal.
    """

    def read_pairs(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        keys, values = zip(*pairs, strict=True) if pairs else ((), ())
        return dict(zip(expect_distinct(where, keys), values, strict=True))

    try:
        found = json.loads(line, object_pairs_hook=read_pairs)
    except (ValueError, RecursionError) as error:
        raise KasuError(where, "invalid JSON", "one object per line") from error
    if not isinstance(found, dict):
        raise KasuError(where, type(found).__name__, "one object per line")
    return found
