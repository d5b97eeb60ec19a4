"""Treebanks that collections name, and the names of collections in tables."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from kasu.base.errors import KasuError


def check_names(collections: Sequence[Mapping], treebanks: Sequence[Mapping]) -> None:
    """Check that the treebanks of `minimal_sets.collections` exist.

    Raises:
        KasuError: a collection names a treebank that the config does not define.
    """
    names = [treebank["name"] for treebank in treebanks]
    for collection in collections:
        for name in (collection["treebank"], *collection.get("lexicon", ())):
            if name not in names:
                where = "config minimal_sets.collections"
                raise KasuError(where, f"treebank {name!r}", ", ".join(names) or "none there")


def name_collections(collections: Iterable[Mapping]) -> dict[str, str]:
    """Map each set to its collection: the treebank's name, numbered from the second one on."""
    counts: Counter[str] = Counter()
    named: dict[str, str] = {}
    for collection in collections:
        treebank = collection["treebank"]
        counts[treebank] += 1
        name = treebank if counts[treebank] == 1 else f"{treebank} {counts[treebank]}"
        named |= {each["name"]: name for each in collection["sets"]}
    return named
