r"""Apertium's stream format: lexical units and their readings, as lt-proc writes them.

A unit is `^surface/reading/reading$`, a reading one or more parts joined by `+`, a part a lemma and
its tags. A backslash escapes the character after it. lt-proc escapes the marks of the stream and no
`+`, `#` or `*`, so these mean something only where they can: a `+` joins after a tag or a queue, a
`#` after a tag begins the queue of a multiword (*takes out*: `take<vblex><pres># out`), and a `*`
before a word without tags marks it as unknown. The queue belongs to the lemma of the first part,
where `apertium-pretransfer` puts it: `take# out`.

The package streamparser reads a queue as a tag, a `+` in a lemma as a joint and a tag before the
lemma as a part of one, keeps the escapes, and loses an empty reading: only its type of a part, and
its writer of parts, are used. On readings without any of these both agree (see the tests).

Sources: https://wiki.apertium.org/wiki/Apertium_stream_format; lttoolbox 3.7.1, `FSTProcessor`;
apertium 3.8, `pretransfer.cc`.
"""

import re
from functools import lru_cache

from streamparser import SReading

# Skips escaped characters and superblanks between units, so that no ^ in them starts a unit.
# lt-proc escapes any ^ within a unit
UNIT = re.compile(r"\\.|\[[^\\\[\]]*(?:\\.[^\\\[\]]*)*\]|(\^[^\\^$]*(?:\\.[^\\^$]*)*\$)", re.DOTALL)
_FIELD = re.compile(r"[\^/]([^\\/$]*(?:\\.[^\\/$]*)*)", re.DOTALL)
_MARKS = re.compile(r"[\\^$/<>{}@\[\]]")
_AFTER_TAG = r"(?<=[^\\]>)"  # no tag ends in a backslash
_JOINT = re.compile(rf"{_AFTER_TAG}\+")
# A queue ends where a part is joined; in "# C++" nothing is
_QUEUE = re.compile(rf"{_AFTER_TAG}#(?:[^\\<+]|\\.|\+(?=\+|$))*", re.DOTALL)
# An escaped character, a weight (lt-proc -W) or a tag
_ESCAPE_OR_TAG = re.compile(r"\\(.)|<W:[^>]*>|<([^>]*)>", re.DOTALL)

# Parses that are cached: bounds the memory, however long the text
_REMEMBERED = 20_000


def escape(text: str) -> str:
    """Escape the marks of the stream."""
    return _MARKS.sub(r"\\\g<0>", text)


def find_units(output: str) -> list[str]:
    """Return the lexical units of a text in stream format, in order."""
    return [unit for unit in UNIT.findall(output) if unit]


def split_unit(unit: str) -> tuple[str, list[str]]:
    """Return the surface of a lexical unit, unescaped, and its readings as they are written."""
    surface, *readings = _FIELD.findall(unit)
    return _untagged(surface) if "\\" in surface else surface, readings


def is_unknown(reading: str) -> bool:
    """Return whether the reading says that the analyser does not know the word."""
    return reading.startswith("*") and not _tags(reading)


def read_parts(reading: str) -> list[SReading]:
    """Return the lemma and tags of each part of a reading, unescaped.

    The first lemma has the queue, if there is one.
    """
    # Most words differ from others in the lemma alone, and share the parse of the rest
    lemma, mark, rest = reading.partition("<")
    if "\\" in lemma:
        lemma, mark, rest = "", "", reading
    head, *others = _parse(mark + rest)
    return [SReading(lemma + head.baseform, head.tags), *others]


@lru_cache(_REMEMBERED)
def _parse(reading: str) -> list[SReading]:
    queue = _untagged("".join(_QUEUE.findall(reading)))
    head, *others = [
        SReading(_untagged(part), _tags(part)) for part in _JOINT.split(_QUEUE.sub("", reading))
    ]
    return [SReading(head.baseform + queue, head.tags), *others]


def _untagged(text: str) -> str:
    """Return the text outside of the tags, unescaped."""
    return _ESCAPE_OR_TAG.sub(r"\1", text)


def _tags(text: str) -> list[str]:
    return [tag for _, tag in _ESCAPE_OR_TAG.findall(text) if tag]
