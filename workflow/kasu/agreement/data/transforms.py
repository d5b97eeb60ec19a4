"""Input transforms of the agreement study (Ravfogel et al. 2018 §6).

Each turns a sentence into what the network reads: a Word for each lexical unit.
"""

from collections.abc import Sequence
from typing import NamedTuple

VERB = "⟨verb⟩"


class Word(NamedTuple):
    """What the network sees of one lexical unit (BASQUE-9).

    Attributes:
        token: key of the token embedding.
        lemma: key of the lemma embedding.
        spelling: the text whose character n-grams are embedded; empty: none.
    """

    token: str
    lemma: str
    spelling: str


def mask_target(
    tokens: Sequence[str], lemmas: Sequence[str], target: int, keep_verb_lemma: bool = True
) -> list[Word]:
    """Replace the target verb by ⟨verb⟩ (T-mask, BASQUE-6).

    Its lemma is kept, as in the paper, unless `keep_verb_lemma` is false. Its character n-grams
    are always removed.
    """
    words = [Word(*word) for word in zip(tokens, lemmas, tokens, strict=True)]
    words[target] = Word(VERB, lemmas[target] if keep_verb_lemma else VERB, "")
    return words
