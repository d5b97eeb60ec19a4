"""Put a mask in the place of one word of a sentence (GEO-4)."""

import unicodedata

from kasu.corpora.treebanks.treebank import Sentence
from kasu.lm.scoring.items import MASK

INSIDE = "inside a multiword token"
NOT_FOUND = "tokens do not match the text"
SEVERAL = "several loci"
GLUED = "glued to a letter, a digit or a hyphen"

# Unlike hyphens, these dashes separate phrases
_DASHES = "\N{EM DASH}\N{HORIZONTAL BAR}"


def mask_word(sentence: Sentence, position: int) -> tuple[str | None, str]:
    """Replace a word by MASK.

    The word is located by walking through the raw text, one surface token after the other.

    Args:
        position: of the word, from 1.

    Returns:
        The text with exactly one MASK and an empty reason; or None and the reason: the word is
        inside a multiword token and has no surface form of its own, a token is not where it should
        be in the text, or the text already contains MASK.
    """
    text = sentence.surface()
    if MASK in text:
        return None, SEVERAL
    at = covered = 0  # characters and words consumed
    for token in sentence.tokens:
        first, _, last = token.id.partition("-")
        # Empty nodes, and words of a multiword token already consumed, have no surface form
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


def is_glued(masked: str) -> bool:
    """Return whether the mask touches a letter, a digit or a hyphen, as in `EU-[MASK]`.

    The form is then only a part of a word, and a model cannot see where that word ends.
    """
    left, _, right = masked.partition(MASK)
    return any(
        # Letters with their combining marks, digits, and dashes without blanks around them
        unicodedata.category(neighbour)[0] in "LMN"
        or (unicodedata.category(neighbour) == "Pd" and neighbour not in _DASHES)
        for neighbour in left[-1:] + right[:1]
    )
