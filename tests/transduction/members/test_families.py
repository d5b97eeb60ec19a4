"""What a family offers: members and their blocks, submissions."""

import sys

import pytest

from kasu.base import errors
from kasu.base.errors import KasuError
from kasu.config.settings import Section
from kasu.transduction.items import Answer
from kasu.transduction.members.families import (
    CustomFamily,
    Families,
    Member,
    Run,
    alone,
    block_of,
    together,
    vote,
    vote_by_dev,
)
from kasu.transduction.members.networks import NetworkFamily

TOY = """
from kasu.transduction.members.families import CustomFamily

FAMILY = CustomFamily(__name__, members={}, submissions={}, trained_by=print)
"""


def family(**parts):
    """A family that cannot train."""
    empty = {"members": {}, "submissions": {}, "trained_by": print}
    return CustomFamily("systems.toy", **(empty | parts))


def test_a_file_of_the_package_is_a_family(tmp_path, monkeypatch):
    (tmp_path / "shop").mkdir()
    for name in ("__init__", "second", "first"):
        (tmp_path / f"shop/{name}.py").write_text(TOY)
    monkeypatch.syspath_prepend(tmp_path)
    families = Families("shop")
    assert families.names == ("first", "second")
    assert families.load("first").name == "first"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "no FAMILY; expected a file that ends in FAMILY = ..."),
        (
            TOY.replace("members={}, ", ""),
            "CustomFamily.__init__() missing 1 required keyword-only argument: 'members'; "
            "expected what docs/add-a-system.md lists",
        ),
        (
            TOY.replace("submissions", "submission"),
            "CustomFamily.__init__() got an unexpected keyword argument 'submission'; "
            "expected what docs/add-a-system.md lists",
        ),
        (
            "from kasu.base.errors import Missing",
            f"cannot import name 'Missing' from 'kasu.base.errors' ({errors.__file__}); "
            "expected a file that Python can import",
        ),
        (
            TOY.replace("= Custom", "= Customer"),
            "name 'CustomerFamily' is not defined; expected a file that Python can import",
        ),
        ("FAMILY =", "invalid syntax (toy.py, line 1); expected a file that Python can import"),
    ],
)
def test_a_file_that_lacks_a_part_is_one_line(tmp_path, monkeypatch, text, found):
    (tmp_path / "stall").mkdir()
    (tmp_path / "stall/__init__.py").touch()
    (tmp_path / "stall/toy.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "stall.toy", raising=False)
    monkeypatch.delitem(sys.modules, "stall", raising=False)
    with pytest.raises(KasuError) as caught:
        Families("stall").load("toy")
    assert str(caught.value) == f"stall.toy: {found}"


@pytest.mark.parametrize(
    "part", ["members={'lo': 1}", "members={}, pools={'lo': print}", "members={}, reads='lo'"]
)
def test_a_setting_that_the_study_lacks_is_one_line(tmp_path, monkeypatch, part):
    (tmp_path / "market").mkdir()
    (tmp_path / "market/__init__.py").touch()
    (tmp_path / "market/toy.py").write_text(TOY.replace("members={}", part))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "market.toy", raising=False)
    monkeypatch.delitem(sys.modules, "market", raising=False)
    with pytest.raises(KasuError, match=r"s: unknown name 'lo'; expected one of low, high"):
        Families("market", ("low", "high")).load("toy")


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        (
            {"of_variant": {"toy-1": "b"}},
            "of_variant: unknown name 'toy-1'; expected one of toy-01",
        ),
        ({"of_variant": {"toy-01": "c"}}, "of_variant: unknown name 'c'; expected one of a, b"),
        ({"files": ["words"]}, "files: unknown name 'words'; expected none"),
        (
            {"reads": "high", "pools": {"low": together}},
            "reads: 'high'; expected none where languages are pooled",
        ),
    ],
)
def test_a_part_that_names_what_another_lacks_is_one_line(parts, found):
    with pytest.raises(KasuError) as caught:
        family(submissions={"toy-01": vote}, variants={"a": 1, "b": 2}, **parts)
    assert str(caught.value) == f"systems.toy: {found}"


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ({"members": ["low"]}, "members: ['low']; expected a valid dictionary"),
        ({"members": {"low": "5"}}, "members.low: '5'; expected a valid integer"),
        ({"submissions": {"toy-01": "vote"}}, "submissions.toy-01: 'vote'; expected callable"),
        ({"files": "words"}, "files: 'words'; expected a list"),
        ({"settings": Section()}, "settings: Section(); expected a subclass of Section"),
        ({"trained_by": None}, "trained_by: None; expected callable"),
    ],
)
def test_a_part_of_another_type_is_one_line(parts, found):
    with pytest.raises(KasuError) as caught:
        family(**parts)
    assert str(caught.value) == f"systems.toy: {found}"


def test_a_network_trained_as_an_unknown_variant_is_one_line():
    line = "trained_as: unknown name 'paper'; expected one of released, longer"
    with pytest.raises(KasuError, match=line):
        NetworkFamily(
            "systems.toy",
            members={"low": 3},
            submissions={"toy-01": alone},
            settings=Section,
            variants={"released": 1, "longer": 2},
            trained_as={"longer": "paper"},
            network=print,
            recipe=print,
        )


def test_which_families_have_networks():
    families = Families("kasu.inflection.systems")
    names = ("uzh", "tuebingen_oslo_02", "baseline", "ua_01")
    has = [families.load(name).has_networks for name in names]
    assert has == [True, True, False, False]
    assert Families("kasu.cloze.systems").load("copenhagen").has_networks


def test_ties_go_to_the_member_that_is_better_on_dev():
    forms = [("a", 0.1), ("b", 0.3), ("c", 0.2)]
    members = [Member([], [Answer([form])], accuracy) for form, accuracy in forms]
    assert vote_by_dev(members) == ["b"]
    assert vote_by_dev([*members, members[0]]) == ["a"]
    assert vote_by_dev([*members, members[0]], 2) == ["b"]


def test_members_of_votes_are_submitted_alone_under_the_familys_name():
    voting = family(submissions={"toy-01": vote})
    assert voting.all_submissions == {"toy": alone, "toy-01": vote}
    both = family(submissions={"toy-01": alone, "toy-02": vote})
    assert both.all_submissions == {"toy-01": alone, "toy-02": vote}


def test_members_are_as_many_as_were_published():
    toy = family(variants={"released": {}, "paper": {}}, members={"low": 3})
    assert toy.list_members("low") == [Run("released", seed) for seed in (1, 2, 3)]
    assert toy.list_members("high") == [Run("released", 1)]
    assert toy.list_members("low", ["paper"], 1) == [Run("paper", 1)]


def test_a_family_that_draws_nothing_has_no_seeds():
    toy = family(members={"low": None})
    assert toy.list_members("low") == [Run(None, None)]
    assert toy.list_members("low", (), 15) == [Run(None, None)]
    # Nor where it was not published
    assert toy.list_members("medium", (), 3) == [Run(None, None)]


def test_further_members_are_in_further_blocks():
    blocks = {seed: block_of(Run("released", seed)) for seed in range(1, 16)}
    assert blocks == {
        1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 3, 10: 3, 11: 4, 12: 4, 13: 5, 14: 5,
        15: 5,
    }  # fmt: skip
    assert block_of(Run("published")) == 0


def test_alone_takes_the_best_form_of_one_member():
    member = Member([], [Answer(["etxea", "etxe"]), Answer(["ura"])], None)
    assert alone([member]) == ["etxea", "ura"]
    with pytest.raises(ValueError, match="too many values"):
        alone([member, member])
