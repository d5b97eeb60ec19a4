"""Words and punctuation marks of a text, as in the released segmented file (BL2MP-3)."""

import re

# Words with a hyphen and numbers with a point stay whole in the released file
TOKEN = re.compile(r"\w+(?:[-'’]\w+|(?<=\d)[.,:]\d\w*)*|\.{2,}|[^\w\s]")


def tokenise(text: str) -> list[str]:
    """Split a text into words and marks where the released segmented file has blanks."""
    return TOKEN.findall(text)
