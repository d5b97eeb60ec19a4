"""The schema for editors and the reference of the config are those of the settings."""

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from kasu.reference import reference, schema

ROOT = Path(__file__).resolve().parents[1]
CONFIGS = sorted((ROOT / "config").glob("*.yaml"))


@pytest.fixture(scope="module")
def made() -> dict:
    return json.loads(schema())


def test_committed_schema_is_up_to_date():
    committed = (ROOT / "workflow" / "schemas" / "config.schema.json").read_text(encoding="utf-8")
    assert committed == schema(), "run: make docs"


def test_committed_reference_is_up_to_date():
    committed = (ROOT / "docs" / "config.md").read_text(encoding="utf-8")
    assert committed == reference(), "run: make docs"


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_each_shipped_file_alone_satisfies_the_schema(made, path):
    validator = Draft202012Validator(made)
    assert [
        error.message for error in validator.iter_errors(yaml.safe_load(path.read_text()))
    ] == []


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_each_shipped_file_names_its_schema(path):
    line = path.read_text().splitlines()[0]
    schema = line.removeprefix("# yaml-language-server: $schema=")
    assert (path.parent / schema).resolve() == ROOT / "workflow" / "schemas" / "config.schema.json"


@pytest.mark.parametrize(
    "config",
    [
        {"devise": "cpu"},
        {"agreement": {"training": {"hidden": 0}}},
        {"corpora": [{"name": "x"}]},
        {"inflection": {"grid": [{"systems": ["nn"]}]}},
    ],
)
def test_schema_finds_mistakes(made, config):
    assert not Draft202012Validator(made).is_valid(config)


@pytest.mark.parametrize(
    "line",
    [
        "| `device` | one of auto, cpu, cuda | `auto` | Where networks run; `auto` takes a GPU if "
        "there is one. |",
        "### `agreement.training`",
        "### Entries of `corpora.texts`",
        "| `hidden` | a multiple of 64 | required | Width of the network. Example: `256`. |",
        "| `length` | a whole number of 1 or more | `{paper: 512, short: 128}` | Tokens per row of "
        "text. |",
    ],
)
def test_reference_has_a_line_for_each_key(line):
    assert line in reference().splitlines()


def test_links_of_the_reference_lead_to_its_headings():
    text = reference()
    anchors = {
        "".join(
            each for each in line.lstrip("# ").lower() if each.isalnum() or each in "_- "
        ).replace(" ", "-")
        for line in text.splitlines()
        if line.startswith("#")
    }
    links = {part.split(")")[0] for part in text.split("](#")[1:]}
    assert links <= anchors
    assert "entries-of-minimal_setscollectionssets" in links
