"""The released languages, one's own, and where their files lie."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.cloze.data.languages import RELEASED, Datasets, released_languages
from kasu.cloze.paths import PATHS
from kasu.cloze.settings import ClozeSettings
from kasu.config.reading import read_settings
from kasu.results.paths import Paths
from kasu.sources.registry import read_registry
from kasu.sources.workspace import Workspace

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
        return Datasets(settings.languages, Paths(PATHS, "results/x", "cloze"), workspace)

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


def test_languages_that_are_not_at_hand_are_announced(datasets, tmp_path):
    (line,) = datasets("available", mirrors=[tmp_path]).notices
    assert line.startswith("cloze: 7 released languages are neither in a mirror nor downloaded")
    assert datasets("all").notices == []


def test_ones_own_splits(datasets):
    found = datasets("de", OWN)
    assert found.released == ["de"]
    assert found.languages["own"].settings == ["track1-low", "track2-low"]
    assert found.raw_files("own") == OWN["splits"]
    assert [source["name"] for source in found.described("own")] == ["a.tsv", "b.tsv", "c.tsv"]
    assert list(found.known)[-1] == "own"
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


MADE = {
    "name": "made",
    "language": "sv",
    "treebank": {"train": "a.tsv", "dev": "b.tsv", "test": "c.tsv"},
    "paradigms": ["p.tsv"],
    "conversion": "t.tsv",
    "licence": "CC BY-SA 4.0",
}


@pytest.fixture
def own_files(datasets):
    for name in ("p.tsv", "q.tsv", "t.tsv"):
        Path(name).touch()


def test_a_dataset_made_from_a_treebank(datasets, own_files):
    found = datasets("de", OWN, MADE)
    assert (found.released, found.split, found.made) == (["de"], ["de", "own"], ["made"])
    assert found.raw_files("made") == {
        **MADE["treebank"],
        "conversion": "t.tsv",
        "paradigms": ["p.tsv"],
    }
    assert found.making("made") == {
        "language": "sv", "features_second": False, "variant": "paper", "lemmata": [],
        "least": 0.05,
    }  # fmt: skip
    assert len(found.languages["made"].settings) == 6
    # The table of features is no data
    described = found.described("made")
    assert [source["name"] for source in described] == ["a.tsv", "b.tsv", "c.tsv", "p.tsv"]
    assert {source["licence"] for source in described} == {"CC BY-SA 4.0"}
    assert found.made_files("made")["page"] == f"{FOLDER}/datasets/made/sheet.html"
    assert f"{FOLDER}/datasets/made/recovered.tsv" in found.made_tables


def test_without_a_training_set_no_system_runs(datasets, own_files):
    splits = {"dev": "b.tsv", "test": "c.tsv"}
    assert datasets(MADE | {"treebank": splits}).languages["made"].settings == []


@pytest.mark.parametrize("twice", [{"paradigms": 2 * ["p.tsv"]}, {"annotations": 2 * ["q.tsv"]}])
def test_a_file_twice_is_one_line(datasets, own_files, twice):
    with pytest.raises(KasuError, match=r": made: .\.tsv: in the list already, as .*file once"):
        datasets(MADE | twice).languages


def test_annotations_and_released_files_are_inputs_too(datasets, own_files):
    found = datasets(MADE | {"annotations": ["q.tsv"], "released": "sv"})
    files = found.raw_files("made")
    task = "downloads/sigmorphon2018/task2"
    assert files["annotations"] == ["q.tsv"]
    assert files["released_high"] == f"{task}/trainsets/sv-track1-high"
    assert files["released_dev"] == f"{task}/devsets/sv-uncovered"
    assert files["released_test"] == f"{task}/testsets/sv-uncovered"
    assert found.workspace.source_at("sigmorphon2018/task2/devsets/sv-uncovered")
    # Nothing of the released files is in the dataset
    assert len(found.described("made")) == 5
    splits = {"dev": "b.tsv", "test": "c.tsv"}
    assert "released_high" not in datasets(MADE | {"treebank": splits, "released": "sv"}).raw_files(
        "made"
    )


def test_a_sheet_is_not_read_where_the_next_one_is_written(datasets, own_files):
    sheet = Path(FOLDER, "datasets/made/sheet.tsv")
    sheet.parent.mkdir(parents=True)
    sheet.touch()
    with pytest.raises(KasuError) as error:
        datasets(MADE | {"annotations": [str(sheet)]}).languages
    assert str(error.value) == (
        f"config cloze languages: made: {sheet} lies in the folder that its dataset is written to; "
        "expected a copy elsewhere"
    )


def test_an_unknown_released_language_to_look_for(datasets, own_files):
    line = "config cloze languages: made: no released language 'swedish'; expected one of de, en"
    with pytest.raises(KasuError, match=line):
        datasets(MADE | {"released": "swedish"}).languages


def test_a_licence_of_a_made_dataset_counts(datasets, own_files):
    assert datasets(MADE, licences=["CC0"]).languages == {}


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("de", "de"),
        ("sv", "sv"),
        (OWN, "und"),
        (OWN | {"language": "no"}, "no"),
        (OWN | {"language": "kat"}, "kat"),
    ],
)
def test_the_code_of_a_language(datasets, entry, code):
    (found,) = datasets(entry).languages.values()
    assert found.code == code
