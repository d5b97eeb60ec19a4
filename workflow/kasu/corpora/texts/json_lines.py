"""JSON lines: texts with one JSON object per line."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from kasu.base.errors import KasuError
from kasu.corpora.texts.compressed import lines


def objects(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each object of a file after the number of its line; blank lines are skipped.

    Blanks around its keys are stripped, but not around those of objects inside it.

    Raises:
        KasuError: as `lines` and `parse_object`; or two keys differ in blanks alone.
    """
    for number, line in lines(path):
        if line.strip():
            found = parse_object(line, where := f"{path}:{number}")
            stripped = {key.strip(): value for key, value in found.items()}
            if len(stripped) < len(found):
                raise _twice(where, map(str.strip, found))
            yield number, stripped


def parse_object(line: str, where: str) -> dict[str, Any]:
    """Parse a line; `where` names it in errors.

    Raises:
        KasuError: it is not JSON, or not an object, or two keys of an object are equal.
    """
    try:
        found = _DECODER.decode(line)
    except _Repeated as error:
        raise _twice(where, error.args) from error
    except (ValueError, RecursionError) as error:
        raise KasuError(where, "invalid JSON", "one object per line") from error
    if not isinstance(found, dict):
        raise KasuError(where, type(found).__name__, "one object per line")
    return found


class _Repeated(Exception):
    """An object, in or under a line, has two equal keys; the arguments are all of its keys."""


def _distinct(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Repeated(*(key for key, _ in pairs))
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_distinct)  # `json.loads` would make one a line


def _twice(where: str, keys: Iterable[str]) -> KasuError:
    (key, _), *_ = Counter(keys).most_common(1)
    return KasuError(where, f"the key {key!r} twice or more", "each key once")
