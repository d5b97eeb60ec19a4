"""Names of the config that would merge, or that name nothing."""

import pytest

from kasu.base.errors import KasuError
from kasu.minimal_sets.names import check_names, name_collections

TREEBANKS = [{"name": "glc"}, {"name": "bdt"}]


def collection(*sets: dict, **changes) -> dict:
    return {"treebank": "glc", "sets": sets, "models": []} | changes


def test_the_same_model_may_score_several_collections():
    one = collection({"name": "a", "released": "transitive-erg-nom-subj"}, models=["runs/bert"])
    two = collection({"name": "b"}, treebank="bdt", lexicon=["glc"], models=["runs/bert"])
    check_names([one, two], TREEBANKS)


@pytest.mark.parametrize(
    ("collections", "line"),
    [
        (
            [collection({"name": "a"}), collection({"name": "a"}, treebank="bdt")],
            "config: minimal_sets.collections, sets: 'a' 2 times; expected each name once",
        ),
        (
            [collection(models=["one/best"]), collection(models=["two/best"])],
            "config: minimal_sets.collections, models: 'best' 2 times; expected each name once",
        ),
        (
            [collection(models=["runs/bert-1", "runs/bert.1"])],
            "config: minimal_sets.collections, models: 'bert_1' 2 times; expected each name once",
        ),
        (
            [collection(treebank="gcl")],
            "config: minimal_sets.collections: treebank 'gcl'; expected glc, bdt",
        ),
        (
            [collection(lexicon=["bdt", "xx"])],
            "config: minimal_sets.collections: treebank 'xx'; expected glc, bdt",
        ),
    ],
)
def test_names_that_merge_or_name_nothing(collections, line):
    with pytest.raises(KasuError) as error:
        check_names(collections, TREEBANKS)
    assert str(error.value) == line


def test_a_released_set_that_the_paper_lacks():
    with pytest.raises(KasuError, match=", a: released 'passive'; expected intransitive-nom-subj"):
        check_names([collection({"name": "a", "released": "passive"})], TREEBANKS)


def test_a_treebank_named_twice():
    with pytest.raises(KasuError, match="config: treebanks: 'glc' 2 times; expected each name"):
        check_names([], [*TREEBANKS, TREEBANKS[0]])


def test_collections_are_called_as_their_treebanks():
    collections = [
        collection({"name": "a"}, {"name": "b"}),
        collection({"name": "c"}, treebank="bdt"),
        collection({"name": "d"}),
    ]
    assert name_collections(collections) == {"a": "glc", "b": "glc", "c": "bdt", "d": "glc 2"}
