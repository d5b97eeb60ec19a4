"""What a family offers: every file of the folder is a family; members and their blocks."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import get_args

import pytest

import kasu.inflection.systems
from kasu.inflection.members.answers import Member
from kasu.inflection.members.families import (
    MemberCount,
    Run,
    alone,
    block_of,
    list_members,
    list_submissions,
    load_family,
    vote,
)
from kasu.transduction.items import Answer

FAMILIES = [path.stem for path in Path(kasu.inflection.systems.__path__[0]).glob("[a-z]*.py")]


@pytest.mark.parametrize("name", FAMILIES)
def test_every_file_of_the_folder_is_a_family(name):
    family = load_family(name)
    assert family.SUBMISSIONS
    assert set(family.MEMBERS) <= {"low", "medium", "high"}
    assert {count for count in family.MEMBERS.values() if count} <= set(get_args(MemberCount))
    assert family.train


def test_plans_import_families_without_torch():
    script = "import sys, kasu.settings; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_members_of_votes_are_submitted_alone_under_the_familys_name(monkeypatch):
    module = ModuleType("kasu.inflection.systems.toy")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    module.SUBMISSIONS = {"toy-01": vote}
    assert list_submissions("toy") == {"toy": alone, "toy-01": vote}
    module.SUBMISSIONS = {"toy-01": alone, "toy-02": vote}
    assert list_submissions("toy") == {"toy-01": alone, "toy-02": vote}


def test_members_are_as_many_as_were_published():
    family = SimpleNamespace(VARIANTS={"released": {}, "paper": {}}, MEMBERS={"low": 3})
    assert list_members(family, "low") == [Run("released", seed) for seed in (1, 2, 3)]
    assert list_members(family, "high") == [Run("released", 1)]
    assert list_members(family, "low", ["paper"], 1) == [Run("paper", 1)]


def test_a_family_that_draws_nothing_has_no_seeds():
    family = SimpleNamespace(VARIANTS={}, MEMBERS={"low": None})
    assert list_members(family, "low") == [Run(None, None)]
    assert list_members(family, "low", (), 15) == [Run(None, None)]


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
