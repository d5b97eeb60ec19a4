"""The file of members: its columns and order, and what it refuses."""

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.base.tables import write_parquet
from kasu.inflection.families import Answer, Answers, Member
from kasu.inflection.members import MEMBERS, Trained, members_table, read_members

GOLD = {"dev": ["kasua"], "test": ["mutilak", "etxea"]}
B = Answers([Answer(["kasua"])], [Answer(["mutilak", "mutila"], [-0.5, -1.5]), Answer(["x"], [0])])
A = Answers([Answer(["kasu"])], [Answer(["mutil"]), Answer(["etxe"])])


def table(answers, language="basque", gold=GOLD):
    return members_table("f", "low", language, gold, answers)


def written(folder, **answers):
    """One file of members for each name, in one language."""
    paths = [folder / f"{name}.parquet" for name in answers]
    for path, (name, given) in zip(paths, answers.items(), strict=True):
        write_parquet(path, table({name: given}), MEMBERS)
    return paths


def test_columns_say_what_a_row_is():
    rows = table({"b": B, "a": A}).to_pylist()
    assert rows[1] == {
        "family": "f", "setting": "low", "language": "basque", "split": "dev", "member": "b",
        "item": 0, "rank": 1, "gold": "kasua", "prediction": "kasua", "score": None,
        "dev_accuracy": 1.0,
    }  # fmt: skip
    columns = ("split", "member", "item", "rank", "prediction", "score", "dev_accuracy")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        ("dev", "a", 0, 1, "kasu", None, 0.0),
        ("dev", "b", 0, 1, "kasua", None, 1.0),
        ("test", "a", 0, 1, "mutil", None, 0.0),
        ("test", "a", 1, 1, "etxe", None, 0.0),
        ("test", "b", 0, 1, "mutilak", -0.5, 1.0),
        ("test", "b", 0, 2, "mutila", -1.5, 1.0),
        ("test", "b", 1, 1, "x", 0.0, 1.0),
    ]


def test_without_dev_there_is_no_accuracy():
    rows = table({"a": A._replace(dev=[])}, gold=GOLD | {"dev": []}).to_pylist()
    assert {row["dev_accuracy"] for row in rows} == {None}


@pytest.mark.parametrize(
    "test", [[Answer(["x"])], [Answer(["x"])] * 3, [Answer(["x"]), Answer([])]]
)
def test_an_item_without_an_answer_is_a_bug(test):
    with pytest.raises(ValueError, match=r"f, low, basque, member 'a': \d answers for 2 test"):
        table({"a": A._replace(test=test)})


def test_members_of_several_files_are_read_together(tmp_path):
    (found,) = read_members(written(tmp_path, b=B, a=A))
    expected = {"b": Member(*B, 1.0), "a": Member(*A, 0.0)}
    assert found.language == "basque"
    assert found.gold == ["mutilak", "etxea"]
    assert {name: _plain(member) for name, member in found.members.items()} == {
        name: _plain(member) for name, member in expected.items()
    }


def _plain(member: Member):
    answers = [[(list(a.forms), list(a.scores)) for a in each] for each in member[:2]]
    return answers, member.dev_accuracy


def test_languages_come_sorted_whatever_file_they_are_in(tmp_path):
    for name, languages in (("p", ["c", "a"]), ("q", ["b"])):
        tables = [table({"a": A}, language) for language in languages]
        write_parquet(tmp_path / f"{name}.parquet", pa.concat_tables(tables), MEMBERS)
    found = list(read_members([tmp_path / "p.parquet", tmp_path / "q.parquet"]))
    assert [trained.language for trained in found] == ["a", "b", "c"]
    assert all(isinstance(trained, Trained) for trained in found)


def test_members_tested_on_other_items_are_one_line(tmp_path):
    other = table({"c": A}, gold=GOLD | {"test": ["mutilak", "etxeak"]})
    write_parquet(tmp_path / "c.parquet", other, MEMBERS)
    paths = [*written(tmp_path, a=A), tmp_path / "c.parquet"]
    with pytest.raises(KasuError, match="members of basque differ in test items"):
        list(read_members(paths))


def test_a_missing_item_is_one_line(tmp_path):
    whole = table({"a": A})
    write_parquet(tmp_path / "a.parquet", whole.slice(0, 1), MEMBERS)
    write_parquet(
        tmp_path / "b.parquet", pa.concat_tables([whole.slice(0, 1), whole.slice(2)]), MEMBERS
    )
    with pytest.raises(KasuError, match=r"b\.parquet: basque: item 1 after item -1; expected ever"):
        list(read_members([tmp_path / "b.parquet"]))
