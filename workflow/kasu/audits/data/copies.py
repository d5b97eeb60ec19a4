"""Which texts of a benchmark stand in another text, verbatim or as near copies.

Near copies are equal once names and digits are masked. That takes long, so a text is masked only if
its words without capitals, digits and marks are those of a text that is looked for.
"""

import re
from collections.abc import Iterable, Iterator

from kasu.corpora.texts.sentences import mask, normalise
from kasu.corpora.texts.tokens import is_alphabetic

_SENTENCE_ENDS = re.compile(r"(?<=[.!?…။。।؟։])[\"'»”)]* ")


class Copies:
    """Texts that are looked for; `see` others, then ask for `verbatim` and `near`.

    Attributes:
        verbatim: texts that were seen, as `normalise` leaves them.
        near: masked texts of those that were seen.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._wanted = {text for text in map(normalise, texts) if text}
        self._masked = {mask(text) for text in self._wanted}
        self._outlines = set(map(outline, self._wanted))
        self.verbatim: set[str] = set()
        self.near: set[str] = set()

    def see(self, text: str) -> None:
        """Look at a text, and at each of its sentences."""
        for piece in pieces(normalise(text)):
            if outline(piece) not in self._outlines:
                continue
            if piece in self._wanted:
                self.verbatim.add(piece)
            masked = mask(piece)
            if masked in self._masked:
                self.near.add(masked)

    def has(self, text: str) -> bool:
        """Return whether a text was seen verbatim."""
        return normalise(text) in self.verbatim

    def has_near(self, text: str) -> bool:
        """Return whether a text was seen, or one that is equal but for names and digits."""
        return mask(normalise(text)) in self.near


def pieces(text: str) -> Iterator[str]:
    """Yield a text and, if it has several, its sentences: roughly, by their end marks."""
    yield text
    sentences = _SENTENCE_ENDS.split(text)
    if len(sentences) > 1:
        yield from sentences


def outline(text: str) -> str:
    """Return the words between blanks that are letters without a capital.

    The mask leaves them as they are, and near copies have the same.
    """
    words = text.split()
    small = text.lower().split()
    return " ".join(
        word for word, low in zip(words, small, strict=True) if word == low and is_alphabetic(word)
    )
