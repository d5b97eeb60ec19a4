"""The file of predictions: columns and order, and what does not fit the test set."""

import pytest

from kasu.base.errors import KasuError
from kasu.files.tables import read_parquet, write_parquet
from kasu.transduction.members.predictions import (
    PREDICTIONS,
    Predicted,
    Submitted,
    read_predictions,
    survey,
    write_predictions,
)

GOLD = ["kasua", "mutilak"]


def predicted(runs, members=1):
    return {run: Predicted(forms, members) for run, forms in runs.items()}


def write(path, runs, language="basque", system="s", members=1):
    write_predictions(path, system, "low", {language: (GOLD, predicted(runs, members))})
    return path


def test_rows_are_sorted_by_language_and_say_what_they_are(tmp_path):
    runs = {("b", 1): ["v", "w"], ("b", 2): ["x", "y"], ("a", 1): ["t", "u"]}
    one = {(None, None): ["r", "s"]}
    path = tmp_path / "p.parquet"
    languages = {"b": (GOLD, predicted(runs)), "a": (GOLD, predicted(one, 5))}
    write_predictions(path, "uzh-01", "low", languages)
    table = read_parquet(path)
    assert table.schema == PREDICTIONS
    assert table["prediction"].to_pylist() == ["r", "s", "v", "w", "x", "y", "t", "u"]
    assert table["language"].to_pylist() == ["a"] * 2 + ["b"] * 6
    assert table["variant"].to_pylist() == [None, None, "b", "b", "b", "b", "a", "a"]
    assert table["seed"].to_pylist() == [None, None, 1, 1, 2, 2, 1, 1]
    assert table["members"].to_pylist() == [5, 5, 1, 1, 1, 1, 1, 1]
    assert table["item"].to_pylist() == [0, 1] * 4
    assert table["gold"].to_pylist() == GOLD * 4
    assert set(table["system"].to_pylist()) == {"uzh-01"}
    assert set(table["setting"].to_pylist()) == {"low"}


def test_what_was_written_is_read(tmp_path):
    runs = {(None, None): ["kasua", ""], ("b", 7): [" kasua ", "mutilak"]}
    path = write(tmp_path / "p.parquet", runs, members=3)
    assert read_predictions(path, "basque", GOLD) == predicted(runs, 3)


def test_a_form_for_each_item(tmp_path):
    message = "s, low, basque, variant a, seed None: 1 forms for 2 test items"
    with pytest.raises(ValueError, match=message):
        write(tmp_path / "p.parquet", {("a", None): ["x"]})
    assert not (tmp_path / "p.parquet").exists()


ROWS = [
    ("s", "low", "basque", "a", None, 1, 0, "kasua", "x"),
    ("s", "low", "basque", "a", None, 1, 1, "mutilak", "y"),
]


def written(path, rows):
    rows = [dict(zip(PREDICTIONS.names, row, strict=True)) for row in rows]
    write_parquet(path, rows, PREDICTIONS)
    return path


def test_the_order_of_rows_does_not_matter(tmp_path):
    path = written(tmp_path / "p.parquet", ROWS[::-1])
    assert read_predictions(path, "basque", GOLD) == predicted({("a", None): ["x", "y"]})


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (ROWS[:1], "variant a, seed None: other items than the test set has; expected its 2 items"),
        ([*ROWS, (*ROWS[0][:6], 2, "kasua", "x")], "other items than the test set has"),
        ([ROWS[0], (*ROWS[1][:7], "mutila", "y")], "other items than the test set has"),
        ([ROWS[0], (*ROWS[1][:3], "b", *ROWS[1][4:])], "other items than the test set has"),
        (ROWS + ROWS[:1], "basque: item 0 twice; expected once"),
    ],
)
def test_rows_that_do_not_fit_the_test_set_are_one_line(tmp_path, rows, message):
    with pytest.raises(KasuError, match=message):
        read_predictions(written(tmp_path / "p.parquet", rows), "basque", GOLD)


def test_columns_tell_what_files_hold_whatever_their_names(tmp_path):
    one = write(tmp_path / "x.parquet", {("a", None): GOLD})
    two = write(tmp_path / "y.parquet", {("a", None): GOLD}, "georgian", "other")
    assert survey([two, one]) == [
        Submitted(two, "other", "low", frozenset({"georgian"})),
        Submitted(one, "s", "low", frozenset({"basque"})),
    ]
    empty = written(tmp_path / "e.parquet", [])
    assert survey([empty]) == []


def test_two_files_of_one_system_and_setting_are_one_line(tmp_path):
    one, two = (write(tmp_path / f"{name}.parquet", {("a", None): GOLD}) for name in "xy")
    with pytest.raises(KasuError, match=r"y\.parquet: a second file of s, low"):
        survey([one, two])
    both = [ROWS[0], ("t", *ROWS[1][1:])]
    with pytest.raises(KasuError, match=r"z\.parquet: 2 pairs of system and setting; expected 1"):
        survey([written(tmp_path / "z.parquet", both)])
