"""From members to a submission: its predictions, and the languages that it lacks."""

import sys
from types import ModuleType

import pyarrow as pa
import pytest

from kasu.base.tables import read_parquet, read_tsv, write_parquet, write_tsv
from kasu.inflection.families import Answer, Answers
from kasu.inflection.members import FAILURES, MEMBERS, members_table
from kasu.inflection.submissions import submit

GOLD = {"dev": ["kasua"], "test": ["mutilak", "etxea"]}


def answers(dev, *test):
    return Answers([Answer([dev])], [Answer([form]) for form in test])


@pytest.fixture(autouse=True)
def family(monkeypatch):
    """A family with a submission that takes the member with the best accuracy on dev."""
    module = ModuleType("kasu.inflection.systems.toy")

    def best(members):
        name = max(sorted(members), key=lambda name: members[name].dev_accuracy)
        return {(None, None): [answer.forms[0] for answer in members[name].test]}

    module.SUBMISSIONS = {"toy-01": best}
    monkeypatch.setitem(sys.modules, module.__name__, module)


def pack(folder, name, failed=(), **languages):
    """Files of a pack and block: members by language, and the failures next to them."""
    tables = [members_table("toy", "low", each, GOLD, languages[each]) for each in languages]
    write_parquet(folder / f"{name}.parquet", pa.concat_tables(tables), MEMBERS)
    rows = [dict(zip(FAILURES, row, strict=True)) for row in failed]
    write_tsv(folder / f"{name}.failures.tsv", rows, FAILURES)
    return folder / f"{name}.parquet", folder / f"{name}.failures.tsv"


def run(folder, *packs):
    members, failures = zip(*packs, strict=True)
    out = folder / "predictions.parquet", folder / "missing.tsv"
    submit("toy", "toy-01", "low", members, failures, *out)
    return read_parquet(out[0]).to_pylist(), read_tsv(out[1])


def test_a_submission_is_a_function_of_all_members_of_a_language(tmp_path):
    one = pack(tmp_path, "0-0", basque={"1": answers("kasu", "a", "b")})
    two = pack(tmp_path, "0-1", basque={"2": answers("kasua", "c", "d")})
    predicted, missing = run(tmp_path, one, two)
    assert [(row["item"], row["gold"], row["prediction"]) for row in predicted] == [
        (0, "mutilak", "c"),
        (1, "etxea", "d"),
    ]
    assert {(row["system"], row["setting"]) for row in predicted} == {("toy-01", "low")}
    assert missing == []


def test_a_language_of_which_a_block_failed_is_left_out(tmp_path):
    mine = {"1": answers("kasu", "a", "b")}
    one = pack(tmp_path, "0-0", basque=mine, georgian=mine)
    failed = ("toy", "low", "2 3", "basque", "no rule")
    two = pack(tmp_path, "0-1", [failed], georgian={"2": answers("kasu", "c", "d")})
    predicted, missing = run(tmp_path, one, two)
    assert {row["language"] for row in predicted} == {"georgian"}
    assert missing == [
        {
            "system": "toy-01", "setting": "low", "members": "2 3", "language": "basque",
            "reason": "no rule",
        }
    ]  # fmt: skip
