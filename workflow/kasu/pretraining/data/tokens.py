"""Words and marks of a text, as the released segmented file has them (BL2MP-3)."""

import re

# A word may hold a hyphen, a number a point; both stay whole in the released file
TOKEN = re.compile(r"\w+(?:[-'’]\w+|(?<=\d)[.,:]\d\w*)*|\.{2,}|[^\w\s]")


def tokenise(text: str) -> list[str]:
    """Words and marks of a text, as the released segmented file sets them apart by blanks."""
    return TOKEN.findall(text)
