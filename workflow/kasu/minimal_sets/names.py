"""What names of the config promise: files and rows of tables are told apart by them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from kasu.base.errors import KasuError
from kasu.minimal_sets.released.paper import SETS


def check_names(collections: Sequence[Mapping], treebanks: Sequence[Mapping]) -> None:
    """Check `minimal_sets.collections` and `treebanks` of the config, before anything is built.

    Raises:
        KasuError: two treebanks, sets or models would go by one name; a collection takes a
            treebank that is not there; `released` of a set is no set of the paper.
    """
    named = [treebank["name"] for treebank in treebanks]
    _need_one_each(named, "config: treebanks")
    sets = [of for collection in collections for of in collection["sets"]]
    where = "config: minimal_sets.collections"
    _need_one_each((of["name"] for of in sets), f"{where}, sets")
    for collection in collections:
        for name in (collection["treebank"], *collection.get("lexicon", ())):
            if name not in named:
                raise KasuError(where, f"treebank {name!r}", ", ".join(named) or "none there")
    for of in sets:
        if "released" in of and of["released"] not in SETS:
            found = f"released {of['released']!r}"
            raise KasuError(f"{where}, {of['name']}", found, ", ".join(SETS))
    # Rules are called by letters, digits and underscores
    models = {model for collection in collections for model in collection["models"]}
    _need_one_each((re.sub(r"[-.]", "_", Path(model).name) for model in models), f"{where}, models")


def _need_one_each(names: Iterable[str], where: str) -> None:
    for name, count in sorted(Counter(names).items()):
        if count > 1:
            raise KasuError(where, f"{name!r} {count} times", "each name once")


def name_collections(collections: Iterable[Mapping]) -> dict[str, str]:
    """Set -> its collection, called as its treebank, and from the second of one on numbered."""
    counts: Counter[str] = Counter()
    named = {}
    for collection in collections:
        treebank = collection["treebank"]
        counts[treebank] += 1
        name = treebank if counts[treebank] == 1 else f"{treebank} {counts[treebank]}"
        named |= {of["name"]: name for of in collection["sets"]}
    return named
