"""The base of typed settings: types of fields, defaults, one line for the first mistake."""

from datetime import date
from typing import Annotated, Literal

import pytest
from pydantic import Field, ValidationError

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.config.settings import (
    Bounds,
    FilePath,
    FolderPath,
    LanguageCode,
    Many,
    NonEmpty,
    NotNegative,
    Pattern,
    Positive,
    Reference,
    Section,
    Share,
    Size,
    SizeOrNull,
    Slug,
    SomeDistinct,
    check_once,
    one_of,
)


class Inner(Section):
    """A section of a section."""

    size: Size = Field(default=2, description="A size.")
    ratio: Share = Field(default=0.5, description="A share.")


class Outer(Section):
    """A section."""

    name: Slug = Field(description="A name.")
    kind: Literal["a", "b"] = Field(default="a", description="A kind.")
    inner: Inner = Field(default=Inner(), title="an inner section", description="A section.")
    inners: Many[Inner] = Field(default=(), description="Sections.")
    words: SomeDistinct[str] = Field(default=("x",), title="a list of words", description="Words.")
    bounds: Bounds = Field(default=(1, 5), title="least and most", description="Bounds.")
    note: str | None = Field(default=None, description="A note.")
    limit: SizeOrNull = Field(default=None, description="A limit.")
    positive: Positive = Field(default=1, description="A number.")
    least: NotNegative = Field(default=0, description="A number.")
    text: NonEmpty = Field(default="t", description="A text.")
    code: LanguageCode = Field(default="eu", description="A language.")
    patterns: dict[str, Pattern] = Field(
        default={}, title="a map of patterns", description="Patterns."
    )
    source: Reference = Field(default="s", description="A source.")
    file: FilePath = Field(default="f", description="A file.")
    folder: FolderPath = Field(default="d", title="a folder", description="A folder.")
    either: Size | Slug = Field(default=1, title="a size or a name", description="Either.")
    system: Annotated[str, one_of(["lstm", "c++"])] = Field(default="lstm", description="A system.")


def mistake(given: dict) -> str:
    with pytest.raises(KasuError) as error:
        read_settings({"name": "x"} | given, Outer)
    return str(error.value)


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            {"name": "Ä"},
            "config name: found 'Ä'; expected a name of a-z, 0-9, _, ., - (at most 100)",
        ),
        ({"kind": "c"}, "config kind: found 'c'; expected one of a, b"),
        ({"inner": {"siz": 1}}, "config inner: unknown key 'siz'; expected 'size'"),
        ({"inner": 1}, "config inner: found 1; expected an inner section"),
        (
            {"inner": {"size": "1"}},
            "config inner.size: found '1'; expected a whole number of 1 or more",
        ),
        ({"inner": {"size": 1.0}}, "config inner.size: found 1.0; expected a whole number of 1"),
        ({"inner": {"size": True}}, "config inner.size: found True; expected a whole number of 1"),
        ({"inner": {"ratio": True}}, "config inner.ratio: found True; expected a share from 0"),
        ({"inner": {"ratio": float("nan")}}, "config inner.ratio: found nan; expected a share"),
        ({"inners": [{}, {"size": 0}]}, "config inners[1].size: found 0; expected a whole number"),
        ({"words": []}, "config words: found []; expected a list of words"),
        ({"words": ["x", "x"]}, "config words: found ['x', 'x']; expected a list of words"),
        ({"words": "x"}, "config words: found 'x'; expected a list of words"),
        ({"words": [1]}, "config words[0]: found 1; expected text, in quotes"),
        ({"bounds": [2]}, "config bounds: found [2]; expected least and most"),
        ({"bounds": [2, 1]}, "config bounds: found [2, 1]; expected least and most"),
        ({"bounds": [2, 0]}, "config bounds[1]: found 0; expected a whole number of 1 or more"),
        ({"note": 3}, "config note: found 3; expected text, in quotes"),
        ({"limit": 0}, "config limit: found 0; expected a whole number of 1 or more, or null"),
        ({"positive": 0}, "config positive: found 0; expected a number above 0"),
        ({"least": -1}, "config least: found -1; expected a number of 0 or more"),
        ({"text": ""}, "config text: found ''; expected text"),
        ({"code": "basque"}, "config code: found 'basque'; expected an ISO 639 code"),
        # As YAML reads `no`, the code of Norwegian
        ({"code": False}, "config code: found False; expected an ISO 639 code, in quotes"),
        ({"patterns": {"a": "("}}, "config patterns.a: found '('; expected a regular expression"),
        (
            {"patterns": {1: "a"}},
            "config patterns: found {1: 'a'}; expected a map of patterns, its keys in quotes",
        ),
        ({"folder": date(2024, 1, 2)}, "config folder: found 2024-01-02; expected a folder, in qu"),
        ({True: 1}, "config: unknown key True; expected one of name, kind, "),
        ({"either": {"a": 1}}, "config either: found {'a': 1}; expected a size or a name"),
        ({"system": "gru"}, "config system: found 'gru'; expected one of lstm, c++"),
        ({"file": ""}, "config file: found ''; expected a path"),
        ({"folder": "http://a.b/c"}, "config folder: found 'http://a.b/c'; expected a folder"),
        # The first by place, and an unknown key before a missing one
        ({"text": "", "kind": "c"}, "config kind: found 'c'"),
    ],
)
def test_mistake_is_one_line(given, line):
    assert mistake(given).startswith(line)


def test_unknown_key_stands_before_a_missing_one():
    with pytest.raises(KasuError, match="config: unknown key 'nam'; expected 'name'"):
        read_settings({"nam": "x"}, Outer)


def test_missing_key_says_what_it_should_be():
    with pytest.raises(KasuError, match="config: no key 'name'; expected a name of a-z"):
        read_settings({}, Outer)


def test_numbers_stay_as_they_are_written():
    given = {"name": "x", "positive": 60, "least": 0.5, "inner": {"ratio": 1}}
    dumped = read_settings(given, Outer).dump()
    assert repr([dumped["positive"], dumped["least"], dumped["inner"]["ratio"]]) == "[60, 0.5, 1]"


def test_dump_fills_defaults_in_the_order_of_the_fields():
    dumped = read_settings({"words": ["y"], "name": "x"}, Outer).dump()
    assert list(dumped)[:4] == ["name", "kind", "inner", "inners"]
    assert dumped["inner"] == {"size": 2, "ratio": 0.5}
    assert dumped["words"] == ["y"]
    assert dumped["bounds"] == [1, 5]


def test_dump_leaves_out_what_is_not_stated_and_has_no_default():
    assert {"note", "limit"}.isdisjoint(read_settings({"name": "x"}, Outer).dump())
    given = {"name": "x", "note": None, "limit": None}
    dumped = read_settings(given, Outer).dump()
    assert "note" not in dumped
    assert dumped["limit"] is None


def test_settings_do_not_change():
    with pytest.raises(ValidationError):
        read_settings({"name": "x"}, Outer).name = "y"


def test_a_name_twice_is_one_line():
    with pytest.raises(KasuError, match=r"^config models: 'a' 2 times; expected each name once$"):
        check_once(["a", "b", "a"], "models")


@pytest.mark.parametrize(
    ("written", "read"),
    [("1e-3", 0.001), ("2E+1", 20.0), (".5e-2", 0.005), ("1.e2", 100.0), ("1.5e-1", 0.15)],
)
def test_an_exponent_is_a_number(written, read):
    """YAML 1.1 takes it for a text."""
    assert read_settings({"name": "x", "positive": written}, Outer).positive == read


@pytest.mark.parametrize("written", ["e3", "1e", "-1e-3", "0e0", "1e400", "1e3 ", "0.5", "nan"])
def test_other_texts_are_no_numbers(written):
    assert mistake({"positive": written}) == (
        f"config positive: found {written!r}; expected a number above 0"
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("finnish", "finnish"),
        ("./finnish", "./finnish"),
        ("finnish/", "./finnish"),
        ("a/../finnish", "./finnish"),
        ("unimorph/eus/eus", "unimorph/eus/eus"),
        ("./unimorph/eus/eus", "./unimorph/eus/eus"),
        ("unimorph//eus/eus", "./unimorph/eus/eus"),
        ("~/finnish", "/home/me/finnish"),
        ("/data//finnish", "/data/finnish"),
        ("https://a.example//b", "https://a.example//b"),
    ],
)
def test_a_path_does_not_become_a_name(tmp_path, monkeypatch, written, read):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/me")
    assert read_settings({"name": "x", "source": written}, Outer).source == read


@pytest.mark.parametrize("written", ["./x/y.tsv", "x//y.tsv", "x/y.tsv"])
def test_a_file_has_one_spelling(tmp_path, monkeypatch, written):
    monkeypatch.chdir(tmp_path)
    assert read_settings({"name": "x", "file": written}, Outer).file == "x/y.tsv"


def test_an_exponent_is_no_whole_number():
    expected = "config inner.size: found '1e3'; expected a whole number of 1 or more"
    assert mistake({"inner": {"size": "1e3"}}) == expected
