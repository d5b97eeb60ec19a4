"""Features of the abstract state of a sentence."""

import numpy as np
import pytest

from kasu.base.errors import KasuError
from kasu.blm.generation.grammar import CLAUSES, STATES, VARIANTS, answer_set
from kasu.blm.models.state_features import STATE_WIDTH, state_features


def test_features_of_a_state_are_one_hot():
    ones = np.flatnonzero(state_features("pl|sg|none;verb=sg")).tolist()
    #      subject pl, first sg, second none, verb sg, no conjunct, third none, not repeated
    assert ones == [1, 2, 4, 7, 9, 11, 14]
    assert STATE_WIDTH == 16


def test_every_sentence_of_the_grammar_has_features():
    for clause in CLAUSES:
        for variant in VARIANTS:
            for state in STATES:
                forms = answer_set(state, clause, variant).values()
                features = {state_features(str(form)).tobytes() for form in forms}
                assert len(features) == len({str(form) for form in forms})


@pytest.mark.parametrize("state", ["", "sg", "sg|pl|du", "sg|pl|sg;verb", "sg|pl|sg;tense=past"])
def test_a_malformed_state_is_one_line(state):
    with pytest.raises(KasuError, match=r"state: '"):
        state_features(state)
