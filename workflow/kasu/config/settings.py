"""Typed settings: the base class of the config's sections, and types of fields that they share.

A key of the config is one field of one class: its type and range, its default, what it means
(`description`), `examples`, and in a few words what a user should have written (`title`), which
error messages quote. The check of a config, the schema for editors and the reference in `docs/`
are made from these fields.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_serializer,
    model_validator,
)
from pydantic.fields import FieldInfo

from kasu.base import patterns
from kasu.base.errors import KasuError
from kasu.base.limits import MOST_THREADS
from kasu.base.paths import locate, plain_path

T = TypeVar("T")
_VARIABLE = re.compile("<[a-z][a-z0-9_]*>")
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
ProperShare = Annotated[
    float,
    Field(gt=0, lt=1, title="a share between 0 and 1"),
    WrapValidator(as_written),
]
"""A share that leaves something on either side."""
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


def sections_of(field: FieldInfo) -> list[type[Section]]:
    """Return the classes of the sections that a key holds: itself, or as entries of its list."""
    found, todo = [], [field.annotation]
    while todo:
        kind = todo.pop(0)
        if isinstance(kind, type) and issubclass(kind, Section):
            found.append(kind)
        todo += get_args(kind)
    return found
