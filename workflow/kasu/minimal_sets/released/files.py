"""The released sets that a config asks for, and their files."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from kasu.base.download import is_held
from kasu.base.errors import KasuError
from kasu.base.sources import Entry, Source, resolve
from kasu.lm.scoring.definitions import WORD
from kasu.minimal_sets.released.paper import FILE_SETS, ITEMS_FROM
from kasu.minimal_sets.released.results import name_released

FOLDER = "papers/georgian-case-alignment/results/full"
AVAILABLE = "available"


def pick_released(
    names: Iterable[str], registry: Mapping[str, Source], downloads: Path, mirrors: Iterable[Path]
) -> dict[str, list[Entry]]:
    """Return the released sets that a config asks for, each with the files of its results.

    The first file of a set is the one that its items are read from.

    Args:
        names: sets of the paper; `available` stands for those whose files are all in the mirrors
            or the downloads.

    Raises:
        KasuError: an unknown set.
    """
    names, mirrors = list(names), list(mirrors)
    released: dict[str, list[Entry]] = {name: [] for name in FILE_SETS.values()}
    for name in registry:
        folder, _, file = name.rpartition("/")
        if folder == FOLDER:
            released[name_released(file).set].append(resolve(name, registry, downloads))
    for name in names:
        if name not in (*released, AVAILABLE):
            expected = ", ".join((*released, AVAILABLE))
            raise KasuError("config minimal_sets released", repr(name), expected)
    return {
        name: sorted(files, key=_holds_items, reverse=True)
        for name, files in released.items()
        if name in names
        or (AVAILABLE in names and files and all(is_held(entry, mirrors) for entry in files))
    }


def _holds_items(entry: Entry) -> bool:
    named = name_released(entry.file.name)
    return (named.system, named.level) == (ITEMS_FROM, WORD)
