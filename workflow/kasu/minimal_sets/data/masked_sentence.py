"""Put a mask in the place of one word of a sentence (GEO-4)."""

import re
import unicodedata
from collections.abc import Iterable

from kasu.corpora.treebanks.treebank import Sentence
from kasu.lm.scoring.items import MASK

INSIDE = "inside a multiword token"
NOT_FOUND = "tokens do not match the text"
SEVERAL = "several loci"
GLUED = "glued to a letter, a digit or a hyphen"
ELISION = "another form would change the spelling of the word before it"

# Unlike hyphens, these dashes separate phrases
_DASHES = "\N{EM DASH}\N{HORIZONTAL BAR}"
# Not a quotation mark, which stands after a blank
_ELIDED = re.compile(r"[^\W\d_]['\N{RIGHT SINGLE QUOTATION MARK}]\Z")


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


def is_elided(text: str) -> bool:
    """Return whether a text ends in an elided word, as *c'*."""
    return bool(_ELIDED.search(text))


def takes_elision(form: str) -> bool:
    """Return whether a form begins with a Latin vowel or h, before which words are elided."""
    return unicodedata.normalize("NFD", form.lower())[:1] in set("aeiouœæh")


def breaks_elision(masked: str, forms: Iterable[str]) -> bool:
    """Return whether the word before the mask is elided, and not before all forms: *c'sont*.

    Of h, mute or not, the spelling does not tell.
    """
    return is_elided(masked.partition(MASK)[0]) and len(set(map(takes_elision, forms))) > 1
