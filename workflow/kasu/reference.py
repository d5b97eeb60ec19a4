"""What is made from the settings: the schema for editors, and the reference of the config."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import yaml
from pydantic.fields import FieldInfo

from kasu.config.places import expects
from kasu.config.settings import Section, sections_of
from kasu.settings import Settings

BY_RECIPE = "defaults by recipe"
HEAD = """\
# Config reference

Every key of the config, made from the code by `make docs`. A config is a YAML file. It names the
studies to run, each by its section, and states only what differs from what lies below it:

1. the defaults on this page;
2. the files after `--configfile`, in their order, for example `config/real.yaml mine.yaml`; without
   any, `config/config.yaml`, the demo;
3. `--config key=value` on the command line.

Maps are merged key by key, and lists are replaced whole. `kasu config check FILE...` checks the
keys and values of a stack of files without a run. In an editor that knows YAML schemas, this first
line of a file brings completion and checks:

```yaml
# yaml-language-server: $schema=../workflow/schemas/config.schema.json
```

A default such as `{paper: 512, short: 128}` depends on the key `recipe` next to it.

A source (a dump, a text, a treebank, a list of pairs) is written as a name from
`config/sources.tsv`, as the path of a file of your own, or as the address of a file.
"""


def schema() -> str:
    """Return the JSON schema of a config file, for editors.

    Maps of the config merge, so a file may leave out keys that the whole config must have. Entries
    of lists do not merge: their required keys stay required.
    """
    made = Settings.model_json_schema()
    _let_merge(made, made["$defs"])
    for definition in made["$defs"].values():
        for name, key in definition["properties"].items():
            if key.get("title") == name.replace("_", " ").title():
                del key["title"]  # pydantic's own, which says nothing
            if defaults := key.pop(BY_RECIPE, None):
                key["description"] += f" Default: {_by_recipe(defaults)}."
    made["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def _let_merge(definition: dict[str, Any], definitions: Mapping[str, dict[str, Any]]) -> None:
    definition.pop("required", None)
    for key in definition["properties"].values():
        for part in (key, *key.get("anyOf", ())):
            if "$ref" in part:
                _let_merge(definitions[part["$ref"].rpartition("/")[2]], definitions)


def reference() -> str:
    """Return the reference of the config, in Markdown: a table for each section."""
    top = {name: field for name, field in Settings.model_fields.items() if not sections_of(field)}
    parts = [HEAD, "## The run\n", _table(top, "")]
    for name, field in Settings.model_fields.items():
        if sections_of(field):
            parts += _describe(name, field, depth=2)
    return "\n".join(parts)


def _describe(path: str, field: FieldInfo, depth: int) -> Iterator[str]:
    """Yield heading, explanation and table of a section, then of its own sections."""
    for section in sections_of(field):
        yield f"{'#' * depth} {_heading(path, field)}\n"
        yield f"{field.description or section.__doc__}\n"
        yield _table(section.model_fields, path)
        for name, inner in section.model_fields.items():
            yield from _describe(f"{path}.{name}", inner, min(depth + 1, 4))


def _heading(path: str, field: FieldInfo) -> str:
    """Return the heading of a section: its path, and whether its keys are of list entries."""
    return f"`{path}`" if _is_section(field) else f"Entries of `{path}`"


def _table(fields: dict[str, FieldInfo], path: str) -> str:
    lines = ["| key | value | default | meaning |", "|---|---|---|---|"]
    for name, field in fields.items():
        cells = (f"`{name}`", _value(field), _default(field), _meaning(name, field, path))
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _value(field: FieldInfo) -> str:
    """Return what the key expects; for a list of given words, these words."""
    words = [str(word) for kind in _kinds(field.annotation) for word in _words(kind)]
    expected = expects(field)
    if words and not all(word in expected for word in words):
        return f"{expected}: {', '.join(words)}"
    return expected


def _words(kind: Any) -> Sequence[Any]:
    if isinstance(kind, FieldInfo) and isinstance(kind.json_schema_extra, dict):
        words = kind.json_schema_extra.get("enum")
        return words if isinstance(words, list) else ()
    return get_args(kind) if get_origin(kind) is Literal else ()


def _default(field: FieldInfo) -> str:
    extra = field.json_schema_extra
    if isinstance(extra, dict) and BY_RECIPE in extra:
        return _by_recipe(extra[BY_RECIPE])
    if field.is_required():
        return "required"
    if field.default is None:
        return "none"
    if isinstance(field.default, Section) and not any(
        inner.is_required() for inner in type(field.default).model_fields.values()
    ):
        return "as below"
    return _code(field.default)


def _by_recipe(defaults: Any) -> str:
    """Return one value if the recipes agree."""
    values = list(defaults.values())
    return _code(values[0] if values == values[:1] * len(values) else defaults)


def _code(value: Any) -> str:
    return f"`{_inline(value)}`"


def _meaning(name: str, field: FieldInfo, path: str) -> str:
    meaning = " ".join((field.description or "").split())
    if sections_of(field):
        inner = f"{path}.{name}".removeprefix(".")
        meaning += f" See [{inner}](#{_anchor(_heading(inner, field))})."
    examples = [_code(example) for example in field.examples or ()]
    return meaning + (f" Example: {', '.join(examples)}." if examples else "")


def _anchor(heading: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _inline(value: Any) -> str:
    """Return a value as YAML on one line."""
    plain = _plain(value)
    text = yaml.safe_dump(
        plain, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10_000
    )
    return text.removesuffix("\n").removesuffix("\n...")


def _plain(value: Any) -> Any:
    if isinstance(value, Section):
        return value.dump()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _is_section(field: FieldInfo) -> bool:
    """Return whether a key holds a section itself, rather than a list of them."""
    kind = field.annotation
    members = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return any(isinstance(member, type) and issubclass(member, Section) for member in members)


def _kinds(kind: Any) -> Iterator[Any]:
    yield kind
    for part in get_args(kind):
        yield from _kinds(part)
