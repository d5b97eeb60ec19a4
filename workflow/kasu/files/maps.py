"""YAML files that hold a map: each key once, each number the one that its digits say."""

from collections.abc import Hashable
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

import yaml

from kasu.base.errors import KasuError
from kasu.files.reading import read_text

MOST = 100_000
"""Values of a config, those behind a reference (`*name`) as often as they are used."""
DEEPEST = 500
"""Maps and lists inside each other; libyaml would crash on more than the stack holds."""
# With libyaml, PyYAML is eight times as fast; not every build has it
_BASE = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_SAFE = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_map(path: str | Path, *, as_text: bool = False) -> dict[str, Any]:
    """Read a YAML file that holds a map.

    PyYAML alone keeps the last of equal keys in silence, and reads `010` as 8 and `1:30` as 90.

    Args:
        as_text: whether all scalars are text, so that `NO` is no boolean.

    Raises:
        KasuError: the file is missing, not UTF-8, not YAML or no map, a key occurs twice, or a
            number is another than its digits say.
    """
    text = read_text(path)
    try:
        if _is_deep(_stream(text, path)):
            raise KasuError(path, "nested too deeply", "YAML")
        values = yaml.load(_stream(text, path), _Texts if as_text else _Values)  # noqa: S506
    except (yaml.YAMLError, ValueError) as error:
        raise KasuError(path, " ".join(str(error).split()), "YAML") from error
    if not isinstance(values, dict):
        raise KasuError(path, f"found {type(values).__name__}", "a map of keys")
    return values


def _stream(text: str, path: str | Path) -> StringIO:
    """A text that PyYAML names by its file."""
    stream = StringIO(text)
    stream.name = str(path)
    return stream


def _is_deep(stream: StringIO) -> bool:
    """Whether more than DEEPEST maps and lists stand inside each other."""
    depth = 0
    for event in yaml.parse(stream, _BASE):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            return True
    return False


class _EachOnce(yaml.constructor.BaseConstructor):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                continue  # PyYAML says that it cannot be a key
            if key.value in seen:
                where = f"line {key.start_mark.line + 1}"
                raise yaml.constructor.ConstructorError(problem=f"{key.value!r} again in {where}")
            seen.add(key.value)
        return super().construct_mapping(node, deep)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError) as error:
            # What PyYAML says of `!!int ''` is that a string has no such index
            kind, where = node.tag.rpartition(":")[2], f"line {node.start_mark.line + 1}"
            problem = f"{node.value!r} in {where} is no {kind}"
            raise yaml.constructor.ConstructorError(problem=problem) from error


class _Texts(_EachOnce, _BASE):  # type: ignore[misc, valid-type]
    pass


class _Values(_EachOnce, _SAFE):  # type: ignore[misc, valid-type]
    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Merge what `<<` refers to; each map that is merged may itself merge several."""
        super().flatten_mapping(node)
        if len(node.value) > MOST:
            where = f"line {node.start_mark.line + 1}"
            problem = f"a map of more than {MOST} keys in {where}"
            raise yaml.constructor.ConstructorError(problem=problem)

    def construct_number(self, node: yaml.ScalarNode) -> int | float:
        """Read a number; YAML 1.1 has octal ones that begin with 0, and hours and minutes."""
        is_int = node.tag == "tag:yaml.org,2002:int"
        value = self.construct_yaml_int(node) if is_int else self.construct_yaml_float(node)
        with suppress(ValueError):
            if (int(node.value, 0) == value) if is_int else ":" not in node.value:
                return value
        where = f"{node.start_mark.name}:{node.start_mark.line + 1}"
        found = f"{node.value}, which YAML reads as {value}"
        raise KasuError(where, found, "a number in plain digits, or a text in quotes")


_Values.add_constructor("tag:yaml.org,2002:int", _Values.construct_number)
_Values.add_constructor("tag:yaml.org,2002:float", _Values.construct_number)
