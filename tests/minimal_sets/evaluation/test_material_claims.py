"""Claims on the tokens of words, judged on items made by hand."""

import math

import numpy as np
import pytest

from kasu.minimal_sets.data.paper import ENCODERS
from kasu.minimal_sets.evaluation.groups import Group
from kasu.minimal_sets.evaluation.material_claims import token_claims
from kasu.minimal_sets.evaluation.scored_sets import ModelOnSet
from kasu.results.verdicts import judge_claims


@pytest.mark.parametrize(
    ("slope", "r", "below_none"),
    [
        (
            0.0,
            "r -0.02 (-0.28 to +0.21)",
            "-0.0164 (-0.2802 to +0.0000), floor -0.1, 60 clusters, p ",
        ),
        (
            -1.0,
            "r -0.80 (-0.89 to -0.67)",
            "-0.7952 (-0.8879 to -0.6681), floor -0.1, 60 clusters, p ",
        ),
    ],
)
def test_the_evidence_is_how_far_a_correlation_is_from_none(cell, slope, r, below_none):
    tokens = np.arange(60) % 4 + 1
    odds = slope * tokens + np.random.default_rng(1).normal(0, 1, 60)
    scores = [[math.log(0.25), math.log(0.25), each + math.log(0.5)] for each in odds]
    made = cell(scores, ["nom"] * 60, form_tokens=np.tile(tokens[:, None], 3))
    key = ModelOnSet("word_released", "word", "transitive-nom-dat-subj", "mBERT")
    group = Group("word_released", "word", {key: made}, ENCODERS)
    evidence = judge_claims("p", token_claims(group, 1))[1]["evidence"]
    assert evidence.startswith(
        f"{r}, 1 of 4 nom sets, 1 of 5 systems, files: 1; -|r| as a difference {below_none}"
    )
