"""Input transforms of the agreement study (Ravfogel et al. 2018 §6; spec 1.2).

Each takes one sentence and gives what the network reads: a Word for each lexical unit.
"""

from collections.abc import Sequence
from typing import NamedTuple

VERB = "⟨verb⟩"


class Word(NamedTuple):
    """What the network sees of one lexical unit (BASQUE-9).

    Attributes:
        token: key of the token embedding.
        lemma: key of the lemma embedding.
        spelling: the text whose character n-grams are summed; empty for none.
    """

    token: str
    lemma: str
    spelling: str


def mask_target(
    tokens: Sequence[str], lemmas: Sequence[str], target: int, keep_verb_lemma: bool = True
) -> list[Word]:
    """Hide the target verb behind ⟨verb⟩ (T-mask, BASQUE-6).

    The lemma of the target stays, as the paper says the network sees it, unless
    `keep_verb_lemma` is false; its character n-grams never stay.
    """
    words = [Word(*word) for word in zip(tokens, lemmas, tokens, strict=True)]
    words[target] = Word(VERB, lemmas[target] if keep_verb_lemma else VERB, "")
    return words
