"""The section `minimal_sets`: names that two entries share, or that mean nothing."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
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


def pairs(**collection):
    return {"collections": [{"treebank": "sv", "sets": "agreement", **collection}]}


def test_agreement_needs_a_treebank_alone():
    found = read_settings(pairs(), MinimalSetsSettings)
    assert list(found.pair_sets()) == ["sv-kasu"]
    both = read_settings(pairs() | {"rules": ["kasu", "multiblimp"]}, MinimalSetsSettings)
    assert list(both.pair_sets()) == ["sv-kasu", "sv-multiblimp"]
    files = ["unimorph/kaz/kaz", "unimorph/kaz/kaz.sm"]
    several = read_settings(pairs(paradigms=files), MinimalSetsSettings)
    assert [Path(file).name for file in several.collections[0].paradigm_files] == ["kaz", "kaz.sm"]


@pytest.mark.parametrize(
    ("collection", "message"),
    [
        ({"feature": "Case", "values": ["Nom", "Acc"]}, "sv: feature beside sets: agreement"),
        ({"max_items": 3}, "sv: max_items beside sets: agreement"),
        ({"features": ["Case"]}, "features"),
        ({"sets": "agreements"}, "sets: found 'agreements'; expected a list of sets, or agreement"),
        (
            {"sets": [{"name": "a", "requst": "a.req", "target": "S"}]},
            r"sets\[0\]: unknown key 'requst'; expected 'request'",
        ),
        ({"paradigms": ["a", 3]}, r"paradigms\[1\]: found 3"),
        ({"paradigms": 3}, "paradigms: found 3; expected a UniMorph file, or a list"),
        ({"sets": [{"name": "a", "request": "a.req", "target": "S"}]}, "sv: no feature"),
        (
            {
                "sets": [{"name": "a", "request": "a.req", "target": "S"}], "feature": "Case",
                "values": ["Nom", "Acc"], "per_condition": 3,
            },
            "sv: per_condition beside a list of sets",
        ),
    ],
)  # fmt: skip
def test_keys_of_pairs_and_of_other_sets_do_not_mix(collection, message):
    with pytest.raises(KasuError, match=message):
        read_settings(pairs(**collection), MinimalSetsSettings)


def test_a_treebank_has_its_pairs_once():
    twice = {"collections": pairs()["collections"] * 2}
    with pytest.raises(KasuError, match="'sv' 2 times"):
        read_settings(twice, MinimalSetsSettings)
