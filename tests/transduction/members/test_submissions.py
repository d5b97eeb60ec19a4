"""From members to a submission: its predictions, and the languages that it lacks."""

import sys
from dataclasses import replace
from types import ModuleType

import pyarrow as pa
import pytest

from kasu.files.tables import read_parquet, read_tsv, write_parquet, write_tsv
from kasu.transduction.items import Answer
from kasu.transduction.members.answers import FAILURES, MEMBERS, member_table
from kasu.transduction.members.families import Answers, CustomFamily, Families, Member, Run, alone
from kasu.transduction.members.submissions import enough, predict, submit

GOLD = {"dev": ["kasua"], "test": ["mutilak", "etxea"]}


def answers(dev, *test):
    return Answers([Answer([dev])], [Answer([form]) for form in test])


def longest(members):
    """For each item the longest form of any member."""
    return [
        max((answer.forms[0] for answer in each), key=len)
        for each in zip(*(member.test for member in members), strict=True)
    ]


@pytest.fixture(autouse=True)
def family(monkeypatch):
    """A family of three published members, whose two submissions are each member and a vote."""
    module = ModuleType("systems.toy")
    module.FAMILY = CustomFamily(
        "systems.toy",
        variants={"released": None, "paper": None},
        members={"low": 3, "medium": 1},
        submissions={"toy-01": alone, "toy-02": longest},
        trained_by=print,
    )
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def pack(folder, name, failed=(), **languages):
    """Files of a pack and block: answers by language and member, and the failures next to them."""
    tables = [
        member_table("toy", "low", language, run, GOLD, given)
        for language, members in languages.items()
        for run, given in members.items()
    ]
    write_parquet(folder / f"{name}.parquet", pa.concat_tables(tables), MEMBERS)
    rows = [dict(zip(FAILURES, row, strict=True)) for row in failed]
    write_tsv(folder / f"{name}.failures.tsv", rows, FAILURES)
    return folder / f"{name}.parquet", folder / f"{name}.failures.tsv"


def run(folder, system, *packs, setting="low"):
    members, failures = zip(*packs, strict=True)
    out = folder / "predictions.parquet", folder / "missing.tsv"
    submit(Families("systems").load("toy"), system, setting, members, failures, *out)
    return read_parquet(out[0]).to_pylist(), read_tsv(out[1])


def told(rows):
    return [(row["variant"], row["seed"], row["members"], row["prediction"]) for row in rows]


def test_members_alone_are_a_prediction_each(tmp_path):
    one = pack(tmp_path, "0-0", basque={Run("released", 1): answers("kasu", "a", "b")})
    two = pack(tmp_path, "0-1", basque={Run("released", 2): answers("kasu", "c", "d")})
    predicted, missing = run(tmp_path, "toy-01", two, one)
    assert [(row["item"], row["gold"]) for row in predicted[:2]] == [(0, "mutilak"), (1, "etxea")]
    assert {(row["system"], row["setting"]) for row in predicted} == {("toy-01", "low")}
    assert told(predicted) == [
        ("released", 1, 1, "a"),
        ("released", 1, 1, "b"),
        ("released", 2, 1, "c"),
        ("released", 2, 1, "d"),
    ]
    assert missing == []


def test_what_a_submission_lacks_are_members_that_it_is_made_from(tmp_path, family):
    family.FAMILY = replace(family.FAMILY, of_variant={"toy-01": "released"})
    failed = [
        ("toy", "low", "paper-1", "basque", "diverged"),
        ("toy", "low", "released-1 paper-1", "georgian", "no data"),
    ]
    one = pack(tmp_path, "0-0", failed, telugu={Run("released", 1): answers("kasu", "a", "b")})
    _, missing = run(tmp_path, "toy-01", one)
    assert [row["language"] for row in missing] == ["georgian"]
    _, missing = run(tmp_path, "toy-02", one)
    assert [row["language"] for row in missing] == ["basque", "georgian"]


def test_a_vote_joins_the_members_of_a_variant_from_all_blocks(tmp_path):
    paper = {Run("paper", seed): answers("kasu", "p", "p") for seed in (1, 2)}
    one = pack(tmp_path, "0-0", basque={Run("released", 1): answers("kasu", "a", "bb")})
    two = pack(tmp_path, "0-1", basque={Run("released", 2): answers("kasu", "cc", "d")} | paper)
    predicted, _ = run(tmp_path, "toy-02", one, two)
    assert told(predicted) == [
        ("released", None, 2, "cc"),
        ("released", None, 2, "bb"),
        ("paper", None, 2, "p"),
        ("paper", None, 2, "p"),
    ]


def test_one_member_is_no_vote_where_the_paper_had_several(tmp_path):
    one = pack(tmp_path, "0-0", basque={Run("released", 1): answers("kasu", "a", "b")})
    assert run(tmp_path, "toy-02", one) == ([], [])
    predicted, _ = run(tmp_path, "toy-02", one, setting="medium")
    assert told(predicted) == [("released", None, 1, "a"), ("released", None, 1, "b")]


def test_enough_members():
    assert [enough(1, 3), enough(2, 3), enough(1, 1), enough(1, None)] == [False, True, True, True]


def test_a_failed_member_is_reported_and_the_others_stand(tmp_path):
    two = {Run("released", seed): answers("kasu", "a", "b") for seed in (1, 2)}
    failed = ("toy", "low", "released-3", "basque", "loss nan")
    one = pack(tmp_path, "0-0", [failed], basque=two)
    predicted, missing = run(tmp_path, "toy-02", one)
    assert {row["members"] for row in predicted} == {2}
    assert missing == [
        {
            "system": "toy-02", "setting": "low", "members": "released-3", "language": "basque",
            "reason": "loss nan",
        }
    ]  # fmt: skip


def test_members_come_to_a_vote_by_seed(family):
    seen = []
    watched = {"toy-02": lambda members: seen.append(members) or ["x"]}
    toy = replace(family.FAMILY, submissions=watched)
    members = {Run("released", seed): Member([], [], seed / 10) for seed in (3, 1, 2)}
    predict(toy, "toy-02", "low", members)
    assert [[member.dev_accuracy for member in group] for group in seen] == [[0.1, 0.2, 0.3]]


def test_a_submission_may_be_of_one_variant(family):
    toy = replace(family.FAMILY, of_variant={"toy-01": "paper"})
    members = {Run(variant, 1): Member([], [Answer([variant])], 0.0) for variant in toy.variants}
    assert predict(toy, "toy-01", "low", members) == {Run("paper", 1): (["paper"], 1)}
