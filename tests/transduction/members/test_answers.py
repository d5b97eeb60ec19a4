"""The file of members: its columns and order, and what it refuses."""

import pyarrow as pa
import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import write_parquet
from kasu.transduction.items import Answer
from kasu.transduction.members.answers import (
    MEMBERS,
    Trained,
    member_table,
    name_of,
    read_members,
    rows_of,
    run_of,
    runs_in,
)
from kasu.transduction.members.families import Answers, Member, Run

GOLD = {"dev": ["kasua"], "test": ["mutilak", "etxea"]}
B = Answers([Answer(["kasua"])], [Answer(["mutilak", "mutila"], [-0.5, -1.5]), Answer(["x"], [0])])
FIRST = Run("v", 1)
A = Answers([Answer(["kasu"])], [Answer(["mutil"]), Answer(["etxe"])])


def table(answers, run=FIRST, language="basque", gold=GOLD):
    return member_table("f", "low", language, run, gold, answers)


def written(folder, **answers):
    """One file of members for each variant, in one language."""
    paths = [folder / f"{name}.parquet" for name in answers]
    for path, (name, given) in zip(paths, answers.items(), strict=True):
        write_parquet(path, table(given, Run(name, 1)), MEMBERS)
    return paths


@pytest.mark.parametrize("run", [FIRST, Run(None, 12), Run("no_cell"), Run()])
def test_a_name_stands_for_one_member(run):
    assert run_of(name_of(run)) == run


def test_columns_say_what_a_row_is():
    rows = table(B, Run("v", 2)).to_pylist()
    assert rows[0] == {
        "family": "f", "setting": "low", "language": "basque", "variant": "v", "seed": 2,
        "split": "dev", "item": 0, "rank": 1, "gold": "kasua", "prediction": "kasua",
        "score": None, "dev_accuracy": 1.0,
    }  # fmt: skip
    columns = ("split", "item", "rank", "prediction", "score", "dev_accuracy")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        ("dev", 0, 1, "kasua", None, 1.0),
        ("test", 0, 1, "mutilak", -0.5, 1.0),
        ("test", 0, 2, "mutila", -1.5, 1.0),
        ("test", 1, 1, "x", 0.0, 1.0),
    ]


def test_accuracy_on_dev_is_by_what_the_study_takes_for_the_same():
    gold = {"dev": ["Hund", "Katze"], "test": []}
    answers = Answers([Answer(["hund"]), Answer(["hase"])], [])
    for fold, share in ((str, 0.0), (str.lower, 0.5)):
        rows = member_table("f", "low", "german", FIRST, gold, answers, fold).to_pylist()
        assert {row["dev_accuracy"] for row in rows} == {share}
        assert [row["gold"] for row in rows] == ["Hund", "Katze"]


def test_a_member_is_named_by_what_it_has():
    assert [name_of(run) for run in (Run("paper", 3), Run(None, 3), Run("paper"), Run())] == [
        "paper-3",
        "3",
        "paper",
        "all",
    ]


def test_members_without_variant_or_seed_are_told_apart():
    runs = [Run("v", 1), Run("v"), Run(None, 1), Run(), Run("v", 2)]
    joined = pa.concat_tables([table(A, run) for run in runs])
    assert runs_in(joined) == [Run(), Run(None, 1), Run("v"), Run("v", 1), Run("v", 2)]
    assert {len(rows_of(joined, run)) for run in runs} == {3}


def test_without_dev_there_is_no_accuracy():
    rows = table(A._replace(dev=[]), gold=GOLD | {"dev": []}).to_pylist()
    assert {row["dev_accuracy"] for row in rows} == {None}


@pytest.mark.parametrize(
    "test", [[Answer(["x"])], [Answer(["x"])] * 3, [Answer(["x"]), Answer([])]]
)
def test_an_item_without_an_answer_is_a_bug(test):
    with pytest.raises(ValueError, match=r"f, low, basque, member v-1: \d answers for 2 test"):
        table(A._replace(test=test))


def test_an_empty_answer_for_dev_is_a_bug():
    with pytest.raises(ValueError, match="member v-1: 0 answers for 1 dev items"):
        table(A._replace(dev=[Answer([])]))


def test_members_of_several_files_are_read_together(tmp_path):
    (found,) = read_members(written(tmp_path, b=B, a=A))
    expected = {Run("a", 1): Member(*A, 0.0), Run("b", 1): Member(*B, 1.0)}
    assert found.language == "basque"
    assert found.gold == ["mutilak", "etxea"]
    assert list(found.members) == list(expected)
    assert {run: _plain(member) for run, member in found.members.items()} == {
        run: _plain(member) for run, member in expected.items()
    }


def _plain(member: Member):
    answers = [[(list(a.forms), list(a.scores)) for a in each] for each in member[:2]]
    return answers, member.dev_accuracy


def test_languages_come_sorted_whatever_file_they_are_in(tmp_path):
    for name, languages in (("p", ["c", "a"]), ("q", ["b"])):
        tables = [table(A, language=language) for language in languages]
        write_parquet(tmp_path / f"{name}.parquet", pa.concat_tables(tables), MEMBERS)
    found = list(read_members([tmp_path / "p.parquet", tmp_path / "q.parquet"]))
    assert [trained.language for trained in found] == ["a", "b", "c"]
    assert all(isinstance(trained, Trained) for trained in found)


def test_members_tested_on_other_items_are_one_line(tmp_path):
    other = table(A, Run("c", 1), gold=GOLD | {"test": ["mutilak", "etxeak"]})
    write_parquet(tmp_path / "c.parquet", other, MEMBERS)
    paths = [*written(tmp_path, a=A), tmp_path / "c.parquet"]
    with pytest.raises(KasuError, match="members of basque differ in test items"):
        list(read_members(paths))


def test_a_missing_item_is_one_line(tmp_path):
    whole = table(A)
    torn = pa.concat_tables([whole.slice(0, 1), whole.slice(2)])
    write_parquet(tmp_path / "b.parquet", torn, MEMBERS)
    with pytest.raises(KasuError, match=r"b\.parquet: basque: item 1 after item -1; expected ever"):
        list(read_members([tmp_path / "b.parquet"]))


def test_an_answer_is_a_list_of_forms_and_no_text():
    answers = Answers([Answer("kasua")], [Answer(["mutilak"]), Answer(["etxea"])])
    with pytest.raises(KasuError, match=r"system f: Answer\('kasua'\); expected a list of forms"):
        table(answers)
