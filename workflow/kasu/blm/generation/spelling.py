"""The spelling of the sentences of a matrix (BLM-8)."""

import re

import regex

from kasu.corpora.texts.spelling import folded, lower

APOSTROPHES = "'´`’"
COMMAS = ",،"
_APOSTROPHE = re.compile(rf"\s+[{APOSTROPHES}]\s*|[{APOSTROPHES}]\s+")
_CAPITAL = regex.compile(r"(?<=\s\[?)\p{Lu}")  # `[` marks a word in a seeds file
_COMMA = re.compile(rf"\s+(?=[{COMMAS}])")
_WORD = re.compile(rf"[^\s{APOSTROPHES}{COMMAS}]+[{APOSTROPHES}]?")
_PLAIN = str.maketrans(dict.fromkeys(APOSTROPHES, "'"))


def tidy(text: str) -> str:
    """Replace an apostrophe next to a space by a plain one without the space; collapse spaces.

    An apostrophe with no space next to it is kept as it is, as in the released data. A comma
    follows its word without a space.
    """
    return " ".join(_COMMA.sub("", _APOSTROPHE.sub("'", text.strip())).split())


def lower_capitals(text: str, language: str = "") -> str:
    """Lower-case every capital after a space, even in names, as in the released data.

    Args:
        language: a code, for lower case.
    """
    return _CAPITAL.sub(lambda capital: lower(capital[0], language), text)


def normalise(sentence: str) -> str:
    """Spell a sentence as the released data do (BLM-8)."""
    return tidy(lower_capitals(sentence.strip()))


def uncapitalise(text: str, language: str = "") -> str:
    """Lower-case the first letter only; `language` is a code."""
    return lower(text[:1], language) + text[1:]


def spans(text: str) -> list[tuple[int, int]]:
    """Find where each word of a text begins and ends; an elided word ends in its apostrophe.

    Commas are no words, nor part of one.
    """
    return [word.span() for word in _WORD.finditer(text)]


def key(word: str) -> str:
    """Normalise a word for lookup: ignore case and the shape of apostrophes."""
    return folded(word.translate(_PLAIN))
