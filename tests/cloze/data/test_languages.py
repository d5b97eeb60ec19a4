"""The released languages, one's own, and where their files lie."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.base.settings import read_settings
from kasu.base.sources import read_registry
from kasu.base.workspace import Workspace
from kasu.cloze.data.languages import RELEASED, Datasets, released_languages
from kasu.cloze.settings import ClozeSettings

ROOT = Path(__file__).resolve().parents[3]
FOLDER = "results/x/cloze"
REGISTRY = read_registry(ROOT / "config" / "sources.tsv")
OWN = {"name": "own", "splits": {"low": "a.tsv", "dev": "b.tsv", "test": "c.tsv"}}


@pytest.fixture
def datasets(tmp_path, monkeypatch):
    """The datasets of a list of languages; files of one's own exist."""
    monkeypatch.chdir(tmp_path)
    for name in OWN["splits"].values():
        Path(name).touch()

    def make(*languages, mirrors=(), licences=()) -> Datasets:
        workspace = Workspace("results/x", REGISTRY, Path("downloads"), mirrors, licences)
        settings = read_settings({"languages": list(languages)}, ClozeSettings)
        return Datasets(settings, FOLDER, workspace)

    return make


def test_registry_has_seven_languages_with_twelve_files_each(datasets):
    released = released_languages(REGISTRY, Path("downloads"))
    assert list(released) == ["de", "en", "es", "fi", "fr", "ru", "sv"]
    assert {len(files) for files in released.values()} == {12}
    task = Path("downloads/sigmorphon2018/task2")
    assert released["de"]["low"].file == task / "trainsets/de-track1-low"
    assert released["de"]["low_track2"].file == task / "trainsets/de-track2-low"
    assert released["de"]["test"].file == task / "testsets/de-uncovered"
    assert released["de"]["dev_track2"].file == task / "devsets/de-track2-covered"
    assert datasets("all").released == list(released)


def test_a_language_without_one_of_its_files_is_an_error():
    lost = "sigmorphon2018/task2/devsets/sv-track1-covered"
    registry = {name: source for name, source in REGISTRY.items() if source.path != lost}
    with pytest.raises(KasuError, match=f"no {lost}; expected all files of sv"):
        released_languages(registry, Path("downloads"))


def test_available_leaves_out_what_is_not_held(datasets, tmp_path):
    for file in RELEASED.values():
        path = tmp_path / "mirror/sigmorphon2018/task2" / file.format(language="fi")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    found = datasets("available", mirrors=[tmp_path / "mirror"])
    assert list(found.languages) == ["fi"]
    assert found.drops == {
        "released language neither in a mirror nor downloaded": 6,
        "licence not allowed": 0,
    }


def test_languages_that_are_not_at_hand_are_announced(datasets):
    (line,) = datasets("available").notices
    assert line.startswith("cloze: 7 released languages are neither in a mirror nor downloaded")
    assert datasets("all").notices == []


def test_ones_own_splits(datasets):
    found = datasets("de", OWN)
    assert found.released == ["de"]
    assert found.languages["own"].settings == ["track1-low", "track2-low"]
    assert found.raw_files("own") == OWN["splits"]
    assert [source["name"] for source in found.described("own")] == ["a.tsv", "b.tsv", "c.tsv"]
    assert found.known[-1] == "own"
    assert len(found.languages["de"].settings) == 6


def test_an_unknown_language_is_one_line(datasets):
    line = "config cloze languages: no released language 'german'; expected one of de, en, es"
    with pytest.raises(KasuError, match=line):
        datasets("german").languages


def test_a_licence_that_is_not_allowed_is_a_counted_drop(datasets):
    found = datasets("de", OWN, licences=["CC0"])
    assert list(found.languages) == ["own"]
    assert found.drops["licence not allowed"] == 1


def test_files_of_datasets_and_downloads(datasets):
    found = datasets("de", OWN)
    assert found.dataset("{language}")["card"] == f"{FOLDER}/datasets/{{language}}/README.md"
    assert found.splits[:5] == [
        f"{FOLDER}/datasets/de/{split}.parquet"
        for split in ("low", "medium", "high", "dev", "test")
    ]
    task = "downloads/sigmorphon2018/task2"
    assert found.downloads()[0] == f"{task}/trainsets/{{language}}-track1-low"
    assert found.downloads(lock=True)[-1] == f"{task}/testsets/{{language}}-track2-covered.lock"
    facts = found.released_sources("de")
    assert len(facts) == len(found.downloads())
    assert facts[0]["path"] == "sigmorphon2018/task2/trainsets/de-track1-low"
