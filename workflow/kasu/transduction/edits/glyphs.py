"""Patches between letters: which pixels differ between a letter and the same one with a mark.

Source: Schröder et al. (2018 §3). Here ASCII letters are found by the canonical decomposition
of Unicode, and letters are drawn by the font that comes with matplotlib.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.ft2font import FT2Font, LoadFlags

FONT = "DejaVuSansMono.ttf"
KNOWN = range(0x2000)  # code points of letters that may have patches
STRIDE = 64  # pixels from one row of a bitmap to the next; more than any letter is wide


class Patches:
    """The patches between the letters of an alphabet, numbered by their first pairs of letters.

    A patch turns a letter into another one, and that one back: it is the set of pixels in which the
    bitmaps of both differ. Both have the same ASCII letter below their marks. Patches that occur
    between letters of the alphabet also hold for letters that it lacks.

    Args:
        alphabet: characters, in any order.
        size: in which they are drawn, in points of a pixel.

    Attributes:
        pairs: of each patch, its pairs of letters of the alphabet, sorted.
        missing: letters of the alphabet that the font lacks; they have no patch.
    """

    def __init__(self, alphabet: Iterable[str], size: int = 16) -> None:
        letters = set(alphabet)
        self.missing = sorted(letter for letter in letters if draw(letter, size) is None)
        between = _pairs(size)
        found = {
            pixels: own
            for pixels, pairs in between.items()
            if (own := [pair for pair in pairs if letters.issuperset(pair)])
        }
        self.pairs: list[list[tuple[str, str]]] = []
        self._partners: list[dict[str, str]] = []
        self._between: dict[tuple[str, str], int] = {}
        for number, pixels in enumerate(sorted(found, key=lambda each: found[each][0])):
            partners: dict[str, str] = {}
            # Two marks may look the same: then the pair of the alphabet is meant, or the first
            for pair in [*found[pixels], *between[pixels]]:
                if partners.keys().isdisjoint(pair):
                    for one, other in (pair, pair[::-1]):
                        partners[one] = other
                        self._between[one, other] = number
            self.pairs.append([pair for pair in found[pixels] if partners.get(pair[0]) == pair[1]])
            self._partners.append(partners)

    def __len__(self) -> int:
        """Return the number of patches."""
        return len(self.pairs)

    def between(self, one: str, other: str) -> int | None:
        """Return the patch that turns a letter into another; None if there is none."""
        return self._between.get((one, other))

    def alike(self, one: str, other: str) -> bool:
        """Return whether two letters are the same or have a patch between them."""
        return one == other or (one, other) in self._between

    def apply(self, patch: int, letter: str) -> str | None:
        """Return what a patch turns a letter into; None if it does not apply."""
        return self._partners[patch].get(letter)


def base(letter: str) -> str | None:
    """Return the ASCII character that a letter is a form of; None if there is none."""
    first = unicodedata.normalize("NFD", letter)[0]
    return first if first.isascii() else None


@cache
def draw(letter: str, size: int) -> int | None:
    """Return the bitmap of a letter, one bit a pixel; None if the font lacks it.

    The last pixel of the lowest row is the lowest bit. Bars on both sides hold the letter in place.
    An i has no dot, so that it differs from others as an o does.
    """
    font = _font(size)
    if not font.get_char_index(ord(letter)):
        return None
    shown = "ı" if letter == "i" else letter
    font.set_text(f"|{shown}|", flags=LoadFlags.TARGET_MONO)
    font.draw_glyphs_to_bitmap(antialiased=False)
    image = font.get_image() > 0
    rows = np.zeros((len(image), STRIDE), bool)
    rows[:, : image.shape[1]] = image
    return int.from_bytes(np.packbits(rows).tobytes(), "big")


@cache
def _font(size: int) -> FT2Font:
    font = FT2Font(str(Path(matplotlib.get_data_path(), "fonts", "ttf", FONT)))
    font.set_size(size, 72)
    return font


@cache
def _pairs(size: int) -> dict[int, list[tuple[str, str]]]:
    """Return by the pixels in which they differ all pairs of letters of one base, sorted."""
    forms = defaultdict[str, list[tuple[str, int]]](list)
    for letter in map(chr, KNOWN):
        under, pixels = base(letter), draw(letter, size)
        if under and pixels is not None:
            forms[under].append((letter, pixels))
    found = defaultdict[int, list[tuple[str, str]]](list)
    for group in forms.values():
        for (one, pixels), (other, others) in combinations(group, 2):
            # Where nothing differs there is nothing to write anew
            if pixels != others:
                found[pixels ^ others].append((one, other))
    return {pixels: sorted(pairs) for pixels, pairs in found.items()}
