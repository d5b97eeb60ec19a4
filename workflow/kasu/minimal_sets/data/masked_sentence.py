"""The sentence with a mask at the place of one word (GEO-4)."""

from kasu.corpora.treebank import Sentence
from kasu.lm.scoring.items import MASK

INSIDE = "inside a multiword token"
NOT_FOUND = "tokens do not match the text"
SEVERAL = "several loci"


def mask_word(sentence: Sentence, position: int) -> tuple[str | None, str]:
    """Replace a word by MASK.

    Its place is found by consuming the surface tokens from left to right in the raw text.

    Args:
        position: of the word, from 1.

    Returns:
        The text, which holds exactly one MASK; or None and why there is none: the word is part of
        a multiword token and has no surface of its own, a token does not stand where it should,
        the text holds a MASK of its own.
    """
    text = sentence.surface()
    if MASK in text:
        return None, SEVERAL
    at = covered = 0
    for token in sentence.tokens:
        first, _, last = token.id.partition("-")
        if "." in first or int(first) <= covered:
            continue
        covered = int(last or first)
        while text[at : at + 1].isspace():
            at += 1
        if not text.startswith(token.form, at):
            return None, NOT_FOUND
        if covered >= position:
            if last:
                return None, INSIDE
            return text[:at] + MASK + text[at + len(token.form) :], ""
        at += len(token.form)
    return None, NOT_FOUND
