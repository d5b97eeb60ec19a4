"""Read a config into settings; the first mistake in it becomes one line."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from kasu.base.errors import KasuError
from kasu.config.extent import check_extent
from kasu.config.places import (
    MAP,
    Place,
    descend,
    find_place,
    is_union,
    member_for,
    takes_text,
    unwrap,
)
from kasu.config.settings import Section

_SHOWN = 200  # characters of a value in an error message
S = TypeVar("S", bound=Section)
_PLAIN = re.compile(r"[-+]?(0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+|true|false|null")


def read_settings(config: Mapping[str, Any], kind: type[S]) -> S:
    """Read a config.

    Raises:
        KasuError: the first mistake: an unknown key (names the nearest valid one), a missing key,
            a value that is not what its key expects, or entries that do not fit together. Or the
            config is refused by `check_extent`.
    """
    check_extent(config)
    try:
        return kind.model_validate(config)
    except ValidationError as error:
        details = error.errors(include_url=False)
        found = [found for each in details if (found := _find_mistake(each, config, kind))]
    # pydantic leaves bad entries out of a list, which may then be too short: a second mistake
    inside = [each.where for each in found]
    first = [
        each
        for each in found
        if each.rank < 2 or not any(where.startswith(f"{each.where}[") for where in inside)
    ]
    # By place; at one place an unknown key before a missing one, which it may be meant for
    raise min(first, key=lambda each: (each.where, each.rank)).error


def read_scalars(words: Any, kind: Any) -> Any:
    """Read the values of `--config`, in whose maps and lists Snakemake leaves all scalars as text.

    A number, `true`, `false` or `null` is read as in a file, and where a key takes text stays text,
    as in `{name: 2024}`; but for `null`.

    Args:
        words: the keys and values of the command line.
        kind: the class of the section that they are for, or the type of a key.
    """
    return _read_scalars(unwrap(Place((), words, kind, "")))


def _read_scalars(place: Place) -> Any:
    value = place.value
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and (value == "null" or not takes_text(place.kind))
        return yaml.safe_load(value) if plain else value
    if is_union(place.kind):
        place = unwrap(replace(place, kind=member_for(place)[0]))
    if isinstance(value, Mapping):
        return {key: _read_scalars_at(place, key) for key in value}
    if isinstance(value, list):
        return [_read_scalars_at(place, at) for at in range(len(value))]
    return value


def _read_scalars_at(place: Place, step: int | str) -> Any:
    try:
        return _read_scalars(descend(place, step))
    except LookupError:  # an unknown key, or a map or a list where none may stand
        return place.value[step]


def check_value(where: str, value: object, kind: Any) -> None:
    """Check a value from elsewhere, as an option of a command, by the type of a key.

    Raises:
        KasuError: it is not what such a key expects.
    """
    try:
        TypeAdapter(kind).validate_python(value, strict=True)
    except ValidationError as error:
        expected = unwrap(Place((), None, kind, "")).expected
        raise KasuError(where, _shown(value), expected) from error


def _shown(value: Any) -> str:
    try:
        text = str(value) if isinstance(value, date) else repr(value)
    except ValueError:  # Python prints no whole number of more than 4300 digits
        text = "a number of thousands of digits"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


@dataclass(frozen=True)
class _Mistake:
    """`where` is the place in the config, as in `corpora[0].name`; the lowest `rank` is first."""

    where: str
    rank: int
    found: str
    expected: str

    @property
    def error(self) -> KasuError:
        return KasuError(f"config {self.where}".rstrip(), self.found, self.expected)


def _find_mistake(details: ErrorDetails, config: Any, kind: type[Section]) -> _Mistake | None:
    """Put an error of pydantic into our words; None if it is about the wrong member of a union."""
    *path, last = details["loc"] or ("",)
    unknown = details["type"] in ("extra_forbidden", "invalid_key")
    missing = details["type"] == "missing" and isinstance(last, str)
    if last == "[key]":
        path = path[:-1]  # a map with a key that is no text
    elif details["type"] != "missing" and not unknown:
        path = list(details["loc"])
    place = find_place(path, config, kind)
    if place is None:
        return None
    if unknown:
        valid = list(place.kind.model_fields)
        nearest = difflib.get_close_matches(str(last), valid, n=1, cutoff=0.5)
        expected = repr(nearest[0]) if nearest else "one of " + ", ".join(valid)
        key = next(key for key in place.value if key == last or str(key) == str(last))
        return _Mistake(place.name, 0, f"unknown key {_shown(key)}", expected)
    if missing:
        key = descend(replace(place, value={last: None}), last)
        expected = key.expected if place.expected in ("", MAP) else place.expected
        return _Mistake(place.name, 1, f"no key {last!r}", expected)
    expected = place.expected + _quotes(details["input"], last == "[key]", place.kind)
    return _Mistake(place.name, 2, f"found {_shown(place.value)}", expected)


def _quotes(value: Any, is_key: bool, kind: Any) -> str:
    """Say that a text lacks quotes: YAML reads `1`, `2024-01-02`, and `no`, which is Norwegian."""
    if not isinstance(value, bool | int | float | date):
        return ""
    if is_key:
        return ", its keys in quotes"
    if not takes_text(kind):
        return ""
    return ", a text in quotes" if is_union(kind) else ", in quotes"
