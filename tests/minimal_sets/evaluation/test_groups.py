"""Groups of cells that the paper averages."""

from kasu.minimal_sets.evaluation.cells import Key
from kasu.minimal_sets.evaluation.groups import paper_groups
from kasu.minimal_sets.released.paper import DECODERS, ENCODERS, SETS


def groups_of(variants: dict[str, str]) -> list:
    cells = {
        Key(variants[system], "sentence", name, system): None
        for system in variants
        for name in SETS
    }
    return list(paper_groups(cells))


def test_the_paper_averages_encoders_and_decoders_together():
    variants = dict.fromkeys(ENCODERS, "sentence_released_dec24")
    variants |= dict.fromkeys(DECODERS, "causal_released")
    (group,) = groups_of(variants)
    assert group.variant == "sentence_released_dec24+causal_released"
    assert len(group.cells) == 49
    assert group.complete() and group.complete("erg")


def test_an_average_without_a_system_is_not_complete():
    (group,) = groups_of(dict.fromkeys(ENCODERS, "sentence_intended"))
    assert not group.complete("dat")
    assert len(group.of_case("nom")) == 20
