"""Pairs of systems by hand, and the differences that a test set can show."""

import numpy as np
import pytest

from kasu.inflection.evaluation.outcomes import Guesses, LanguageResults
from kasu.inflection.evaluation.pairs import beyond_difference, compare, power_rows


def guesses(right: str) -> Guesses:
    """`+` is right, `-` is wrong by one character."""
    hits = np.array([mark == "+" for mark in right])
    return Guesses(hits, np.where(hits, 0, 1))


def cell(setting="low", language="x", copied=None, lemma=None, **right: str) -> LanguageResults:
    """A cell with the items of each system; `a_1` is system a with seed 1."""
    outputs = {}
    for name, marks in right.items():
        system, _, seed = name.partition("_")
        outputs[system, None, int(seed) if seed else None] = guesses(marks)
    n = len(next(iter(right.values())))
    return LanguageResults(
        setting, language, np.arange(n) if lemma is None else np.array(lemma), np.ones(n, bool),
        guesses(copied or "-" * n), outputs,
    )  # fmt: skip


def pair(rows: list[dict], a: str, b: str) -> dict:
    (row,) = (row for row in rows if (row["a"], row["b"]) == (a, b))
    return row


def test_comparison_by_hand():
    rows = compare([cell(a="++++++++--", b="--------++")], 1)
    assert [(row["a"], row["b"]) for row in rows] == [("a", "b"), ("a", "copy"), ("b", "copy")]
    row = rows[0]
    assert (row["setting"], row["languages"], row["n"]) == ("low", 1, 10)
    assert (row["pooled_accuracy_a"], row["pooled_accuracy_b"]) == (0.8, 0.2)
    assert row["difference"] == pytest.approx(0.6)
    assert row["low"] < 0.6 < row["high"]
    assert row["mcnemar_p"] == pytest.approx(112 / 1024)
    assert row["permutation_p"] == pytest.approx(112 / 1024, abs=0.02)
    assert row["holm_p"] >= row["permutation_p"]


def test_items_of_all_languages_are_paired():
    rows = compare([cell(a="++", b="--"), cell(language="y", a="+-", b="++")], 1)
    row = pair(rows, "a", "b")
    assert (row["languages"], row["n"], row["difference"]) == (2, 4, 0.25)


def test_systems_are_compared_in_the_languages_that_both_have():
    rows = compare([cell(a="++", b="--"), cell(language="y", a="--")], 1)
    assert (pair(rows, "a", "b")["languages"], pair(rows, "a", "copy")["languages"]) == (1, 2)


def test_lemmata_of_two_languages_are_two_clusters():
    # Two items that are swapped together cannot differ; two languages are swapped separately
    one = compare([cell(a="++", b="--", lemma=[0, 0])], 1)
    two = compare([cell(a="+", b="-"), cell(language="y", a="+", b="-")], 1)
    assert pair(one, "a", "b")["permutation_p"] == 1.0
    assert pair(two, "a", "b")["permutation_p"] == pytest.approx(0.5, abs=0.02)


def test_seeds_are_averaged_and_mcnemar_left_out():
    row = pair(compare([cell(a_1="++", a_2="+-", b="--")], 1), "a", "b")
    assert (row["pooled_accuracy_a"], row["mcnemar_p"]) == (0.75, None)


def test_holm_corrects_over_all_settings():
    marks = {"a": "+" * 12, "b": "-" * 12}
    rows = compare([cell(**marks), cell("high", **marks)], 1)
    differing = [row for row in rows if row["difference"]]
    smallest = min(row["permutation_p"] for row in rows)
    assert (len(rows), len(differing)) == (6, 4)
    assert min(row["holm_p"] for row in rows) == pytest.approx(6 * smallest)


# Power


def test_items_that_two_systems_differ_on_beyond_their_difference():
    # 3 + 1 of 10 differ, the difference is 2 of 10
    assert beyond_difference(cell(a="+++-------", b="---+------")) == pytest.approx(0.2)
    assert beyond_difference(cell(a="++--", b="+---")) == 0.0
    assert beyond_difference(cell(a_1="++", a_2="--")) is None


def test_power_of_the_tasks_test_sets():
    rows = power_rows([cell(a="+-" * 25)])
    found = [tuple(row.values()) for row in rows]
    superset = "one is right wherever the other is"
    assert found == [
        ("low", None, 1000, 0.0, superset, 0.0079),
        ("low", None, 1000, 0.1, "assumed", 0.0331),
        ("low", None, 100, 0.0, superset, 0.078),
        ("low", None, 100, 0.1, "assumed", 0.1416),
        ("low", None, 50, 0.0, superset, 0.1536),
        ("low", None, 50, 0.1, "assumed", 0.2296),
        ("low", "x", 50, 0.0, superset, 0.1536),
        ("low", "x", 50, 0.1, "assumed", 0.2296),
    ]


def test_power_uses_the_items_on_which_two_of_our_systems_differ():
    rows = power_rows([cell(a="+++-------", b="---+------"), cell(language="y", a="+", b="+")])
    shares = {
        (row["language"], row["n"]): row["discordant"]
        for row in rows
        if "meas" in row["assumption"]
    }
    assert shares == {
        # Two systems that answer alike, as in y, say nothing
        (None, 1000): 0.2, (None, 100): 0.2, (None, 50): 0.2, ("x", 10): 0.2
    }  # fmt: skip


def test_a_test_set_too_small_to_show_any_difference():
    (row, _) = power_rows([cell(a="+++++")])[-2:]
    assert (row["n"], row["smallest_effect"]) == (5, None)
