"""Arguments of the library's functions, checked by their annotations: as notebooks write them."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import wraps
from pathlib import Path
from types import NoneType
from typing import Any, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

from kasu.base.errors import KasuError
from kasu.base.limits import in_one_line

P = ParamSpec("P")
R = TypeVar("R")
Paths = str | Path | Sequence[str | Path]
_WORDS = {
    str: "a text", Path: "a path", int: "a whole number", float: "a number",
    bool: "True or False", Sequence: "a list", Mapping: "a dict",
}  # fmt: skip


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Check the arguments of a function of the library by its annotations; fail in one line.

    Numbers of NumPy become Python's; generators, an Index and the like become lists. Annotations
    may name `pd` and types of `kasu.config.settings`.

    Raises:
        KasuError: an argument is not what its annotation says, or as `in_one_line`.
    """
    signature = inspect.signature(function)

    @wraps(function)
    def call(*given: P.args, **named: P.kwargs) -> R:
        bound = signature.bind(*given, **named)
        with in_one_line():
            # They take time to import
            import pandas as pd

            from kasu.config import settings

            names = {"pd": pd} | vars(settings)
            kinds = get_type_hints(function, localns=names, include_extras=True)
            for name, value in bound.arguments.items():
                bound.arguments[name] = plain = _plain(value)
                _expect(name, plain, kinds[name])
            return function(*bound.args, **bound.kwargs)

    return call


def listed(given: Any) -> list[Any]:
    """Return several as a list; one path, text or frame as a list of one; None as an empty list."""
    if given is None:
        return []
    return [given] if _is_one(given) else list(given)


def _is_one(given: Any) -> bool:
    return isinstance(given, str | Path) or hasattr(given, "columns")


def _plain(value: Any) -> Any:
    if getattr(value, "ndim", None) == 0:  # of NumPy
        return value.item()
    # A set has no order
    if isinstance(value, Iterable) and not (_is_one(value) or isinstance(value, Mapping | Set)):
        return list(value)
    return value


def _expect(name: str, value: object, kind: Any) -> None:
    from pydantic import ConfigDict, TypeAdapter, ValidationError

    try:
        adapter = TypeAdapter(kind, config=ConfigDict(arbitrary_types_allowed=True))
        adapter.validate_python(value, strict=True)
    except ValidationError as error:
        scalar = isinstance(value, str | int | float | NoneType)
        found = repr(value)[:60] if scalar else f"a {type(value).__name__}"
        raise KasuError(name, found, _words(kind)) from error


def _words(kind: Any) -> str:
    """Return what an annotation asks for, as errors say it."""
    if hasattr(kind, "__metadata__"):  # Annotated
        return str(kind.__metadata__[0].title)
    if (of := get_origin(kind) or kind) in _WORDS:
        return _WORDS[of]
    *others, last = [_words(each) for each in get_args(kind) if each is not NoneType] or [
        "a frame of pandas"
    ]
    return f"{', '.join(others)} or {last}" if others else last
