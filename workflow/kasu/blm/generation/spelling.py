"""How the sentences of a matrix are spelt (BLM-8)."""

import re

import regex

APOSTROPHES = "'´`’"
_APOSTROPHE = re.compile(rf"\s+[{APOSTROPHES}]\s*|[{APOSTROPHES}]\s+")
_CAPITAL = regex.compile(r"(?<=\s\[?)\p{Lu}")  # `[` marks a word in a seeds file
_WORD = re.compile(rf"[^\s{APOSTROPHES}]+[{APOSTROPHES}]?")
_PLAIN = str.maketrans(dict.fromkeys(APOSTROPHES, "'"))


def tidy(text: str) -> str:
    """Make an apostrophe beside a space a bare one without it; collapse spaces; strip.

    An apostrophe with no space beside it stays as it is, as in the released data.
    """
    return " ".join(_APOSTROPHE.sub("'", text.strip()).split())


def lower_capitals(text: str) -> str:
    """Lower-case every capital after a space, those of names too, as in the released data."""
    return _CAPITAL.sub(lambda capital: capital[0].lower(), text)


def normalise(sentence: str) -> str:
    """A sentence in the spelling of the released data (BLM-8)."""
    return tidy(lower_capitals(sentence.strip()))


def capitalise(sentence: str) -> str:
    """Upper-case the first letter, leave the others."""
    return sentence[:1].upper() + sentence[1:]


def uncapitalise(text: str) -> str:
    """Lower-case the first letter, leave the others."""
    return text[:1].lower() + text[1:]


def spans(text: str) -> list[tuple[int, int]]:
    """Where each word of a text begins and ends; an elided word ends in its apostrophe."""
    return [word.span() for word in _WORD.finditer(text)]


def key(word: str) -> str:
    """A word as lexica are asked for it: case and the form of apostrophes do not count."""
    return word.translate(_PLAIN).casefold()
