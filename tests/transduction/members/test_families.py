"""What a family offers: members and their blocks, submissions."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from kasu.transduction.items import Answer
from kasu.transduction.members.families import (
    Families,
    Member,
    Run,
    alone,
    block_of,
    list_members,
    vote,
)


def test_a_file_of_the_package_is_a_family(tmp_path, monkeypatch):
    (tmp_path / "shop").mkdir()
    for name in ("__init__", "second", "first"):
        (tmp_path / f"shop/{name}.py").write_text(f"NAME = {name!r}\n")
    monkeypatch.syspath_prepend(tmp_path)
    families = Families("shop")
    assert families.names == ("first", "second")
    assert families.load("first").NAME == "first"


def test_which_families_have_networks():
    families = Families("kasu.inflection.systems")
    assert [families.has_networks(name) for name in ("uzh", "tuebingen_oslo_02")] == [True, True]
    assert [families.has_networks(name) for name in ("baseline", "ua_01")] == [False, False]


def test_members_of_votes_are_submitted_alone_under_the_familys_name(monkeypatch):
    module = ModuleType("systems.toy")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    module.SUBMISSIONS = {"toy-01": vote}
    assert Families("systems").submissions("toy") == {"toy": alone, "toy-01": vote}
    module.SUBMISSIONS = {"toy-01": alone, "toy-02": vote}
    assert Families("systems").submissions("toy") == {"toy-01": alone, "toy-02": vote}


def test_members_are_as_many_as_were_published():
    family = SimpleNamespace(VARIANTS={"released": {}, "paper": {}}, MEMBERS={"low": 3})
    assert list_members(family, "low") == [Run("released", seed) for seed in (1, 2, 3)]
    assert list_members(family, "high") == [Run("released", 1)]
    assert list_members(family, "low", ["paper"], 1) == [Run("paper", 1)]


def test_a_family_that_draws_nothing_has_no_seeds():
    family = SimpleNamespace(VARIANTS={}, MEMBERS={"low": None})
    assert list_members(family, "low") == [Run(None, None)]
    assert list_members(family, "low", (), 15) == [Run(None, None)]
    # Nor where it was not published
    assert list_members(family, "medium", (), 3) == [Run(None, None)]


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
