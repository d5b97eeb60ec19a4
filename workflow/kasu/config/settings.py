"""Typed settings: the base class of the config's sections, shared field types, and the reader.

A key of the config is one field of one class: its type and range, its default, what it means
(`description`), `examples`, and in a few words what a user should have written (`title`), which
error messages quote. The check of a config, the schema for editors and the reference in `docs/`
are made from these fields.
"""

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_serializer,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from kasu.base import patterns
from kasu.base.errors import KasuError
from kasu.base.limits import MOST_THREADS
from kasu.base.paths import locate, plain_path
from kasu.config.extent import check_extent, name_of

_SHOWN = 200  # characters of a value in an error message
T = TypeVar("T")
S = TypeVar("S", bound="Section")
_MAP = "a map of keys"  # what a section expects that has no title
_VARIABLE = re.compile("<[a-z][a-z0-9_]*>")
_PLAIN = re.compile(r"[-+]?(0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+|true|false|null")
_EXPONENT = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+")


@dataclass(frozen=True)
class NullCounts:
    """Marks a field in which null is a value of its own; elsewhere null is a key not stated."""


class Section(BaseModel):
    """A part of the config. Unknown keys are errors, and values are not converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, validate_default=True)

    @model_validator(mode="before")
    @classmethod
    def _drop_empty_keys(cls, given: Any) -> Any:
        """Read `key:` without a value as a key that is not stated, where its default is none."""
        if not isinstance(given, Mapping):
            return given
        empty = {
            name
            for name, field in cls.model_fields.items()
            if not field.is_required() and field.default is None and not _null_counts(field)
        }
        return {key: value for key, value in given.items() if value is not None or key not in empty}

    @model_serializer(mode="wrap")
    def _leave_out_unstated(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        stated = self.model_fields_set
        return {
            key: value for key, value in write(self).items() if value is not None or key in stated
        }

    def dump(self) -> dict[str, Any]:
        """Return the settings as plain maps and lists, with defaults, in the order of the fields.

        An optional key that is not stated and has no default is left out.
        """
        return _to_lists(self.model_dump())


def _to_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _to_lists(item) for key, item in value.items()}
    return [_to_lists(item) for item in value] if isinstance(value, tuple) else value


def _null_counts(field: FieldInfo) -> bool:
    return any(isinstance(item, NullCounts) for item in field.metadata)


def as_written(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """Check a number, and keep 1 from becoming 1.0; read `1e-3`, which YAML 1.1 takes for text."""
    if isinstance(value, str) and _EXPONENT.fullmatch(value):
        value = float(value)
    check(value)
    return value


def one_of(names: Sequence[str]) -> FieldInfo:
    """Return metadata of a text that is one of `names`, which are known only at run time."""
    return Field(
        pattern=f"^({'|'.join(map(re.escape, names))})$",
        title="one of " + ", ".join(names),
        json_schema_extra={"enum": [*names]},
    )


def check_once(names: Iterable[object], where: str) -> None:
    """Check that names differ.

    Raises:
        KasuError: one occurs more than once.
    """
    for name, count in Counter(names).items():
        if count > 1:
            raise KasuError(f"config {where}", f"{name!r} {count} times", "each name once")


def _each_once(values: tuple[T, ...]) -> tuple[T, ...]:
    # Entries with maps have no hash
    if len(set(map(repr, values))) < len(values):
        raise ValueError
    return values


def _expect_no_variable(path: str) -> None:
    """Check a path for what Snakemake would replace: `<name>`, the variable of a path.

    Raises:
        KasuError: it has one.
    """
    if variable := _VARIABLE.search(path):
        found = f"{variable[0]}, which Snakemake would replace"
        raise KasuError(f"config, path {path}", found, "a path without names in < and >")


def _plain(value: Any) -> Any:
    if isinstance(value, str) and "://" in value:
        raise ValueError
    if not isinstance(value, str):
        return value
    _expect_no_variable(value)
    return plain_path(value)


def _located(text: str) -> str:
    _expect_no_variable(text)
    path = plain_path(text)
    return path if "://" in path else str(locate(path))


def _referred(text: str) -> str:
    _expect_no_variable(text)
    path = _located(text) if "/" in text or text.startswith("~") else text
    # What was not written like a name must not become one: `./finnish`
    return path if path == text or path.startswith("/") else f"./{path}"


def _compiles(pattern: str) -> str:
    try:
        patterns.Pattern(pattern)
    except KasuError as error:
        raise ValueError from error
    return pattern


def _ascends(bounds: tuple[int, int]) -> tuple[int, int]:
    if bounds[0] > bounds[1]:
        raise ValueError
    return bounds


NonEmpty = Annotated[str, Field(min_length=1, title="text")]
Slug = Annotated[
    str,
    Field(
        # It becomes part of the names of files, which file systems end at 255 bytes
        pattern="^[a-z0-9_][a-z0-9_.-]{0,99}$",
        title="a name of a-z, 0-9, _, ., - (at most 100)",
    ),
]
LanguageCode = Annotated[str, Field(pattern="^[a-z]{2,3}$", title="an ISO 639 code")]
FolderPath = Annotated[str, BeforeValidator(_plain)]
"""A folder, which may be missing, and no address; in its plain spelling."""
FilePath = Annotated[str, Field(min_length=1, title="a path"), AfterValidator(_located)]
"""What exists already, in the working directory or in Kasu's folder."""
Reference = Annotated[
    str, AfterValidator(_referred), Field(title="a registered name, a path or an address")
]
"""A file as FilePath has it, or a name. A relative path that could be a name begins with `./`."""
Contact = Annotated[
    str, Field(pattern=r"^[!-'*-~]*$", title="an e-mail address, or the address of a page")
]
Pattern = Annotated[str, AfterValidator(_compiles), Field(title="a regular expression")]
Size = Annotated[int, Field(ge=1, title="a whole number of 1 or more")]
Count = Annotated[int, Field(ge=0, title="a whole number")]
Seed = Annotated[int, Field(ge=0, lt=1 << 63, title="a whole number below 2^63")]
"""A seed of torch and a cell of a table."""
Threads = Annotated[
    int, Field(ge=1, le=MOST_THREADS, title=f"a whole number from 1 to {MOST_THREADS:,}")
]
Share = Annotated[
    float,
    Field(ge=0, le=1, allow_inf_nan=False, title="a share from 0 to 1"),
    WrapValidator(as_written),
]
Positive = Annotated[
    float,
    Field(gt=0, allow_inf_nan=False, title="a number above 0"),
    WrapValidator(as_written),
]
NotNegative = Annotated[
    float,
    Field(ge=0, allow_inf_nan=False, title="a number of 0 or more"),
    WrapValidator(as_written),
]
SizeOrNull = Annotated[
    Size | None, NullCounts(), Field(title="a whole number of 1 or more, or null")
]
Many = Annotated[tuple[T, ...], Field(strict=False)]
"""A list, which may be empty and may repeat itself."""
Some = Annotated[tuple[T, ...], Field(strict=False, min_length=1)]
"""A list of one entry or more."""
Distinct = Annotated[tuple[T, ...], Field(strict=False), AfterValidator(_each_once)]
"""A list, which may be empty, of entries that differ."""
SomeDistinct = Annotated[
    tuple[T, ...], Field(strict=False, min_length=1), AfterValidator(_each_once)
]
"""A list of one entry or more, all of which differ."""
Bounds = Annotated[tuple[Size, Size], Field(strict=False), AfterValidator(_ascends)]
"""The least and the most."""


def expects(field: FieldInfo) -> str:
    """Return what a key expects, as error messages say it."""
    return _unwrap(_Place((), None, field.annotation, field.title or "")).expected


def check_value(where: str, value: object, kind: Any) -> None:
    """Check a value from elsewhere, as an option of a command, by the type of a key.

    Raises:
        KasuError: it is not what such a key expects.
    """
    try:
        TypeAdapter(kind).validate_python(value, strict=True)
    except ValidationError as error:
        expected = _unwrap(_Place((), None, kind, "")).expected
        raise KasuError(where, _shown(value), expected) from error


def sections_of(field: FieldInfo) -> list[type[Section]]:
    """Return the classes of the sections that a key holds: itself, or as entries of its list."""
    found, todo = [], [field.annotation]
    while todo:
        kind = todo.pop(0)
        if isinstance(kind, type) and issubclass(kind, Section):
            found.append(kind)
        todo += get_args(kind)
    return found


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


def read_words(words: Any, kind: Any) -> Any:
    """Read the values of `--config`, in whose maps and lists Snakemake leaves all scalars as text.

    A number, `true`, `false` or `null` is read as in a file, and where a key takes text stays text,
    as in `{name: 2024}`; but for `null`.

    Args:
        words: the keys and values of the command line.
        kind: the class of the section that they are for, or the type of a key.
    """
    return _read_words(_unwrap(_Place((), words, kind, "")))


def _read_words(place: "_Place") -> Any:
    value = place.value
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and (value == "null" or not _takes_text(place.kind))
        return yaml.safe_load(value) if plain else value
    if _is_union(place.kind):
        place = _unwrap(replace(place, kind=_member_for(place)[0]))
    if isinstance(value, Mapping):
        return {key: _read_words_at(place, key) for key in value}
    if isinstance(value, list):
        return [_read_words_at(place, at) for at in range(len(value))]
    return value


def _read_words_at(place: "_Place", step: int | str) -> Any:
    try:
        return _read_words(_descend(place, step))
    except LookupError:  # an unknown key, or a map or a list where none may stand
        return place.value[step]


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


@dataclass(frozen=True)
class _Place:
    """A place in the config: the keys that lead to it, its value, its type, what it expects."""

    path: tuple[int | str, ...]
    value: Any
    kind: Any
    expected: str

    @property
    def name(self) -> str:
        return name_of(self.path)


def _find_mistake(details: ErrorDetails, config: Any, kind: type[Section]) -> _Mistake | None:
    """Put an error of pydantic into our words; None if it is about the wrong member of a union."""
    *path, last = details["loc"] or ("",)
    unknown = details["type"] in ("extra_forbidden", "invalid_key")
    missing = details["type"] == "missing" and isinstance(last, str)
    if last == "[key]":
        path = path[:-1]  # a map with a key that is no text
    elif details["type"] != "missing" and not unknown:
        path = list(details["loc"])
    place = _find_place(path, config, kind)
    if place is None:
        return None
    if unknown:
        valid = list(place.kind.model_fields)
        nearest = difflib.get_close_matches(str(last), valid, n=1, cutoff=0.5)
        expected = repr(nearest[0]) if nearest else "one of " + ", ".join(valid)
        key = next(key for key in place.value if key == last or str(key) == str(last))
        return _Mistake(place.name, 0, f"unknown key {_shown(key)}", expected)
    if missing:
        key = _descend(replace(place, value={last: None}), last)
        expected = key.expected if place.expected in ("", _MAP) else place.expected
        return _Mistake(place.name, 1, f"no key {last!r}", expected)
    expected = place.expected + _quotes(details["input"], last == "[key]", place.kind)
    return _Mistake(place.name, 2, f"found {_shown(place.value)}", expected)


def _quotes(value: Any, is_key: bool, kind: Any) -> str:
    """Say that a text lacks quotes: YAML reads `1`, `2024-01-02`, and `no`, which is Norwegian."""
    if not isinstance(value, bool | int | float | date):
        return ""
    if is_key:
        return ", its keys in quotes"
    if not _takes_text(kind):
        return ""
    return ", a text in quotes" if _is_union(kind) else ", in quotes"


def _takes_text(kind: Any) -> bool:
    """Return whether a scalar is a text there, and never a number."""
    parts = get_args(kind) if _is_union(kind) else (kind,)
    kinds = [_unwrap(_Place((), None, part, "")).kind for part in parts]
    return str in kinds and int not in kinds and float not in kinds


def _find_place(path: Sequence[int | str], config: Any, kind: Any) -> _Place | None:
    """Follow the keys of an error through the config and through the types."""
    place = _unwrap(_Place((), config, kind, ""))
    steps = list(path)
    while steps:
        step = steps.pop(0)
        if _is_union(place.kind):
            # pydantic puts the member of the union that it tried among the keys
            member, name = _member_for(place)
            if member is None:
                return place
            if name not in str(step):
                return None
            place = _unwrap(_Place(place.path, place.value, member, place.expected))
            continue
        place = _descend(place, step)
    return place


def _descend(place: _Place, step: int | str) -> _Place:
    path, value = (*place.path, step), place.value[step]
    if isinstance(step, str) and isinstance(place.kind, type) and issubclass(place.kind, Section):
        field = place.kind.model_fields[step]
        return _unwrap(_Place(path, value, field.annotation, field.title or ""))
    inner = [part for part in get_args(place.kind) if part is not ...]
    # A map's values; a pair's first or second; a list's entries
    at = -1 if isinstance(step, str) else min(step, len(inner) - 1)
    return _unwrap(_Place(path, value, inner[at], ""))


def _unwrap(place: _Place) -> _Place:
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
            return _Place(place.path, place.value, kind, "one of " + ", ".join(map(str, members)))
        else:
            if isinstance(kind, type) and issubclass(kind, Section):
                expected = expected or kind.model_config.get("title") or _MAP
            elif kind is bool:
                expected = expected or "true or false"
            elif kind is str:
                expected = expected or "text"
            return _Place(place.path, place.value, kind, expected)


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType)


def _member_for(place: _Place) -> tuple[Any, str]:
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
