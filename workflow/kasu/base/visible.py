"""Show what would steer a terminal, reorder what is read, or break a file of XML."""

import re

# Controls, ends of lines and paragraphs, bidirectional embeddings, overrides and isolates,
# surrogates, and the two that XML excludes. Not marks and joiners, which some spellings need
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def visible(text: str, kept: str = "") -> str:
    """Return a text with such characters as Python writes them: `\x1b`, `\t`.

    Args:
        kept: those that stay, as the line ends of a text of several lines.
    """
    return UNSEEN.sub(lambda found: found[0] if found[0] in kept else _escape(found[0]), text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
