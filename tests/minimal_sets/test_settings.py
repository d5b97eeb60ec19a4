"""The section `minimal_sets`: names that two entries share, or that mean nothing."""

import pytest

from kasu.base.errors import KasuError
from kasu.config.settings import read_settings
from kasu.minimal_sets.settings import MinimalSetsSettings


def minimal_set(name: str, **more: object) -> dict:
    return {"name": name, "request": "case.req", "target": "S", **more}


def collection(*sets: dict, **more: object) -> dict:
    given = {"treebank": "glc", "feature": "Case", "values": ["Nom", "Erg"], "sets": list(sets)}
    return given | more


def read(*collections: dict) -> MinimalSetsSettings:
    return read_settings({"collections": list(collections)}, MinimalSetsSettings)


def test_the_same_model_may_score_several_collections():
    one = collection(
        minimal_set("a", released="transitive-erg-nom-subj"), models=["runs/bert/model"]
    )
    two = collection(minimal_set("b"), treebank="bdt", lexicon=["glc"])
    two["models"] = ["runs/bert/model", "runs/gpt/model"]
    assert len(read(one, two).collections) == 2


@pytest.mark.parametrize(
    ("collections", "line"),
    [
        (
            [collection(minimal_set("a")), collection(minimal_set("a"), treebank="bdt")],
            "sets: 'a' 2 times; expected each name once",
        ),
        (
            [
                collection(minimal_set("a"), models=["one/best"]),
                collection(minimal_set("b"), models=["two/best"]),
            ],
            "models: two/best has the name 'best', like one/best; "
            "expected one by name, under `models`: {name: ..., folder: ...}",
        ),
        (
            [collection(minimal_set("a"), models=["runs/released_results"])],
            "models: runs/released_results has the name 'released_results', like an output of "
            "Kasu; expected one by name, under `models`: {name: ..., folder: ...}",
        ),
        (
            [collection(minimal_set("a", released="passive"))],
            "a: released 'passive'; expected intransitive-nom-subj, transitive-nom-dat-subj, "
            "transitive-nom-dat-obj, transitive-erg-nom-subj, transitive-erg-nom-obj, "
            "transitive-dat-nom-subj, transitive-dat-nom-obj",
        ),
    ],
)
def test_names_that_merge_or_mean_nothing_are_one_line(collections, line):
    with pytest.raises(KasuError) as error:
        read(*collections)
    assert str(error.value) == f"config minimal_sets.collections, {line}"
