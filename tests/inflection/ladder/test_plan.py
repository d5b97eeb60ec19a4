"""What the ladder compares under a config."""

from pathlib import Path

import pytest

from kasu.base.errors import KasuError
from kasu.config.reading import read_settings
from kasu.corpora.plan import Corpora
from kasu.inflection.plan import InflectionPlan
from kasu.inflection.settings import InflectionSettings
from kasu.sources.registry import read_registry
from kasu.sources.workspace import Workspace

ROOT = Path(__file__).resolve().parents[3]
FOLDER = "results/x/inflection"
YEAR = "sigmorphon2017/task1"
PUBLISHED = "sigmorphon2017/outputs/low"
VOTE = {
    "system": "CA-D-E", "variant": "expert", "source": PUBLISHED + "/CA-D-E/{language}_0_test.tsv",
}  # fmt: skip
SINGLE = {
    "system": "CA-cls", "variant": "static", "seeds": [1, 2],
    "source": PUBLISHED + "/CA-cls/{language}_{seed}_test.tsv",
}  # fmt: skip
LADDER = {
    "family": "uzh", "setting": "low", "order": ["static", "explored"], "outputs": [VOTE, SINGLE],
    "languages": {"danish-2017": "danish", "polish-2017": "polish"},
}  # fmt: skip
UZH = {"systems": ["uzh"], "settings": ["low"], "members": 1}
GRID = [UZH | {"variants": ["static", "expert", "paper"]}]


@pytest.fixture(scope="module")
def registry():
    return read_registry(ROOT / "config" / "sources.tsv")


@pytest.fixture
def plan(registry):
    def make(ladder=LADDER, grid=GRID, names=("danish", "polish", "german"), **more):
        parts = {"low": "train-low", "dev": "dev", "test": "uncovered-test"}
        languages = [
            {
                "name": f"{name}-2017",
                "splits": {split: f"{YEAR}/{name}-{part}" for split, part in parts.items()},
            }
            for name in names
        ]
        section = {"languages": languages, "grid": grid, "packs": 1} | more
        if ladder:
            section["ladder"] = ladder
        workspace = Workspace("results/x", registry, Path("downloads"), [])
        settings = read_settings(section, InflectionSettings)
        return InflectionPlan(settings, Corpora([], [], workspace))

    return make


def test_without_outputs_nothing_is_planned(plan):
    planned = plan(ladder=None)
    assert planned.ladder is None
    assert planned.ladder_members == {}
    assert not any("ladder" in path or "agreement" in path for path in planned.files)
    assert "published outputs" not in planned.report.drops


def test_the_target_and_the_report_have_both_tables(plan):
    planned = plan()
    tables = [f"{FOLDER}/tables/{name}.tsv" for name in ("ladder", "agreement_by_item")]
    assert planned.files[-2:] == tables
    assert list(planned.report.details.values())[-2:] == tables
    assert planned.report.drops["published outputs"] == f"{FOLDER}/outputs.drops.tsv"
    assert planned.report.sources[-1].source.path == f"{PUBLISHED}/CA-cls/polish_2_test.tsv"


def test_published_files_by_system_language_and_seed(plan):
    published = plan().ladder.published
    found = [(row["system"], row["variant"], row["language"], row["seed"]) for row in published]
    assert found == [
        ("CA-D-E", "expert", "danish-2017", None),
        ("CA-D-E", "expert", "polish-2017", None),
        ("CA-cls", "static", "danish-2017", 1),
        ("CA-cls", "static", "danish-2017", 2),
        ("CA-cls", "static", "polish-2017", 1),
        ("CA-cls", "static", "polish-2017", 2),
    ]
    assert published[3]["path"] == f"downloads/{PUBLISHED}/CA-cls/danish_2_test.tsv"


def test_a_language_that_the_run_lacks_or_has_in_another_setting_is_left_out(plan):
    assert plan(ladder=LADDER | {"setting": "medium"}).ladder.published == []
    ladder = LADDER | {"languages": LADDER["languages"] | {"basque": "basque"}}
    assert plan(ladder=ladder).ladder.languages == ["danish-2017", "polish-2017"]


def test_licences_leave_the_outputs_out(registry, tmp_path):
    """A dataset of the user's own stays."""
    own = tmp_path / "own.tsv"
    own.write_text("kasu\tkasua\tN;SG\n")
    splits = dict.fromkeys(("low", "dev", "test"), str(own))
    section = {
        "languages": [{"name": "mine", "splits": splits}],
        "ladder": LADDER | {"languages": {"mine": "danish"}},
    }
    found = {}
    for licences in ((), ("CC0",)):
        workspace = Workspace("results/x", registry, Path("downloads"), [], licences)
        settings = read_settings(section, InflectionSettings)
        ladder = InflectionPlan(settings, Corpora([], [], workspace)).ladder
        found[licences] = (ladder.languages, len(ladder.published), len(ladder.sources))
    assert found == {(): (["mine"], 3, 3), ("CC0",): (["mine"], 0, 0)}


def test_members_are_those_of_jobs_that_train_a_variant_of_the_ladder(plan):
    """The single members of the family and of the baseline: one pack, blocks of members."""
    grid = [
        *GRID,
        {"systems": ["baseline"], "settings": ["low"]},
        UZH | {"members": 3, "variants": ["paper"]},
    ]
    assert plan(grid=grid).ladder_members == {
        "baseline": [f"{FOLDER}/members/baseline/low/0-0.parquet"],
        "uzh": [f"{FOLDER}/members/uzh/low/0-0.parquet"],
    }
    assert plan(grid=grid).ladder.variants == {
        "baseline": ["published"],
        "uzh": ["static", "explored", "expert"],
    }


def test_outputs_of_no_variant_stand_apart(plan):
    margin, other = ({"system": name, "source": VOTE["source"]} for name in ("CA-RM-E", "CA-X-E"))
    ladder = plan(ladder=LADDER | {"outputs": [VOTE, margin, other]}).ladder
    assert ladder.variants["uzh"] == ["static", "explored", "expert"]
    assert [row["variant"] for row in ladder.published] == ["expert", "expert", *[None] * 4]


def test_a_family_that_does_not_run_has_no_members(plan):
    assert plan(grid=[UZH | {"languages": ["german-2017"]}]).ladder_members == {
        "baseline": [],
        "uzh": [],
    }


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"family": "uhz"}, "config inflection.ladder.family: no system 'uhz'; expected .*, uzh"),
        (
            {"order": ["static", "dynamic"]},
            "config inflection.ladder: no variant 'dynamic' of uzh; expected one of released, ",
        ),
        (
            {"outputs": [VOTE | {"variant": "dynamic"}]},
            "config inflection.ladder: no variant 'dynamic' of uzh",
        ),
        (
            {"outputs": [VOTE, VOTE | {"system": "CA-R-E"}]},
            "config inflection.ladder.outputs: variants of votes: 'expert' 2 times",
        ),
        (
            {"outputs": [SINGLE, SINGLE]},
            "config inflection.ladder.outputs: 'CA-cls' 2 times; expected each name once",
        ),
        (
            {"languages": {"danisch-2017": "danish"}},
            "config inflection.ladder.languages: no language 'danisch-2017'; .*danish-2017",
        ),
        (
            {"outputs": [VOTE | {"source": "sigmorphon2017/outputs/{language}"}]},
            r"config inflection.ladder.outputs\[0\].source: sigmorphon2017/outputs/danish: no such",
        ),
    ],
)
def test_a_mistake_is_one_line_before_anything_runs(plan, change, line):
    with pytest.raises(KasuError, match=line):
        plan(ladder=LADDER | change).report


def test_a_panel_is_no_language_of_the_ladder(plan):
    """Its languages have a name each in the sources."""
    ladder = LADDER | {"languages": {"mine": "danish"}}
    line = "config inflection.ladder.languages: panel 'mine'; expected languages"
    with pytest.raises(KasuError, match=line):
        plan(ladder=ladder, panels={"mine": ["danish-2017"]}).report
