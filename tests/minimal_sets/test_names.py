"""Treebanks that collections name, and the names of collections."""

import pytest

from kasu.base.errors import KasuError
from kasu.minimal_sets.names import check_names, name_collections

TREEBANKS = [{"name": "glc"}, {"name": "bdt"}]


def collection(*sets: str, **changes: object) -> dict:
    return {"treebank": "glc", "sets": [{"name": name} for name in sets]} | changes


def test_treebanks_that_exist_pass():
    check_names([collection("a"), collection("b", treebank="bdt", lexicon=["glc"])], TREEBANKS)


@pytest.mark.parametrize(
    ("changes", "name"), [({"treebank": "gcl"}, "gcl"), ({"lexicon": ["bdt", "xx"]}, "xx")]
)
def test_a_treebank_that_does_not_exist_is_one_line(changes, name):
    with pytest.raises(KasuError) as error:
        check_names([collection("a", **changes)], TREEBANKS)
    line = f"config minimal_sets.collections: treebank {name!r}; expected glc, bdt"
    assert str(error.value) == line


def test_collections_are_called_as_their_treebanks():
    collections = [collection("a", "b"), collection("c", treebank="bdt"), collection("d")]
    assert name_collections(collections) == {"a": "glc", "b": "glc", "c": "bdt", "d": "glc 2"}
