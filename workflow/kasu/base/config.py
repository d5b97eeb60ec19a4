"""The config checked against its schema, with one line for the first mistake."""

import difflib
from collections.abc import Mapping
from pathlib import Path

import jsonschema
import yaml

from kasu.base.errors import KasuError


def check_config(config: Mapping, schema: str | Path) -> None:
    """Check a config against a JSON schema in YAML.

    Raises:
        KasuError: the first mistake: an unknown key (names the nearest valid one), a missing key,
            or a value of another kind than expected.
    """
    with open(schema, encoding="utf-8") as file:
        kind = jsonschema.Draft202012Validator
        validator = kind(yaml.safe_load(file), format_checker=kind.FORMAT_CHECKER)
    errors = sorted(validator.iter_errors(config), key=lambda error: error.json_path)
    if errors:
        raise _describe(errors[0])


def _describe(error: jsonschema.ValidationError) -> KasuError:
    where = "config" + error.json_path[1:].replace(".", " ", 1)
    if error.validator == "additionalProperties":
        valid = list(error.schema["properties"])
        key = next(key for key in error.instance if key not in valid)
        nearest = difflib.get_close_matches(str(key), valid, n=1, cutoff=0.5)
        expected = f"{nearest[0]!r}" if nearest else "one of " + ", ".join(valid)
        return KasuError(where, f"unknown key {key!r}", expected)
    if error.validator == "required":
        key = next(key for key in error.validator_value if key not in error.instance)
        return KasuError(where, f"no key {key!r}", error.schema.get("description", "it"))
    return KasuError(where, f"found {error.instance!r}", _expected(error))


def _expected(error: jsonschema.ValidationError) -> str:
    if error.validator == "enum":
        return "one of " + ", ".join(map(str, error.validator_value))
    if "description" in error.schema:
        return error.schema["description"]
    return f"{error.validator} {error.validator_value}"
