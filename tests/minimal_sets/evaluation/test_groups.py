"""Groups of cells that the paper averages."""

from dataclasses import replace
from types import SimpleNamespace

from kasu.minimal_sets.data.paper import DECODERS, ENCODERS, SETS
from kasu.minimal_sets.evaluation.groups import paper_groups
from kasu.minimal_sets.evaluation.scored_sets import ModelOnSet


def groups_of(variants: dict[str, str]) -> list:
    cells = {
        ModelOnSet(variants[system], "sentence", name, system): SimpleNamespace(
            collection="released"
        )
        for system in variants
        for name in SETS
    }
    return list(paper_groups(cells))


def test_the_paper_averages_encoders_and_decoders_together():
    variants = dict.fromkeys(ENCODERS, "sentence_released_dec24")
    variants |= dict.fromkeys(DECODERS, "causal_released")
    (group,) = groups_of(variants)
    assert group.variant == "sentence_released_dec24+causal_released"
    assert len(group.sets) == 49
    assert group.complete() and group.complete("erg")


def test_decoders_alone_are_a_group():
    (group,) = groups_of(dict.fromkeys(DECODERS, "causal_released"))
    assert (group.variant, len(group.sets)) == ("causal_released", 14)


def test_an_average_without_a_system_is_not_complete():
    (group,) = groups_of(dict.fromkeys(ENCODERS, "sentence_intended"))
    assert not group.complete("dat")
    assert len(group.of_case("nom")) == 20


def test_sets_of_a_users_own_are_no_sets_of_the_paper(cell):
    made = cell([[-1, -2, -3]], ["nom"])
    cells = {
        ModelOnSet("word_released", "word", name, "mBERT"): replace(made, collection=collection)
        for name, collection in zip(SETS, ("my-treebank", "released", ""), strict=False)
    }
    (group,) = paper_groups(cells)
    assert [key.set for key in group.sets] == list(SETS)[1:3]
