"""What exists of the cloze study for a config."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.cloze.data.names import UD_SPLITS
from kasu.cloze.plan import ClozePlan
from kasu.cloze.settings import ClozeSettings
from kasu.config.reading import read_settings
from kasu.results.study import Data
from kasu.sources.registry import read_registry
from kasu.sources.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "results/x/cloze"


@pytest.fixture
def plan():
    registry = read_registry(ROOT / "config" / "sources.tsv")

    def make(*languages, **section) -> ClozePlan:
        settings = read_settings({"languages": list(languages), **section}, ClozeSettings)
        return ClozePlan(settings, Workspace("results/x", registry, Path("downloads")))

    return make


def test_the_tables_are_those_of_the_overview_and_one_by_language(plan):
    assert plan("de").printed == {
        "table_11": "Table 11",
        "by_language": "by language",
        "table_12": "Table 12",
        "table_4": "Table 4",
        "table_5": "Table 5",
    }


def test_nothing_is_resolved_before_it_is_asked_for(plan):
    planned = plan("no-such-language")
    assert planned.files[0] == f"{FOLDER}/scores.parquet"
    for ask in (lambda: planned.datasets.languages, lambda: planned.report):
        with pytest.raises(KasuError, match="config cloze languages: no released language"):
            ask()


def test_the_report_asks_for_files_that_the_study_builds(plan):
    report = plan("de", "sv").report
    assert report.paper == "sigmorphon2018"
    assert list(report.counts) == ["dataset de", "dataset sv"]
    assert len(report.sources) == 24
    assert report.data is Data.PAPER
    for caption in report.captions.values():
        assert (ROOT / caption).exists()


def test_the_first_variant_of_a_family_stands_for_its_submissions(plan):
    report = plan("de", grid=[{"systems": ["copenhagen", "uzh", "copy"]}]).report
    assert report.defaults == {
        "copenhagen": ["paper"], "copenhagen-single": ["paper"], "uzh": ["released"],
    }  # fmt: skip


def test_a_job_trains_on_the_size_of_its_setting(plan):
    planned = plan("de", "sv", packs=1)
    assert planned.job_members("copy", "track2-high", 0, 0) == {
        "de": [[None, None]],
        "sv": [[None, None]],
    }
    assert planned.job_inputs("copy", "track2-high", 0, 0)[:3] == [
        f"{FOLDER}/datasets/de/{split}.parquet" for split in ("high", "dev", "test")
    ]
    assert planned.job_files("copy", "track2-high", 0, 0) == {
        "members": f"{FOLDER}/members/copy/track2-high/0-0.parquet",
        "failures": f"{FOLDER}/members/copy/track2-high/0-0.failures.tsv",
        "seconds": "results/x/benchmarks/inflect/cloze/copy/track2-high/0-0.seconds.tsv",
    }


def test_both_tracks_of_all_sizes_are_submitted(plan):
    planned = plan("de", packs=1)
    assert set(planned.grid.submitted) == {"copy-bl", "frequent"}
    assert planned.grid.submitted["copy-bl"] == {
        f"{track}-{size}": ["de"]
        for track in ("track1", "track2")
        for size in ("low", "medium", "high")
    }
    assert len(planned.submitted["predictions"]) == 12
    assert planned.trained("copy-bl", "track1-low")["members"] == [
        f"{FOLDER}/members/copy/track1-low/0-0.parquet"
    ]
    assert planned.options("copy", "track1-low") == {}
    assert planned.published_members == {"copy-bl": {}, "frequent": {}}


def test_examples_name_the_nulls_which_stand_last(plan):
    files, settings = plan("de", packs=1).examples
    assert settings["nulls"] == ["copy-bl", "frequent"]
    assert settings["submitted"][0] == ["copy-bl", "track1-low"]
    assert len(settings["submitted"]) == len(files["predictions"]) == 12


def test_datasets_made_from_treebanks_have_a_table_and_details(plan, tmp_path):
    for name in ("a", "b", "c", "p", "t"):
        (tmp_path / name).touch()
    treebank = {split: str(tmp_path / name) for split, name in zip(UD_SPLITS, "abc", strict=True)}
    made = {
        "name": "made", "language": "sv", "treebank": treebank,
        "paradigms": [str(tmp_path / "p")], "conversion": str(tmp_path / "t"),
    }  # fmt: skip
    planned = plan("de", made)
    assert planned.printed["made"] == "made from treebanks"
    assert f"{FOLDER}/tables/made.tsv" in planned.files
    assert (ROOT / planned.report.captions["made"]).exists()
    assert planned.report.details["Words of the treebank: made"].endswith("made/conversion.tsv")
    assert planned.report.drops["dataset made"] == f"{FOLDER}/datasets/made/drops.tsv"
    assert len(planned.report.sources) == 12 + 4
    assert planned.report.data is Data.PAPER
    assert plan(made).report.data is Data.YOURS
    # It is to find the released sentences
    assert plan(made | {"released": "sv"}).report.data is Data.PAPER
