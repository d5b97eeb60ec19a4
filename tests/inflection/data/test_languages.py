"""Resolve the config's list of languages; assign languages to packs."""

import re
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.inflection.data.codes import CODES
from kasu.inflection.data.languages import (
    released_languages,
    resolve_frequencies,
    resolve_languages,
)
from kasu.inflection.data.settings import LanguageSettings, WordCountSettings
from kasu.sources.registry import read_registry
from kasu.sources.workspace import Workspace

ROOT = Path(__file__).resolve().parents[3]
DOWNLOADS = Path("resources/downloads")


@pytest.fixture(scope="module")
def workspace():
    registry = read_registry(ROOT / "config" / "sources.tsv")
    return Workspace("results/x", registry, DOWNLOADS)


def test_registry_knows_the_languages_of_the_task(workspace):
    released = released_languages(workspace.registry, DOWNLOADS)
    settings = [len([of for of in released.values() if s in of]) for s in ("low", "medium", "high")]
    assert settings == [103, 102, 86]
    assert "medium" not in released["telugu"]
    assert list(released["haida"]) == ["low", "medium", "high", "dev", "test"]
    assert not {"gothic", "low-german", "manx", "tajik"} & released.keys()


def test_all_is_the_registry_and_available_what_is_held(workspace, tmp_path):
    workspace = Workspace("x", workspace.registry, tmp_path / "downloads", [tmp_path])
    everything, missing = resolve_languages(["all"], workspace)
    assert (len(everything), missing) == (103, [])
    for split in ("train-low", "dev", "test"):
        for ending, language in (("", "telugu"), (".xz", "breton")):
            file = tmp_path / f"sigmorphon2018/task1/all/{language}-{split}{ending}"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
    held, missing = resolve_languages(["available"], workspace)
    # Breton has no medium and high training sets
    assert [language.name for language in held] == ["telugu"]
    assert held[0].settings == ["low"]
    assert len(missing) == 102


def test_the_users_own_language(workspace, tmp_path):
    file = tmp_path / "mine.tsv"
    file.write_text("a\tb\tN\n")
    entry = {"name": "mine", "paradigms": str(file), "corpus": "demo"}
    entry = read_settings(entry, LanguageSettings)
    (mine, basque), _ = resolve_languages([entry, "unimorph/eus/eus"], workspace)
    assert (mine.name, mine.origin, mine.corpus) == ("mine", "paradigms", "demo")
    assert mine.files["paradigms"].file == file
    assert (basque.name, basque.settings) == ("eus.eus", ["low", "medium", "high"])
    assert (mine.code, basque.code) == ("und", "eus")
    turkish = read_settings(
        {"name": "x", "paradigms": str(file), "language": "tr"}, LanguageSettings
    )
    assert resolve_languages([turkish], workspace)[0][0].code == "tr"


def test_a_language_that_is_split_already(workspace):
    year = "sigmorphon2017/task1/german"
    splits = {"low": f"{year}-train-low", "dev": f"{year}-dev", "test": f"{year}-uncovered-test"}
    entry = read_settings({"name": "german-2017", "splits": splits}, LanguageSettings)
    (german,), _ = resolve_languages([entry], workspace)
    assert (german.name, german.origin, german.settings) == ("german-2017", "splits", ["low"])
    assert {part: entry.file for part, entry in german.files.items()} == {
        part: DOWNLOADS / path for part, path in splits.items()
    }


@pytest.mark.parametrize(
    "origin",
    [
        {},
        {"paradigms": "p", "splits": {"low": "a", "dev": "b", "test": "c"}},
        {"splits": {"dev": "b", "test": "c"}},
        {"splits": {"low": "a", "dev": "b", "test": "c"}, "corpus": "demo"},
        {"paradigms": "p", "corpus": "demo", "frequencies": "f"},
    ],
)
def test_a_language_has_one_origin(origin):
    with pytest.raises(KasuError, match="expected"):
        read_settings({"name": "mine"} | origin, LanguageSettings)


def test_a_language_twice_is_an_error(workspace):
    with pytest.raises(KasuError, match="a second 'basque'; expected each name once"):
        resolve_languages(["basque", "all"], workspace)


def test_an_unknown_language_names_the_nearest(workspace):
    line = (
        r"config inflection languages: no language 'basqe'; expected a released language \(basque"
    )
    with pytest.raises(KasuError, match=line):
        resolve_languages(["basqe"], workspace)
    with pytest.raises(KasuError, match="config inflection languages: qqq: no such source"):
        resolve_languages(["qqq"], workspace)


BASQUE = {"language": "basque", "source": "wikipedia/freq_unilex/eu.txt"}


def test_word_counts_of_released_and_own_languages(workspace):
    mine = {"language": "mine", "source": "wikipedia/freq_unilex/eu.txt"}
    entries = [read_settings(entry, WordCountSettings) for entry in (BASQUE, mine)]
    counts = resolve_frequencies(entries, ["mine"], workspace)
    file = DOWNLOADS / "wikipedia/freq_unilex/eu.txt"
    assert {name: entry.file for name, entry in counts.items()} == {"basque": file, "mine": file}


@pytest.mark.parametrize(
    ("entries", "line"),
    [
        (
            [BASQUE | {"language": "basqe"}],
            "config inflection frequencies: no language 'basqe'; "
            "expected a released language or one of the config's (basque",
        ),
        (
            [BASQUE, BASQUE],
            "config inflection frequencies: a second 'basque'; expected each language once",
        ),
    ],
)
def test_word_counts_of_an_unknown_or_repeated_language_are_an_error(workspace, entries, line):
    entries = [read_settings(entry, WordCountSettings) for entry in entries]
    with pytest.raises(KasuError) as error:
        resolve_frequencies(entries, [], workspace)
    assert str(error.value).startswith(line)


def test_every_released_language_has_a_code(workspace):
    found, _ = resolve_languages(["all"], workspace)
    codes = {language.name: language.code for language in found}
    assert CODES.keys() == codes.keys()
    assert "und" not in codes.values()
    assert all(re.fullmatch("[a-z]{2,3}", code) for code in codes.values())
    assert len(set(codes.values())) == 103
    assert codes["old-french"] == "fro"
    assert codes["norwegian-bokmaal"] == "nb"
    assert codes["northern-sami"] == "se"
    assert codes["kurmanji"] == "kmr"


@pytest.mark.parametrize(
    ("stated", "code"), [({"language": "ban"}, "ban"), ({"language": "mis"}, "mis"), ({}, "und")]
)
@pytest.mark.parametrize("origin", ["paradigms", "splits"])
def test_the_code_of_ones_own_language(workspace, tmp_path, origin, stated, code):
    file = tmp_path / "mine.tsv"
    file.write_text("a\tb\tN\n")
    parts = dict.fromkeys(("low", "dev", "test"), str(file))
    given = {"paradigms": str(file)} if origin == "paradigms" else {"splits": parts}
    entry = read_settings({"name": "mine", **given, **stated}, LanguageSettings)
    (mine, name), _ = resolve_languages([entry, "basque"], workspace)
    assert (mine.code, name.code) == (code, "eu")


@pytest.mark.parametrize(
    ("folder", "name", "code"),
    [("tur", "tur", "tur"), ("kaz", "kaz.sm", "und"), ("my", "x", "und")],
)
def test_a_file_of_paradigms_alone_has_the_code_of_unimorph(
    workspace, tmp_path, folder, name, code
):
    (tmp_path / folder).mkdir()
    (tmp_path / folder / name).write_text("a\tb\tN\n")
    (found,), _ = resolve_languages([str(tmp_path / folder / name)], workspace)
    assert found.code == code
