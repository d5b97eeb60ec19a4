"""Places in a config: what stands there, its type, and what it expects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from kasu.config.extent import name_of
from kasu.config.settings import Section

MAP = "a map of keys"
"""What a section expects that has no title."""


@dataclass(frozen=True)
class Place:
    """A place in the config: the keys that lead to it, its value, its type, what it expects."""

    path: tuple[int | str, ...]
    value: Any
    kind: Any
    expected: str

    @property
    def name(self) -> str:
        return name_of(self.path)


def expects(field: FieldInfo) -> str:
    """Return what a key expects, as error messages say it."""
    return unwrap(Place((), None, field.annotation, field.title or "")).expected


def takes_text(kind: Any) -> bool:
    """Return whether a scalar is a text there, and never a number."""
    parts = get_args(kind) if is_union(kind) else (kind,)
    kinds = [unwrap(Place((), None, part, "")).kind for part in parts]
    return str in kinds and int not in kinds and float not in kinds


def find_place(path: Sequence[int | str], config: Any, kind: Any) -> Place | None:
    """Follow the keys of an error through the config and through the types."""
    place = unwrap(Place((), config, kind, ""))
    steps = list(path)
    while steps:
        step = steps.pop(0)
        if is_union(place.kind):
            # pydantic puts the member of the union that it tried among the keys
            member, name = member_for(place)
            if member is None:
                return place
            if name not in str(step):
                return None
            place = unwrap(Place(place.path, place.value, member, place.expected))
            continue
        place = descend(place, step)
    return place


def descend(place: Place, step: int | str) -> Place:
    path, value = (*place.path, step), place.value[step]
    if isinstance(step, str) and isinstance(place.kind, type) and issubclass(place.kind, Section):
        field = place.kind.model_fields[step]
        return unwrap(Place(path, value, field.annotation, field.title or ""))
    inner = [part for part in get_args(place.kind) if part is not ...]
    # A map's values; a pair's first or second; a list's entries
    at = -1 if isinstance(step, str) else min(step, len(inner) - 1)
    return unwrap(Place(path, value, inner[at], ""))


def unwrap(place: Place) -> Place:
    """Take off `Annotated` and `| None`, and note what the place expects."""
    kind, expected = place.kind, place.expected
    while True:
        members = [part for part in get_args(kind) if part is not NoneType]
        if get_origin(kind) is Annotated:
            titles = [item.title for item in kind.__metadata__ if isinstance(item, FieldInfo)]
            expected = expected or next(filter(None, titles), "")
            kind = kind.__origin__
        elif get_origin(kind) in (Union, UnionType) and len(members) == 1:
            kind = members[0]
        elif get_origin(kind) is Literal:
            return Place(place.path, place.value, kind, "one of " + ", ".join(map(str, members)))
        else:
            if isinstance(kind, type) and issubclass(kind, Section):
                expected = expected or kind.model_config.get("title") or MAP
            elif kind is bool:
                expected = expected or "true or false"
            elif kind is str:
                expected = expected or "text"
            return Place(place.path, place.value, kind, expected)


def is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType)


def member_for(place: Place) -> tuple[Any, str]:
    """Return the member of a union that a map or a list was meant to be, and pydantic's name.

    None if the value is neither, or the union has no map with keys of its own, or no list.
    """
    for part in get_args(place.kind):
        kind = part.__origin__ if get_origin(part) is Annotated else part
        if (
            isinstance(place.value, Mapping)
            and isinstance(kind, type)
            and issubclass(kind, Section)
        ):
            return kind, kind.__name__
        if isinstance(place.value, list | tuple) and get_origin(kind) is tuple:
            return kind, "tuple["
    return None, ""
