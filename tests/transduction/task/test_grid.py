"""The grid: members by language, jobs, submissions; what further lines and members add."""

import re
import sys
from dataclasses import replace
from types import ModuleType, SimpleNamespace

import pytest

from kasu.base.errors import KasuError
from kasu.config.settings import Section
from kasu.transduction.members.families import CustomFamily, Families, Run, alone, together
from kasu.transduction.members.joined import JoinedFamily
from kasu.transduction.task.grid import Grid, share_out
from kasu.transduction.task.settings import LineSettings

LANGUAGES = {
    "basque": ["low", "medium", "high"],
    "georgian": ["low", "medium", "high"],
    "telugu": ["low"],
}


def vote(members):
    """A submission that joins members."""
    return []


FAMILIES = {
    # (variants, published members, submissions)
    "toy": (["released", "paper"], {"low": 5, "high": 1}, {"toy-01": alone, "toy-02": vote}),
    "still": ([], {"low": None}, {"still-01": alone}),
    "other": ([], {"low": 1}, {"toy-01": alone}),
    "third": ([], {"low": 1}, {"third-01": alone}),
}
JOINED = {"join": ["toy", "still", "third"], "again": ["toy", "join"]}


class Toy(Section):
    """Settings of a family."""

    hidden: int = 100
    epochs: int | None = None


@pytest.fixture
def grid(monkeypatch):
    """Plan lines of a config over three languages; `finnish` is a released one that is absent."""
    for name, (variants, members, submissions) in FAMILIES.items():
        module = ModuleType(f"systems.{name}")
        module.FAMILY = CustomFamily(
            module.__name__,
            variants=dict.fromkeys(variants),
            members=members,
            submissions=submissions,
            settings=Toy if name == "toy" else None,
            trained_by=print,
        )
        monkeypatch.setitem(sys.modules, module.__name__, module)
    for name, joins in JOINED.items():
        module = ModuleType(f"systems.{name}")
        module.FAMILY = JoinedFamily(
            module.__name__, members={"low": 3}, joins=joins, submissions={f"{name}-01": vote}
        )
        monkeypatch.setitem(sys.modules, module.__name__, module)

    def make(*lines, languages=LANGUAGES, packs=1, **panels) -> Grid:
        datasets = SimpleNamespace(
            languages={name: SimpleNamespace(settings=s) for name, s in languages.items()},
            known=[*languages, "finnish"],
        )
        read = [LineSettings(**{"settings": None} | line) for line in lines]
        order = ("low", "medium", "high")
        systems = Families("systems")
        return Grid("study", systems, datasets, read, settings=order, packs=packs, panels=panels)

    return make


def change_toy(**parts):
    module = sys.modules["systems.toy"]
    module.FAMILY = replace(module.FAMILY, **parts)


def seeds(*numbers, variant="released"):
    return [Run(variant, number) for number in numbers]


def test_a_line_is_by_default_what_the_paper_submitted(grid):
    planned = grid({"systems": ["toy"]})
    every = seeds(1, 2, 3, 4, 5)
    assert planned.members("toy", "low") == dict.fromkeys(LANGUAGES, every)
    assert planned.members("toy", "high") == {"basque": seeds(1), "georgian": seeds(1)}
    assert planned.members("toy", "medium") == {}


def test_lines_add_up(grid):
    planned = grid(
        {"systems": ["toy"], "settings": ["low"], "members": 1},
        {"systems": ["toy"], "settings": ["low"], "members": 3, "languages": ["basque"]},
        {"systems": ["toy"], "settings": ["low"], "members": 1, "languages": ["georgian"],
         "variants": ["paper"]},
    )  # fmt: skip
    assert planned.members("toy", "low") == {
        "basque": seeds(1, 2, 3),
        "georgian": seeds(1) + seeds(1, variant="paper"),
        "telugu": seeds(1),
    }
    assert planned.families == ["toy"]


def test_a_line_takes_panels_and_languages_as_far_as_the_run_has_them(grid):
    line = {"systems": ["still"], "languages": ["p2", "telugu"]}
    planned = grid(line, p2=("georgian", "finnish"))
    assert planned.members("still", "low") == {"georgian": [Run()], "telugu": [Run()]}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"languages": ["p25"]},
         r"config study.grid\[1\].languages: no language 'p25'; expected a panel, a released "
         r"language or one of the config's \(p24\)"),
        ({"variants": ["papr"]},
         r"config study.grid\[1\].variants: no variant 'papr' of toy; expected one of "
         "released, paper"),
        ({"systems": ["still"], "variants": ["paper"]},
         r"no variant 'paper' of still; expected none"),
    ],
)  # fmt: skip
def test_a_typo_in_a_line_is_one_clear_line(grid, line, message):
    planned = grid({"systems": ["toy"]}, {"systems": ["toy"]} | line, p24=("basque",))
    with pytest.raises(KasuError, match=message):
        planned.members("toy", "low")


@pytest.mark.parametrize(
    ("panels", "message"),
    [
        ({"p2": ["bask"]}, r"config study.panels.p2: no language 'bask'; .*\(basque\)"),
        ({"telugu": ["basque"]}, "config study.panels.telugu: the name of a language; expected a "),
    ],
)
def test_a_wrong_panel_is_one_line_even_if_no_line_names_it(grid, panels, message):
    with pytest.raises(KasuError, match=message):
        grid({"systems": ["toy"]}, **panels).members("toy", "low")


def test_where_there_are_no_panels_none_is_expected(grid):
    message = "no language 'bask'; expected a released language or one of the config's"
    with pytest.raises(KasuError, match=message):
        grid({"systems": ["toy"], "languages": ["bask"]}).members("toy", "low")


def test_lines_that_train_nothing(grid):
    planned = grid(
        {"systems": ["toy", "still"]},
        {"systems": ["toy", "still"], "settings": ["medium", "high"], "languages": ["telugu"]},
        {"systems": ["still"], "languages": ["finnish"]},
    )
    assert planned.idle == ["grid[1] (toy)", "grid[1] (still)", "grid[2] (still)"]


# Jobs


def test_a_job_is_a_pack_of_languages_and_a_block_of_members(grid):
    planned = grid({"systems": ["toy"], "settings": ["low"], "members": 3})
    assert planned.jobs("toy", "low") == {
        (0, 0): dict.fromkeys(LANGUAGES, seeds(1)),
        (0, 1): dict.fromkeys(LANGUAGES, seeds(2, 3)),
    }


def test_a_job_that_the_grid_lacks_is_one_line(grid):
    planned = grid({"systems": ["toy"], "settings": ["low"], "members": 3})
    assert planned.job("toy", "low", 0, 1) == dict.fromkeys(LANGUAGES, seeds(2, 3))
    line = "config study.grid: no job 0-2 of toy at low; expected 0-0, 0-1"
    with pytest.raises(KasuError, match=line):
        planned.job("toy", "low", 0, 2)
    line = "no job 0-0 of toy at high; expected a line that trains it"
    with pytest.raises(KasuError, match=line):
        planned.job("toy", "high", 0, 0)


def test_further_members_are_further_jobs(grid):
    line = {"systems": ["toy"], "settings": ["low"]}
    before, after = (
        grid(line | {"members": members}, packs=2).jobs("toy", "low") for members in (3, 10)
    )
    assert before.items() <= after.items()
    assert {block for _, block in after} == {0, 1, 2, 3}


def test_a_pooled_family_has_all_languages_in_a_job(grid):
    change_toy(pools={"low": together})
    planned = grid({"systems": ["toy", "still"], "settings": ["low"], "members": 3}, packs=4)
    assert planned.jobs("toy", "low") == {
        (0, 0): dict.fromkeys(LANGUAGES, seeds(1)),
        (0, 1): dict.fromkeys(LANGUAGES, seeds(2, 3)),
    }
    assert len(planned.jobs("still", "low")) > 1
    assert planned.families_of(pooled=True) == ["toy"]
    assert planned.families_of(pooled=False) == ["still"]


def test_a_new_language_changes_one_pack():
    names = [f"language{i}" for i in range(40)]
    before, after = share_out(names, 4), share_out([*names, "new"], 4)
    assert sorted(name for pack in before.values() for name in pack) == sorted(names)
    changed = [pack for pack in after if before.get(pack) != after[pack]]
    assert len(changed) == 1
    assert min(map(len, before.values())) >= 5


def test_a_further_language_changes_the_jobs_of_its_own_pack_alone(grid):
    many = {f"language-{number}": ["low"] for number in range(40)}
    line = {"systems": ["toy"], "settings": ["low"], "members": 3}
    before = grid(line, languages=many, packs=12).jobs("toy", "low")
    after = grid(line, languages=many | {"own": ["low"]}, packs=12).jobs("toy", "low")
    changed = [job for job in after if before.get(job) != after[job]]
    assert {pack for pack, _ in after} == set(range(12))
    assert len({pack for pack, _ in changed}) == 1
    assert len(changed) == 2
    assert all("own" in after[job] for job in changed)


def test_a_further_family_changes_no_job(grid):
    one = grid({"systems": ["toy"]})
    two = grid({"systems": ["toy"]}, {"systems": ["still"]})
    assert one.jobs("toy", "low") == two.jobs("toy", "low")
    assert one.jobs("toy", "high") == two.jobs("toy", "high")


# Submissions


def test_submissions_of_a_family_share_its_members(grid):
    planned = grid({"systems": ["toy", "still"]})
    assert planned.submissions == {"toy-01": "toy", "toy-02": "toy", "still-01": "still"}
    assert planned.submitted == {
        "toy-01": {"low": list(LANGUAGES), "high": ["basque", "georgian"]},
        "toy-02": {"low": list(LANGUAGES), "high": ["basque", "georgian"]},
        "still-01": {"low": list(LANGUAGES)},
    }


def test_a_vote_of_one_is_submitted_only_where_the_paper_had_one(grid):
    planned = grid(
        {"systems": ["toy"], "members": 1, "variants": ["released", "paper"]},
        {"systems": ["toy"], "members": 3, "settings": ["low"], "languages": ["basque"]},
    )
    assert planned.submitted["toy-01"]["low"] == list(LANGUAGES)
    assert planned.submitted["toy-02"] == {"low": ["basque"], "high": ["basque", "georgian"]}


def test_how_many_members_the_paper_joined(grid):
    planned = grid({"systems": ["toy", "still"]})
    asked = (("toy-01", "low"), ("toy-02", "low"), ("toy-02", "medium"), ("still-01", "low"))
    assert [planned.published_members(*each) for each in asked] == [None, 5, None, None]


def test_two_families_with_one_submission_are_an_error(grid):
    planned = grid({"systems": ["toy", "other"]})
    line = "config study.grid: other: a second submission 'toy-01', as in toy; expected"
    with pytest.raises(KasuError, match=line):
        planned.submissions


def test_a_submission_of_one_variant_needs_members_of_it(grid):
    change_toy(of_variant={"toy-02": "paper"})
    line = {"systems": ["toy"], "settings": ["low"], "members": 3}
    others = line | {"variants": ["paper"], "languages": ["basque"]}
    submitted = grid(line, others).submitted
    assert submitted["toy-01"] == {"low": [*LANGUAGES]}
    assert submitted["toy-02"] == {"low": ["basque"]}


# Families that join others

TOY = {"systems": ["toy"], "settings": ["low"]}
STILL = {"systems": ["still"], "languages": ["basque", "telugu"]}
JOIN = {"systems": ["join"]}


def test_a_family_that_joins_others_trains_nothing(grid):
    without, planned = grid(TOY, STILL), grid(TOY, STILL, JOIN | {"members": 3})
    for family in ("toy", "still"):
        assert planned.jobs(family, "low") == without.jobs(family, "low")
    assert planned.jobs("join", "low") == {}
    assert planned.joins("join") == ["toy", "still", "third"]
    assert planned.joins("toy") == ["toy"]
    for system, found in without.submitted.items():
        assert planned.submitted[system] == found
    assert planned.submitted.keys() - without.submitted.keys() == {"join-01"}
    assert planned.published_members("join-01", "low") == 3


def test_text_of_a_family_is_that_of_its_submissions_and_votes(grid):
    planned = grid(TOY, STILL, JOIN)
    assert planned.texts == {}
    change_toy(reads="high")
    assert grid(TOY, STILL, JOIN).texts == dict.fromkeys(["toy-01", "toy-02", "join-01"], "high")


def test_two_families_with_a_member_make_a_vote(grid):
    assert grid(TOY, STILL, JOIN).submitted["join-01"] == {"low": ["basque", "telugu"]}
    named = JOIN | {"languages": ["telugu", "georgian"]}
    assert grid(TOY, STILL, named).submitted["join-01"] == {"low": ["telugu"]}
    assert "join-01" not in grid(TOY, JOIN).submitted
    # A vote takes the members of a family's default variant
    assert "join-01" not in grid(TOY | {"variants": ["paper"]}, STILL, JOIN).submitted


def test_what_a_vote_lacks_is_told(grid):
    joins = "it joins toy, still, third"
    assert grid(TOY, STILL, JOIN).unheard == [
        "of 3 languages join at low lacks third in 2, answers nothing in 1, where it has fewer "
        f"than 2; {joins}"
    ]
    assert grid(JOIN).unheard == [
        f"of 3 languages join at low answers nothing in 3, where it has fewer than 2; {joins}"
    ]
    third = {"systems": ["third"], "settings": ["low"], "languages": ["telugu"]}
    assert grid(TOY, STILL, third, JOIN | {"languages": ["telugu"]}).unheard == []
    assert grid(TOY, STILL).unheard == []


def test_a_family_joins_families_that_train_members(grid):
    line = "systems.again: joins 'join'; expected families that train members"
    with pytest.raises(KasuError, match=line):
        _ = grid(TOY, {"systems": ["again"]}).submitted


def test_a_line_states_options_of_its_own(grid):
    planned = grid(
        {"systems": ["toy"], "settings": ["low"], "options": {"hidden": 8, "epochs": None}},
        {"systems": ["toy", "still"]} | {"settings": ["high"]},
    )
    assert planned.options("toy", "low") == {"hidden": 8, "epochs": None}
    assert planned.options("toy", "high") == {}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [{"systems": ["toy"], "options": {"hiden": 8}}],
            "config study.grid[0].options: toy: unknown key 'hiden'; expected 'hidden'",
        ),
        (
            [{"systems": ["still"], "options": {"hidden": 8}}],
            "config study.grid[0].options: options of still; expected none, as it has no settings",
        ),
        (
            [{"systems": ["toy"], "options": {"hidden": 8}}, {"systems": ["toy"]}],
            "config study.grid[1].options: {} for toy at low; "
            "expected {'hidden': 8}, as in an earlier line",
        ),
    ],
)
def test_options_that_cannot_be(grid, lines, message):
    with pytest.raises(KasuError, match="^" + re.escape(message) + "$"):
        _ = grid(*lines).submitted


def test_of_several_pools_each_seed_is_a_job(grid):
    def by_seed(languages, setting, seed):
        assert (languages, setting) == (sorted(LANGUAGES), "low")
        apart = languages[seed - 1]
        return [[apart], [name for name in languages if name != apart]]

    change_toy(pools={"low": by_seed})
    planned = grid({"systems": ["toy"], "settings": ["low", "medium"], "members": 3}, packs=1)
    one, two, three = (seeds(number) for number in (1, 2, 3))
    assert planned.jobs("toy", "low") == {
        (0, 0): {"basque": one}, (1, 0): {"georgian": one, "telugu": one},
        (0, 1): {"georgian": two}, (1, 1): {"basque": two, "telugu": two},
        (0, 2): {"telugu": three}, (1, 2): {"basque": three, "georgian": three},
    }  # fmt: skip
    # In another setting members learn from one language at a time
    assert set(planned.jobs("toy", "medium")) == {(0, 0), (0, 1)}
    assert planned.families_of(pooled=True) == ["toy"]


def test_variants_of_a_seed_share_their_pools(grid):
    pools = {"low": lambda languages, setting, seed: [[name] for name in languages]}
    change_toy(pools=pools)
    line = {"systems": ["toy"], "settings": ["low"], "members": 1}
    planned = grid(line | {"variants": ["released", "paper"]})
    assert planned.jobs("toy", "low")[0, 0] == {"basque": seeds(1) + seeds(1, variant="paper")}
    assert set(planned.jobs("toy", "low")) == {(0, 0), (1, 0), (2, 0)}
