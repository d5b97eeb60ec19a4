"""Warnings of both tasks: copies, nulls, loops, one form for everything."""

import pytest

from kasu.files.tables import write_parquet
from kasu.results.warnings.table import ResultWarning
from kasu.transduction.members.predictions import PREDICTIONS
from kasu.transduction.task.warnings import warn_of_answers

LEMMATA = [f"lemma{number}" for number in range(40)]
GOLD = [f"{lemma}s" for lemma in LEMMATA]


@pytest.fixture
def warn(tmp_path):
    """Find the warnings of submissions: their forms by (system, setting, variant, seed)."""

    def run(answers, gold=GOLD, nulls=()):
        files = {}
        for (system, setting, variant, seed), forms in answers.items():
            rows = [
                {"system": system, "setting": setting, "language": "welsh", "members": 1}
                | {"variant": variant, "seed": seed, "item": item, "gold": right}
                | {"prediction": given}
                for item, (right, given) in enumerate(zip(gold, forms, strict=True))
            ]
            files[system, setting] = str(tmp_path / f"{system}-{setting}.parquet")
            write_parquet(files[system, setting], rows, PREDICTIONS)
        return list(warn_of_answers(files, {"welsh": LEMMATA}, nulls))

    return run


def test_a_system_that_copies_the_lemma(warn):
    assert warn({("uzh", "low", "released", 1): LEMMATA, ("ua-02", "low", None, None): GOLD}) == [
        ResultWarning(
            "uzh",
            "answers as copying the lemma does in 99% of the items or more",
            "low, welsh, 40 items, released, seed 1",
        )
    ]


def test_one_line_where_two_nulls_answer_alike(warn):
    found = warn(
        {("nets", "low", None, 1): LEMMATA, ("frequent", "low", None, None): LEMMATA},
        nulls=["frequent"],
    )
    assert [(each.system, each.warning) for each in found] == [
        ("nets", "answers as copying the lemma does in 99% of the items or more")
    ]


def test_a_null_of_another_setting_is_not_compared(warn):
    other = [f"{lemma}x" for lemma in LEMMATA]
    answers = {("nets", "low", None, 1): other, ("frequent", "low", None, None): other}
    (found,) = warn(answers, nulls=["frequent"])
    assert found.warning == "answers as frequent does in 99% of the items or more"
    answers = {("nets", "low", None, 1): other, ("frequent", "high", None, None): other}
    assert warn(answers, nulls=["frequent"]) == []


def test_endless_repetition_has_an_example(warn):
    loops = ["lffffffffffffffffffffffffffff"] * 3 + GOLD[3:]
    assert warn({("uzh", "low", None, 2): loops}) == [
        ResultWarning(
            "uzh",
            "repeats itself without end",
            "low, welsh, 40 items, seed 2, 3 of 40 items: lfffffffffffffffffff…",
        )
    ]


@pytest.mark.parametrize(
    ("answer", "right", "shown"),
    [("b ", "b", "'b '"), ("b", "\u00a0b", "'b'"), ("e\u0301s", "\u00e9s", "'e\u0301s'")],
)
def test_right_forms_that_are_spelt_otherwise_have_an_example(warn, answer, right, shown):
    gold = [right] * 2 + GOLD[2:]
    system = ("uzh", "low", None, None)
    assert warn({system: [answer, answer, *gold[2:]]}, gold) == [
        ResultWarning(
            "uzh",
            "is right in many items but for blanks around the form or composed letters (NFC, NFD)",
            f"low, welsh, 40 items, 2 of 40 items: {shown}",
        )
    ]
    # Once is an accident, and another form is wrong
    assert warn({system: [answer, *gold[1:]]}, gold) == []
    assert warn({system: [f"{answer}x", f"{answer}x", *gold[2:]]}, gold) == []


def test_one_form_for_everything(warn):
    (found,) = warn({("uzh", "low", None, 1): ["a"] * 40})
    assert found.warning == "gives the same answer, 'a', to every item"


def test_a_test_set_whose_forms_are_lemmata(warn):
    (found,) = warn({("uzh", "low", None, 1): GOLD, ("ua-02", "high", None, 1): GOLD}, gold=LEMMATA)
    assert found == ResultWarning(
        "test set",
        "the right form of nearly every item is its lemma: copying is right",
        "welsh, 40 items",
    )
