"""Untrained heads (GEO-17), judged over the sets of a system."""

import math
from dataclasses import replace

import numpy as np

from kasu.minimal_sets.evaluation.heads import Head, untrained_heads
from kasu.minimal_sets.evaluation.scored_sets import ModelOnSet

KEY = ModelOnSet("released_results", "sentence", "one", "RemBERT")
VOCABULARY = 1000


def sentences(cell, spread: float, items: int = 60):
    """A cell of long sentences: about 30 tokens, forms of 1 to 3 tokens, and noise in tokens."""
    draw = np.random.default_rng(1)
    tokens = 30 + draw.integers(1, 4, (items, 3)) + draw.normal(0, spread, (items, 3))
    made = cell(-math.log(VOCABULARY) * tokens, ["nom"] * items, word=np.full((items, 3), 9))
    return replace(made, vocabulary=VOCABULARY)


def test_a_random_head_is_found_in_sentences_of_unknown_length(cell):
    cells = {
        KEY._replace(system=system, set=name): sentences(cell, spread)
        for system, spread in (("RemBERT", 0.1), ("mBERT", 2))
        for name in ("one", "two")
    }
    assert untrained_heads(cells) == {
        Head("released_results", "sentence", "RemBERT"): True,
        Head("released_results", "sentence", "mBERT"): False,
    }


def test_a_head_is_not_judged_without_vocabulary_or_on_few_items(cell):
    assert untrained_heads({KEY: replace(sentences(cell, 0.1), vocabulary=None)}) == {}
    assert untrained_heads({KEY: sentences(cell, 0.1, items=40)}) == {}


def test_numbers_of_tokens_are_used_where_known(cell):
    scores = np.full((10, 3), -2 * math.log(VOCABULARY))
    made = cell(scores, ["nom"] * 10, token=np.full((10, 3), 2))
    assert untrained_heads({KEY: replace(made, vocabulary=VOCABULARY)}) == {Head.of(KEY): True}
    made = cell(scores, ["nom"] * 10, token=np.full((10, 3), 4))
    assert untrained_heads({KEY: replace(made, vocabulary=VOCABULARY)}) == {Head.of(KEY): False}
