"""Spellings of a word: which are the same word, and its upper and lower case by language.

Words are compared in NFC, as canonically equivalent strings are the same text (UAX 15). Turkish,
Azerbaijani and Lithuanian have rules of their own for case (Unicode's SpecialCasing.txt). Crimean
Tatar, Gagauz and Ottoman Turkish are not listed there, but their Latin alphabets have the same two
letters, I ı and İ i. Tatar and Kazakh are left out: most of their texts are Cyrillic.
"""

from collections.abc import Callable
from unicodedata import is_normalized, normalize

import regex

TURKIC = {"tr", "tur", "az", "aze", "azj", "crh", "gag", "ota"}
LITHUANIAN = {"lt", "lit"}
"""ISO 639 codes."""
_WITH_RULES = TURKIC | LITHUANIAN

_DOT = "\u0307"
_NOT_BETWEEN = r"[^\p{ccc=0}\p{ccc=230}]*"
_DOTTED_CAPITAL = regex.compile(rf"I({_NOT_BETWEEN}){_DOT}")
# A soft-dotted letter keeps its dot below an accent; capitals with Į may be decomposed
_UNDER_ACCENT = regex.compile(rf"[IJ\u012E](?={_NOT_BETWEEN}\p{{ccc=230}})")
_WITH_ACCENT = str.maketrans({"Ì": "I\u0300", "Í": "I\u0301", "Ĩ": "I\u0303"})
_DOT_UNDER_ACCENT = regex.compile(rf"(\p{{Soft_Dotted}}{_NOT_BETWEEN}){_DOT}")


def canonical(text: str) -> str:
    """Return the text in NFC."""
    return text if text.isascii() or is_normalized("NFC", text) else normalize("NFC", text)


def lower(text: str, language: str = "") -> str:
    """Return the text in lower case by the rules of a language, given as a code."""
    return lower_case(language)(text)


def lower_case(language: str) -> Callable[[str], str]:
    """Return a function that writes a text in the lower case of a language."""
    if language in TURKIC:
        return _lower_turkic
    return _lower_lithuanian if language in LITHUANIAN else str.lower


def _lower_turkic(text: str) -> str:
    return _DOTTED_CAPITAL.sub(r"i\1", text).replace("İ", "i").replace("I", "ı").lower()


def _lower_lithuanian(text: str) -> str:
    return _UNDER_ACCENT.sub(rf"\g<0>{_DOT}", text.translate(_WITH_ACCENT)).lower()


def upper(text: str, language: str = "") -> str:
    """Return the text in upper case by the rules of a language, given as a code."""
    if language in TURKIC:
        text = text.replace("i", "İ")
    elif language in LITHUANIAN:
        text = _DOT_UNDER_ACCENT.sub(r"\1", text)
    return text.upper()


def capitalised(text: str, language: str = "") -> str:
    """Return the text with its first letter in upper case."""
    return upper(text[:1], language) + text[1:]


def key(word: str, language: str = "") -> str:
    """Return what a word's spellings share, in upper and lower case, composed or not."""
    if language not in _WITH_RULES:
        return canonical(word.lower())
    word = lower(word, language)
    if language in LITHUANIAN:
        # Most texts write ì for what SpecialCasing.txt has as i, dot and accent
        word = _DOT_UNDER_ACCENT.sub(r"\1", word)
    return canonical(word)


def folded(word: str, language: str = "") -> str:
    """Return `key`, with letters that have no upper case of their own spelt out: ß is ss."""
    return canonical(key(word, language).casefold())
