"""Systems whose vocabulary head was never trained, judged by their scores (GEO-17)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kasu.lm.scoring.untrained import untrained_differences, untrained_head
from kasu.minimal_sets.evaluation.scored_sets import ModelOnSet, ScoredSet, ScoredSets


class Head(NamedTuple):
    """A system whose scores at one level and under one variant come from the same head."""

    variant: str
    level: str
    system: str

    @classmethod
    def of(cls, key: ModelOnSet) -> "Head":
        """Return the head behind the scores of a set."""
        return cls(key.variant, key.level, key.system)


def untrained_heads(sets: ScoredSets) -> dict[Head, bool]:
    """Return whether each head looks randomly initialised, over all sets that it scored.

    Heads that cannot be judged are missing: the vocabulary is unknown, or there are too few texts.
    """
    by_head: dict[Head, list[ScoredSet]] = {}
    for key, scored in sets.items():
        by_head.setdefault(Head.of(key), []).append(scored)
    judged = {head: _is_untrained(members) for head, members in by_head.items()}
    return {head: untrained for head, untrained in judged.items() if untrained is not None}


def _is_untrained(sets: Sequence[ScoredSet]) -> bool | None:
    vocabulary = sets[0].vocabulary
    if vocabulary is None:
        return None
    scores = np.concatenate([scored.scores.ravel() for scored in sets]).tolist()
    tokens = np.concatenate([scored.units["token"].ravel() for scored in sets])
    if not np.isnan(tokens).any():
        return untrained_head(scores, vocabulary, tokens.tolist())
    if all((scored.units["word"] == 1).all() for scored in sets):
        return untrained_head(scores, vocabulary)
    # The number of tokens of a sentence is unknown. The forms of an item share the rest of the
    # sentence, so differences of their scores are the cost of the forms alone
    differences = [
        np.delete(row - row[right], right)
        for scored in sets
        for row, right in zip(scored.scores, scored.right, strict=True)
    ]
    return untrained_differences(np.concatenate(differences).tolist(), vocabulary)
