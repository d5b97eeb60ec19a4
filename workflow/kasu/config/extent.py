"""How much a config may hold, before anything walks through all of it."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from kasu.base.errors import KasuError
from kasu.files.maps import MOST

MOST_ENTRIES = 250
"""Entries of a list. Each may be several jobs, of which Snakemake plans 300 a second."""
MOST_CORPORA = 100
"""Entries of `corpora`. Each may be 24 jobs."""


def check_extent(config: Mapping[str, Any]) -> None:
    """Check how much a config holds, before anything walks through all of it.

    YAML's references let a file of a few lines stand for any number of values, and for a value
    that holds itself. A set has no order, so the same config would give other results.

    Raises:
        KasuError: it holds more than MOST values or a list of more than MOST_ENTRIES (MOST_CORPORA
            of `corpora`), is nested too deeply, or holds itself or a set.
    """
    sizes: dict[int, int] = {}
    path: list[int | str] = []  # stays where the check ends

    def measure(value: Any) -> int:
        if isinstance(value, set):
            raise KasuError(f"config {name_of(path)}", "a set", "a list")
        if not isinstance(value, Mapping | list):
            return 1
        size = sizes.setdefault(id(value), 1)
        if size == 0:
            raise KasuError(f"config {_start(path)}", "a value that holds itself", "one that ends")
        if size > 1:
            return size
        most = MOST_CORPORA if path == ["corpora"] else MOST_ENTRIES
        if isinstance(value, list) and len(value) > most:
            found, expected = f"{len(value)} entries", f"at most {most}, or several configs"
            raise KasuError(f"config {name_of(path)}", found, expected)
        sizes[id(value)] = 0
        for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            path.append(key)
            size += measure(item)
            if size > MOST:
                return size
            path.pop()
        sizes[id(value)] = size
        return size

    try:
        if measure(config) > MOST:
            raise KasuError(f"config {_start(path)}", f"more than {MOST} values", "fewer")
    except RecursionError as error:
        raise KasuError(f"config {_start(path)}", "nested too deeply", "a plain value") from error


def _start(path: Sequence[int | str]) -> str:
    return name_of(list(takewhile(lambda step: isinstance(step, str), path[:3])))


def name_of(path: Sequence[int | str]) -> str:
    """Return a place of the config as messages name it: `corpora[0].name`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")
