"""YAML files that hold a map: read once, each key once."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from kasu.base.errors import KasuError
from kasu.base.files import read_text


def read_map(path: str | Path, *, as_text: bool = False) -> dict[str, Any]:
    """Read a YAML file that holds a map; PyYAML alone keeps the last of equal keys in silence.

    Args:
        as_text: whether all scalars are text, so that `NO` is no boolean.

    Raises:
        KasuError: the file is missing, not UTF-8, not YAML or no map, or a key occurs twice.
    """
    text = read_text(path)
    try:
        values = (_Texts if as_text else _Values)(text).get_single_data()
    except RecursionError as error:
        raise KasuError(path, "nested too deeply", "YAML") from error
    except (yaml.YAMLError, ValueError) as error:
        raise KasuError(path, " ".join(str(error).split()), "YAML") from error
    if not isinstance(values, dict):
        raise KasuError(path, f"found {type(values).__name__}", "a map of keys")
    return values


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


class _Texts(_EachOnce, yaml.BaseLoader):
    pass


class _Values(_EachOnce, yaml.SafeLoader):
    pass
