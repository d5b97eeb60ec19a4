"""Synthetic dumps of any size: the pages of a dump over and over, with other words.

Most words of the running text are drawn from other text, so that deduplication leaves most
sentences, and an analyser of that text's language knows the words. Markup, names and numbers stay.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kasu.corpora.texts.compressed import pieces
from kasu.job.run import seed_of

_ID = re.compile("(?<=<id>)[0-9]+(?=</id>)")  # the first is the page's
# Words between blanks; what stays is matched first: markup of XML and wikitext, templates, links
_WORD = re.compile(r"<[^>]*>|&lt;.*?&gt;|\{\{[^{}]*\}\}|\[\[[^\]]*\]\]|(?<= )([a-z]{2,})(?=[ ,.;])")
END = b"</mediawiki>\n"


class Pages:
    """The pages of a dump, ready to be written again and again.

    Args:
        words: running text, from which words are drawn.
    """

    def __init__(self, dump: Path, words: Sequence[str]) -> None:
        text = b"".join(piece for piece, _ in pieces(dump)).decode()
        start, end = text.index("<page"), text.rindex("</page>") + len("</page>")
        self.header = text[:start].encode()
        self.words = np.array([word.encode() for word in words], object)
        # Of each page what stays; at odd places its id and the words that are drawn anew
        self.pages = [_cut(page) for page in re.split("(?<=</page>)", text[start:end]) if page]

    def write(self, target: Path, size: int, name: str, first: int = 1) -> int:
        """Write a dump of at least `size` bytes, drawn by `name`; return the next page's id.

        Args:
            first: the id of its first page.
        """
        draw, page = np.random.default_rng(seed_of("bench dumps", name)), first
        with target.open("wb") as file:
            file.write(self.header)
            while file.tell() < size:
                parts = self.pages[page % len(self.pages)]
                chosen = draw.integers(0, len(self.words), len(parts) // 2)
                parts[1::2] = self.words[chosen].tolist()
                parts[1] = b"%d" % page
                file.write(b"".join(parts))
                page += 1
            file.write(END)
        return page


def _cut(page: str) -> list[bytes]:
    parts, last = [], 0
    number = _ID.search(page)
    assert number, "a page without id"
    spans = [number.span(), *(each.span(1) for each in _WORD.finditer(page, number.end()))]
    for start, end in spans:
        if start >= 0:  # a match of what stays has no word
            parts += [page[last:start].encode(), b""]
            last = end
    return [*parts, page[last:].encode()]
