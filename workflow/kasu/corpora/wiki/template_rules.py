"""Rules for what a template shows: patterns of its arguments, such as `{1:quantity} {3|2}`."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from kasu.corpora.wiki.measures import french_date, measure, write_number, write_quantity

PATTERN = "text with arguments in braces, such as {1} or {text|2}"
_SLOT = re.compile(r"\{([^{}]*)\}")


class Slot(NamedTuple):
    """An argument in a pattern.

    Attributes:
        names: names or numbers of arguments; the first that is given is shown.
        default: shown if none is given; None if the text is then unknown.
        blank: a blank to be shown in front of a value.
        format: how to show the value; empty as it is.
        absent: whether the text is unknown if the argument is given.
    """

    names: tuple[str, ...]
    default: str | None = None
    blank: str = ""
    format: str = ""
    absent: bool = False


Rule = tuple[str | Slot, ...]


class Call(NamedTuple):
    """A template in use: its wiki's language, the title of the page, and its arguments."""

    language: str
    title: str
    arguments: Mapping[str, str]


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def upper_first(text: str) -> str:
    """Return the text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def _coordinates(arguments: Mapping[str, str]) -> str | None:
    """Return what {{coord}} shows in the text: nothing if only in the title, else it is unknown."""
    return "" if arguments.get("display", "").strip().lower() in ("title", "t") else None


FORMATS: Mapping[str, Callable[[str, Call], str | None]] = {
    "": lambda text, call: text,
    "coordinates": lambda text, call: _coordinates(call.arguments),
    "date": lambda text, call: french_date(call.arguments),
    "lower": lambda text, call: text.lower(),
    "lower first": lambda text, call: _lower_first(text),
    "measure": lambda text, call: measure(call.arguments),
    "number": lambda text, call: write_number(text, call.language),
    "quantity": lambda text, call: write_quantity(text, call.language),
    "short measure": lambda text, call: measure(call.arguments, "on"),
    "title": lambda text, call: call.title,
    "upper": lambda text, call: text.upper(),
    "upper first": lambda text, call: upper_first(text),
}


def parse_rule(pattern: str) -> Rule:
    """Parse a pattern.

    Raises:
        ValueError: it is none.
    """
    rule: list[str | Slot] = []
    # Text and slots take turns
    for number, part in enumerate(_SLOT.split(pattern)):
        if number % 2:
            rule.append(_slot(part))
        elif "{" in part or "}" in part:
            raise ValueError(pattern)
        elif part:
            rule.append(part)
    return tuple(rule)


def _slot(text: str) -> Slot:
    body, _, form = text.partition(":")
    blank = " " if body.startswith(" ") else ""
    body = body.strip()
    absent = body.startswith("!")
    # A last alternative that is empty or in quotation marks is the default
    names, default = body.removeprefix("!").split("|"), None
    if len(names) > 1 and (not names[-1] or names[-1][0] == names[-1][-1] == '"'):
        default = names.pop().strip('"')
    if form not in FORMATS or (not form and "" in names):
        raise ValueError(text)
    return Slot(tuple(map(str.strip, names)), default, blank, form, absent)


def fill(rule: Rule, call: Call) -> str | None:
    """Return the wikitext that a call shows by a rule; None if it is unknown."""
    texts = []
    for part in rule:
        if isinstance(part, str):
            texts.append(part)
            continue
        given = [call.arguments[name] for name in part.names if name in call.arguments]
        # A slot `{!name}` shows nothing; with the argument, the text is unknown
        if part.absent:
            if given:
                return None
            continue
        if not given and part.default is not None:
            texts.append(part.default)
            continue
        if not given and part.names != ("",):
            return None
        text = FORMATS[part.format](given[0] if given else "", call)
        if text is None:
            return None
        texts.append(part.blank + text)
    # Escaped, so that an equals sign names no argument of a template around this one
    return "".join(texts).replace("=", "&#61;")
