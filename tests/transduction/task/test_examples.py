"""Items drawn by one submission's answers, and what all of them answered."""

import pytest

from kasu.files.tables import write_parquet
from kasu.results.examples import Answer
from kasu.transduction.members.predictions import PREDICTIONS
from kasu.transduction.task.examples import draw_answers


@pytest.fixture
def submitted(tmp_path):
    """Write a submission: (language, variant, seed, pairs of right form and prediction)."""

    def write(system, setting, *runs):
        rows = [
            {"system": system, "setting": setting, "language": language, "members": 1}
            | {"variant": variant, "seed": seed, "item": item, "gold": gold, "prediction": given}
            for language, variant, seed, pairs in runs
            for item, (gold, given) in enumerate(pairs)
        ]
        write_parquet(tmp_path / f"{system}-{setting}.parquet", rows, PREDICTIONS)
        return {(system, setting): str(tmp_path / f"{system}-{setting}.parquet")}

    return write


def equal(language, gold, given):
    return gold == given


def test_the_first_variant_and_seed_of_each_language_answers(submitted):
    files = submitted(
        "uzh",
        "low",
        ("basque", "main", 1, [("a", "a"), ("b", "x")]),
        ("basque", "main", 2, [("a", "y"), ("b", "b")]),
        ("basque", "other", 1, [("a", "z"), ("b", "b")]),
        ("zulu", "other", 3, [("c", "c")]),
    )
    drawn, main, answers = draw_answers(files, equal, (), 1)
    assert main == "uzh"
    assert drawn.totals == {"right": 2, "wrong": 1}
    assert answers == {
        ("low", "basque", 0): [Answer("uzh", "a", "right")],
        ("low", "basque", 1): [Answer("uzh", "x", "wrong")],
        ("low", "zulu", 0): [Answer("uzh", "c", "right")],
    }
    assert {each.group for each in drawn.items} == {"basque, low", "zulu, low"}


def test_all_submissions_answer_to_the_items_of_the_first(submitted):
    files = submitted("b", "low", ("basque", None, 1, [("a", "a"), ("b", "b")]))
    files |= submitted("b", "high", ("basque", None, 1, [("a", "a"), ("b", "b")]))
    files |= submitted("a", "low", ("basque", None, 1, [("a", ""), ("b", "b")]))
    files |= submitted("a", "medium", ("basque", None, 1, [("a", "m"), ("b", "m")]))
    _, main, answers = draw_answers(files, equal, (), 1)
    assert main == "b"
    # In each item's own setting
    assert answers["low", "basque", 0] == [Answer("b", "a", "right"), Answer("a", "", "wrong")]
    assert answers["high", "basque", 0] == [Answer("b", "a", "right")]
    assert len(answers) == 4


def test_an_item_s_number_is_one_of_its_language(submitted):
    """The filter of a file admits items of other drawn languages with the same numbers."""
    right = [(str(number), str(number)) for number in range(40)]
    files = submitted("a", "low", *((name, None, 1, right) for name in ("x", "y", "z")))
    drawn, _, answers = draw_answers(files, equal, (), 1)
    assert [each.key for each in drawn.items] == list(answers)
    assert all(len(found) == 1 for found in answers.values())
    assert all(found[0].text == str(item) for (_, _, item), found in answers.items())


def test_a_null_draws_only_where_no_other_answered(submitted):
    files = submitted("copy", "low", ("basque", None, None, [("a", "a")]))
    assert draw_answers(files, equal, ("copy",), 1)[1] == "copy"
    files |= submitted("empty", "low") | submitted("b", "low", ("basque", None, 1, [("a", "a")]))
    drawn, main, answers = draw_answers(files, equal, ("copy",), 1)
    assert main == "b"
    assert [each.system for each in answers["low", "basque", 0]] == ["b", "copy"]
    assert len(drawn.items) == 1


def test_a_submission_that_is_never_right_draws_only_where_none_is(submitted):
    files = submitted("never", "low", ("basque", None, 1, [("a", "x"), ("b", "x")]))
    assert draw_answers(files, equal, (), 1)[1] == "never"
    files |= submitted("nor this", "low", ("basque", None, 1, [("a", "x")]))
    assert draw_answers(files, equal, (), 1)[1] == "never"
    files |= submitted("once", "low", ("basque", None, 1, [("a", "a"), ("b", "x")]))
    files |= submitted("twice", "low", ("basque", None, 1, [("a", "a"), ("b", "b")]))
    drawn, main, _ = draw_answers(files, equal, (), 1)
    assert (main, drawn.totals) == ("once", {"right": 1, "wrong": 1})


def test_without_predictions_nothing_is_drawn(submitted):
    for files in ({}, submitted("a", "low")):
        drawn, main, answers = draw_answers(files, equal, (), 1)
        assert (drawn.items, drawn.totals, answers) == ([], {}, {})
        assert main == ("a" if files else "")
