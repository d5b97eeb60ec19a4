"""The authors' released sets that a config asks for, and the files of their results."""

from collections.abc import Iterable
from typing import NamedTuple

from kasu.base.errors import KasuError
from kasu.minimal_sets.data.paper import (
    DECODERS,
    ENCODERS,
    FILE_SETS,
    FILE_SYSTEMS,
    ITEMS_FROM,
)
from kasu.sources.download import is_available
from kasu.sources.registry import Entry
from kasu.sources.workspace import Workspace

FOLDER = "papers/georgian-case-alignment/results/full"
AVAILABLE = "available"

_FILE_NAMES = {system: name for name, system in FILE_SYSTEMS.items()}
RESULT_FILES = (
    *(
        f"mlm-{_FILE_NAMES.get(system, system)}-{{code}}-{level}-level.csv"
        for system in ENCODERS
        for level in ("word", "sentence")
    ),
    *(f"ntp-{_FILE_NAMES[system]}-{{code}}-sentence-level.csv" for system in DECODERS),
)
"""The files of a set's results; `{code}` is a key of FILE_SETS."""
ITEMS_FILE = f"mlm-{ITEMS_FROM}-{{code}}-word-level.csv"
"""The one of these that items are read from."""


class ReleasedSet(NamedTuple):
    """A released set: the file that its items are read from, and all files of its results."""

    items: Entry
    results: list[Entry]


def pick_released(
    names: Iterable[str], workspace: Workspace, section: str
) -> dict[str, ReleasedSet]:
    """Return the released sets that a config asks for and whose licences it admits.

    Args:
        names: sets of the paper; `available` stands for those whose files are all available (see
            kasu.sources.download).
        section: of the config, for error messages.

    Raises:
        KasuError: an unknown set (names the section).
    """
    wanted = list(names)
    known = (*FILE_SETS.values(), AVAILABLE)
    for name in wanted:
        if name not in known:
            raise KasuError(section, repr(name), ", ".join(known))
    released = {}
    for code, name in FILE_SETS.items():
        if name not in wanted and AVAILABLE not in wanted:
            continue
        files = {
            file: workspace.resolve(f"{FOLDER}/{file.format(code=code)}", section)
            for file in RESULT_FILES
        }
        entries = list(files.values())
        available = all(is_available(entry, workspace.mirrors) for entry in entries)
        if (name in wanted or available) and all(map(workspace.allows, entries)):
            released[name] = ReleasedSet(files[ITEMS_FILE], entries)
    return released
