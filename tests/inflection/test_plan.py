"""What exists of the inflection study for a config."""

from dataclasses import replace
from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.corpora.plan import Corpora
from kasu.corpora.settings import CorpusSettings
from kasu.inflection.plan import InflectionPlan
from kasu.inflection.settings import InflectionSettings
from kasu.inflection.systems import bme
from kasu.results.study import Data
from kasu.sources.registry import read_registry
from kasu.sources.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "results/x/inflection"


@pytest.fixture(scope="module")
def registry():
    return read_registry(ROOT / "config" / "sources.tsv")


@pytest.fixture
def plan(registry, tmp_path):
    """Plan a section of the config; `{own}` stands for a paradigm file."""
    own = tmp_path / "own.tsv"
    own.write_text("kasu\tkasua\tN;SG\n")

    def make(*languages, mirrors=(), licences=(), **section) -> InflectionPlan:
        workspace = Workspace("results/x", registry, Path("downloads"), mirrors, licences)
        corpus = {"name": "demo", "language": "eu", "texts": [{"source": str(own)}]}
        corpora = Corpora([read_settings(corpus, CorpusSettings)], [], workspace)
        named = [
            entry
            if isinstance(entry, str)
            else {
                key: text.format(own=own) if isinstance(text, str) else text
                for key, text in entry.items()
            }
            for entry in languages
        ]
        settings = read_settings({"languages": named, **section}, InflectionSettings)
        return InflectionPlan(settings, corpora)

    return make


OWN = {"name": "own", "paradigms": "{own}", "corpus": "demo"}


def test_the_tables_are_those_of_the_overview(plan):
    numbers = (8, 9, 10, 13, 14, 15, 16, 17, 18, 19, 2, 3)
    assert plan(OWN).printed == {f"table_{n}": f"Table {n}" for n in numbers}


def test_nothing_is_resolved_before_it_is_asked_for(plan):
    planned = plan("no-such-language")
    assert planned.printed["table_8"] == "Table 8"
    assert planned.files[:3] == [
        f"{FOLDER}/scores.parquet",
        f"{FOLDER}/failures.tsv",
        f"{FOLDER}/figures/languages.svg",
    ]
    assert len(planned.files) == 22
    line = "config inflection languages: no-such-language: no such source"
    for ask in (
        lambda: planned.datasets.languages,
        lambda: planned.report,
        lambda: planned.datasets.notices,
    ):
        with pytest.raises(KasuError, match=line):
            ask()


def test_own_splits_are_no_released_dataset(plan):
    year = "sigmorphon2017/task1/german"
    splits = {"low": f"{year}-train-low", "dev": f"{year}-dev", "test": f"{year}-uncovered-test"}
    datasets = plan("basque", {"name": "own", "splits": splits}).datasets
    assert (datasets.released, datasets.split) == (["basque"], ["basque", "own"])
    assert datasets.sampled == []


def test_an_unknown_corpus_names_the_language_that_asked(plan):
    planned = plan(OWN | {"corpus": "other"})
    line = "config inflection languages: own: corpus 'other'; expected one of demo"
    with pytest.raises(KasuError, match=line):
        planned.datasets.languages


def test_released_and_sampled_datasets(plan):
    planned = plan("basque", "telugu", OWN)
    assert planned.datasets.released == planned.datasets.split == ["basque", "telugu"]
    assert planned.datasets.sampled == ["own"]
    assert planned.datasets.splits[-5:] == [
        f"{FOLDER}/datasets/own/{split}.parquet"
        for split in ("low", "medium", "high", "dev", "test")
    ]
    assert (
        planned.datasets.dataset("{language}")["card"]
        == f"{FOLDER}/datasets/{{language}}/README.md"
    )
    task = "downloads/sigmorphon2018/task1/all/telugu"
    assert planned.datasets.raw_files("telugu") == {
        "low": f"{task}-train-low",
        "dev": f"{task}-dev",
        "test": f"{task}-test",
    }
    assert (
        planned.datasets.raw_files("own")["sentences"] == "results/x/corpora/demo/sentences.parquet"
    )
    with pytest.raises(KasuError, match="'telegu': no such language; expected one of"):
        planned.datasets.raw_files("telegu")
    assert [source["name"] for source in planned.datasets.described("telugu")] == [
        "sigmorphon2018/task1/all/telugu-train-low",
        "sigmorphon2018/task1/all/telugu-dev",
        "sigmorphon2018/task1/all/telugu-test",
    ]


def test_released_files_land_one_language_at_a_time(plan):
    planned = plan("basque")
    assert planned.datasets.downloads("low", "dev", lock=True) == [
        "downloads/sigmorphon2018/task1/{collection}/{language}-train-low.lock",
        "downloads/sigmorphon2018/task1/{collection}/{language}-dev.lock",
    ]
    every = ("low", "medium", "high", "dev", "test")
    sizes = [
        len(planned.datasets.released_with(*splits))
        for splits in (every, ("low", "medium", "dev", "test"), ("low", "dev", "test"))
    ]
    assert sizes == [86, 16, 1]
    assert planned.datasets.released_with("low", "dev", "test") == ["telugu"]
    paths = [facts["path"] for facts in planned.datasets.released_sources("telugu")]
    assert paths == [f"sigmorphon2018/task1/all/telugu-{p}" for p in ("train-low", "dev", "test")]


def test_word_counts_come_from_a_corpus_a_list_or_the_config(plan):
    counts = "wikipedia/freq_unilex/eu.txt"
    planned = plan(
        "basque",
        "zulu",
        OWN,
        {"name": "listed", "paradigms": "{own}", "frequencies": "{own}"},
        frequencies=[{"language": "basque", "source": counts}],
    )
    assert planned.datasets.word_counts == {
        "basque": f"downloads/{counts}",
        "zulu": None,
        "own": "results/x/corpora/demo/sentences.parquet",
        "listed": planned.datasets.raw_files("listed")["frequencies"],
    }
    assert planned.datasets.drawn == ["own", "listed"]
    assert planned.report.sources[-1].file == Path(f"downloads/{counts}")


def test_licences_and_what_is_at_hand_leave_languages_out(plan, tmp_path):
    planned = plan("basque", OWN, licences=["CC0"])
    assert list(planned.datasets.languages) == ["own"]
    assert planned.datasets.drops["licence not allowed"] == 1
    assert planned.datasets.notices == []
    absent = plan("available", mirrors=[tmp_path])
    assert absent.datasets.drops["released language neither in a mirror nor downloaded"] == 103
    notice = "inflection: 103 released languages are neither in a mirror nor downloaded"
    assert absent.datasets.notices[0].startswith(notice)


LOW = {"systems": ["baseline"], "settings": ["low"]}


def test_a_job_trains_a_block_of_members_on_a_pack(plan):
    planned = plan("basque", "telugu", OWN, packs=1, grid=[LOW | {"variants": ["insertion"]}])
    assert planned.job_members("baseline", "low", 0, 0) == {
        name: [["insertion", None]] for name in ("basque", "telugu", "own")
    }
    assert planned.job_inputs("baseline", "low", 0, 0) == [
        f"{FOLDER}/datasets/{name}/{split}.parquet"
        for name in ("basque", "telugu", "own")
        for split in ("low", "dev", "test")
    ]
    assert planned.job_files("baseline", "low", 0, 0) == {
        "members": f"{FOLDER}/members/baseline/low/0-0.parquet",
        "failures": f"{FOLDER}/members/baseline/low/0-0.failures.tsv",
        "seconds": "results/x/benchmarks/inflect/inflection/baseline/low/0-0.seconds.tsv",
    }


def test_a_job_reads_the_files_that_options_of_its_family_name(plan, tmp_path):
    file = tmp_path / "configurations.tsv"
    own = {"systems": ["bme"], "settings": ["low"], "options": {"configurations": str(file)}}
    planned = plan(
        "basque", packs=1, grid=[own, LOW, {"systems": ["bme_02"], "settings": ["high"]}]
    )
    line = f"config inflection.bme.configurations: no file {file}; expected one that exists"
    with pytest.raises(KasuError, match=line):
        planned.job_inputs("bme", "low", 0, 0)
    file.touch()
    splits = planned.job_inputs("baseline", "low", 0, 0)
    assert planned.job_inputs("bme", "low", 0, 0) == [*splits, str(file)]
    recorded = "resources/authors/sigmorphon2018_bme_configurations.tsv"
    assert planned.family_files("bme_02", "high") == [recorded]


def test_options_of_a_line_stand_in_place_of_the_section(plan):
    cut = {"systems": ["uzh"], "settings": ["low"], "options": {"hidden": 8}}
    planned = plan("basque", grid=[cut, {"systems": ["uzh"], "settings": ["high"]}])
    whole = planned.options("uzh", "high")
    assert whole["hidden"] == 200
    assert planned.options("uzh", "low") == whole | {"hidden": 8}


def test_files_of_the_baseline(plan):
    planned = plan("basque", OWN, packs=1, grid=[LOW])
    assert planned.options("baseline", "low") == {}
    assert planned.trained("baseline", "low") == {
        "members": [f"{FOLDER}/members/baseline/low/0-0.parquet"],
        "failures": [f"{FOLDER}/members/baseline/low/0-0.failures.tsv"],
    }
    assert planned.submitted == {
        "predictions": [f"{FOLDER}/predictions/baseline/low.parquet"],
        "missing": [f"{FOLDER}/predictions/baseline/low.missing.tsv"],
    }
    assert planned.published_members == {"baseline": {}}


def test_examples_are_of_all_submissions_and_test_sets(plan):
    files, settings = plan("basque", packs=1, grid=[LOW]).examples
    assert files == {
        "predictions": [f"{FOLDER}/predictions/baseline/low.parquet"],
        "tests": [f"{FOLDER}/datasets/basque/test.parquet"],
    }
    assert settings == {
        "submitted": [["baseline", "low"]],
        "datasets": {"basque": f"{FOLDER}/datasets/basque"},
        "languages": {"basque": "eu"},
    }


def test_a_mistake_of_the_grid_is_found_before_anything_runs(plan):
    planned = plan("basque", grid=[LOW | {"languages": ["bask"]}])
    with pytest.raises(
        KasuError, match=r"config inflection.grid\[0\].languages: no language 'bask'"
    ):
        planned.report


def test_targets_of_fingerprints_name_languages_in_place_of_panels(plan):
    target = {"system": "ua-01", "setting": "low", "margin": None, "languages": ["p2"]}
    panels = {"p2": ["basque", "finnish"]}
    planned = plan("basque", "telugu", panels=panels, fingerprints=[target])
    assert planned.targets == [
        {
            "system": "ua-01", "setting": "low", "split": "test",
            "languages": ["basque", "finnish"],
            "excluded": [], "expected": 0.0, "margin": None, "why": "", "variant": None,
            "panel": "p2",
        }
    ]  # fmt: skip
    # Where none are named, those of the run are not spelled out: what ran is compared
    target = {"system": "ua-01", "setting": "low"}
    assert "languages" not in plan("basque", fingerprints=[target]).targets[0]


def test_a_target_without_a_variant_has_the_default_of_its_submission(plan):
    target = {"system": "racai-01", "setting": "high"}
    assert plan("basque", fingerprints=[target]).targets[0]["variant"] == "submitted"
    line = "config inflection.fingerprints: 'racai-01 submitted high' 2 times"
    with pytest.raises(KasuError, match=line):
        _ = plan("basque", fingerprints=[target, target | {"variant": "submitted"}]).targets


def test_lines_and_targets_of_which_nothing_runs_are_announced(plan):
    grid = [LOW, {"systems": ["racai"], "settings": ["high"]}]
    targets = [
        {"system": "racai-01", "setting": "high"},
        {"system": "baseline", "setting": "low", "languages": ["basque"]},
        {"system": "baseline", "setting": "low", "languages": ["basque"], "column": "ua-01"},
    ]
    assert plan("telugu", grid=grid, fingerprints=targets).notices == [
        "inflection: nothing to train for grid[1] (racai): no language of this run has such a "
        "training set",
        "inflection.fingerprints: nothing runs of racai-01 at high, baseline at low",
    ]
    assert plan("basque", grid=grid, fingerprints=targets).notices == []


def test_a_column_that_was_not_published_is_found_before_the_run(plan):
    target = {"system": "racai-01", "setting": "high", "column": "rerun racai-01"}
    grid = [{"systems": ["racai"], "settings": ["high"]}]
    assert plan("basque", grid=grid, fingerprints=[target]).notices == []
    line = "config inflection.fingerprints: racai-01, high: no column 'racai'; expected one of "
    with pytest.raises(KasuError, match=line):
        _ = plan("basque", fingerprints=[target | {"column": "racai"}]).notices


@pytest.mark.parametrize(
    ("target", "line"),
    [
        (
            {"system": "ua-1"},
            r"config inflection.fingerprints\[0\].system: no submission 'ua-1'; ex",
        ),
        ({"languages": ["bask"]}, r"config inflection.fingerprints\[0\].languages: no language 'b"),
        ({"excluded": ["bask"]}, r"config inflection.fingerprints\[0\].excluded: no language 'b"),
        (
            {"variant": "new"},
            r"config inflection.fingerprints\[0\].variant: no variant 'new' of ua",
        ),
    ],
)
def test_a_mistake_of_a_target_is_found_before_anything_runs(plan, target, line):
    target = {"system": "ua-01", "setting": "low"} | target
    with pytest.raises(KasuError, match=line):
        plan("basque", fingerprints=[target]).report


DEV = {"system": "baseline", "setting": "low", "split": "dev", "column": "dev waseda-01 baseline"}


def test_a_target_on_dev_reads_the_members(plan):
    planned = plan("basque", OWN, packs=1, grid=[LOW], fingerprints=[DEV])
    file = f"{FOLDER}/members/baseline/low/0-0.parquet"
    assert planned.dev_members == {"baseline": {"low": [file]}}
    assert planned.dev_member_files == [file]
    assert planned.notices == []
    assert planned.targets[0] == DEV | {
        "variant": "published", "excluded": [], "expected": 0.0, "why": ""
    }  # fmt: skip
    both = [DEV, {"system": "baseline", "setting": "low"}]
    assert len(plan("basque", grid=[LOW], fingerprints=both).targets) == 2
    # Nothing of it runs
    assert plan("basque", grid=[LOW], fingerprints=[DEV | {"setting": "high"}]).dev_members == {}
    assert plan("basque", grid=[LOW]).dev_member_files == []


@pytest.mark.parametrize(
    ("target", "line"),
    [
        ({"column": None}, r"fingerprints: baseline, low: no column 'dev baseline'; expected one "),
        ({"column": "baseline"}, "fingerprints: baseline, low: no column 'baseline'; expected one"),
        ({"split": "test"}, "fingerprints: baseline, low: no column 'dev waseda-01 baseline'"),
        (
            {"system": "uzh-01"},
            r"fingerprints\[0\].split: dev, which uzh-01 does not answer; expected a submission of "
            "members alone",
        ),
    ],
)
def test_a_mistake_of_a_target_on_dev_is_found_before_anything_runs(plan, target, line):
    with pytest.raises(KasuError, match=f"config inflection.{line}"):
        _ = plan("basque", fingerprints=[DEV | target]).notices


def test_two_targets_of_one_comparison_are_one_line(plan):
    target = {"system": "ua-01", "setting": "low"}
    line = "config inflection.fingerprints: 'ua-01 low' 2 times; expected each name once"
    with pytest.raises(KasuError, match=line):
        plan("basque", fingerprints=[target, target | {"margin": 0.01}]).report


def test_a_submission_knows_its_familys_default_and_its_members_alone(plan):
    planned = plan("basque", grid=[{"systems": ["baseline", "ua_01"]}])
    assert planned.origins == {
        "baseline": {"variant": "published", "alone": "baseline"},
        "ua-01": {"variant": None, "alone": "ua-01"},
    }


def test_a_submission_may_stand_for_a_variant_of_its_own(plan, monkeypatch):
    changed = replace(bme.FAMILY, of_variant={"bme-03": "by_sixteen"})
    monkeypatch.setattr(bme, "FAMILY", changed)
    planned = plan("basque", grid=[{"systems": ["bme"], "variants": ["by_sixteen"]}])
    assert planned.origins == {
        "bme-01": {"variant": "recorded", "alone": "bme-01"},
        "bme-03": {"variant": "by_sixteen", "alone": "bme-03"},
    }


def test_the_first_variant_of_a_family_stands_for_its_submissions(plan):
    grid = [{"systems": ["uzh", "ua_01"]}, {"systems": ["baseline"], "variants": ["insertion"]}]
    assert plan("basque", grid=grid).report.defaults == {
        "uzh": ["released"], "uzh-01": ["released"], "uzh-02": ["released"],
        "baseline": ["published"],
    }  # fmt: skip


def test_of_a_vote_the_members_alone_are_another_submission(plan):
    planned = plan("basque", grid=[{"systems": ["iitbhu"], "settings": ["low"]}])
    assert planned.origins["iitbhu-iiith-02"]["alone"] == "iitbhu-iiith-01"


def test_the_report_shows_sampled_datasets_and_failures(plan):
    report = plan("telugu", OWN).report
    assert report.counts == {"dataset own": f"{FOLDER}/datasets/own/counts.tsv"}
    assert list(report.drops) == ["languages", "dataset own"]
    assert report.details["Languages that failed"] == f"{FOLDER}/failures.tsv"
    assert [entry.slug for entry in report.sources][-1].startswith("own")
    assert len(report.sources) == 4


def test_data_are_the_papers_with_a_released_language(plan):
    assert plan(OWN).report.data is Data.YOURS
    assert plan("basque", OWN).report.data is Data.PAPER
