"""Examples: which items are drawn, what the draw says of itself, and the file they are kept in."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kasu.base.errors import KasuError
from kasu.files.tables import read_tsv, write_tsv
from kasu.job.run import seed_of
from kasu.results.examples import (
    COUNT,
    EXAMPLES,
    Answer,
    Candidate,
    Example,
    Option,
    choose,
    describe_draw,
    draw,
    read_examples,
    write_examples,
)


def items(**by_result):
    """Candidates by result: how many of each group."""
    return [
        Candidate(result, group, (group, number))
        for result, groups in by_result.items()
        for group, count in groups.items()
        for number in range(count)
    ]


def test_right_and_wrong_answers_take_turns_whatever_their_share():
    drawn = draw(items(right={"a": 990}, wrong={"a": 10}), 1)
    assert [each.result for each in drawn.items] == ["right", "wrong"] * 5
    assert drawn.totals == {"right": 990, "wrong": 10}


def test_other_results_come_after_right_and_wrong():
    drawn = draw(items(tie={"a": 9}, wrong={"a": 9}, right={"a": 9}), 1)
    assert [each.result for each in drawn.items] == [*["right", "wrong", "tie"] * 3, "right"]


def test_where_one_result_runs_out_the_other_fills_the_ten():
    drawn = draw(items(right={"a": 50}, wrong={"a": 2}), 1)
    assert Counter(each.result for each in drawn.items) == {"right": 8, "wrong": 2}


def test_groups_take_turns_across_results():
    groups = dict.fromkeys("abcde", 20)
    drawn = draw(items(right=groups, wrong=groups), 1)
    assert Counter(each.group for each in drawn.items) == dict.fromkeys("abcde", 2)
    assert {each.group for each in drawn.items[:5]} == set("abcde")


def test_of_many_groups_the_name_does_not_decide_which_are_shown():
    """Else the first of the alphabet would always be."""
    groups = {f"{number:03}": 3 for number in range(100)}
    drawn = draw(items(right=groups, wrong=groups), 1)
    assert max(each.group for each in drawn.items) > "050"
    assert len({each.group for each in drawn.items}) == COUNT


def test_a_small_group_is_shown_beside_a_large_one():
    drawn = draw(items(right={"large": 5000, "small": 1}, wrong={"large": 5000}), 1)
    assert Counter(each.group for each in drawn.items) == {"large": 9, "small": 1}


def test_within_a_group_the_smallest_hash_of_the_name_comes_first():
    found = draw(items(right={"a": 200}), 7).items
    names = sorted(range(200), key=lambda number: seed_of(7, "a", number))
    assert [each.key for each in found] == [("a", number) for number in names[:10]]


def test_another_seed_draws_others():
    candidates = items(right={"a": 100}, wrong={"a": 100})
    assert draw(candidates, 1).items != draw(candidates, 2).items


@given(
    st.lists(st.tuples(st.sampled_from(["right", "wrong", "tie"]), st.sampled_from("abc"))),
    st.integers(0, 9),
)
def test_the_draw_does_not_depend_on_the_order_and_wastes_no_place(pairs, seed):
    candidates = [Candidate(*pair, (number,)) for number, pair in enumerate(pairs)]
    drawn = draw(candidates, seed)
    random.Random(seed).shuffle(candidates)
    assert draw(candidates, seed) == drawn
    assert len(drawn.items) == min(COUNT, len(candidates))
    assert len(set(drawn.items)) == len(drawn.items) and set(drawn.items) <= set(candidates)
    shown = Counter(each.result for each in drawn.items)
    for result, total in drawn.totals.items():
        # Each result has its turn, unless it has no more items
        assert shown[result] == total or shown[result] >= COUNT // len(drawn.totals)


@pytest.mark.parametrize(
    ("candidates", "system", "note"),
    [
        (
            items(right={"a": 990}, wrong={"a": 244}),
            "bilstm",
            "10 of 1,234 pairs: 5 right and 5 wrong, as bilstm answers. A hash of their names draws"
            " them; results and groups take turns, so the tables alone tell what share is right.",
        ),
        (
            items(right={"a": 50}),
            "oracle",
            "10 of 50 pairs: 10 right, as oracle answers. A hash of their names draws them; results"
            " and groups take turns, so the tables alone tell what share is right.",
        ),
        (
            items(right={"a": 2}, tie={"a": 1}),
            "bilstm",
            "All 3 pairs: 2 right and 1 tie, as bilstm answers.",
        ),
        ([], "bilstm", "No example: there are no pairs."),
        (
            [Candidate("", "a", (number,)) for number in range(11)],
            "",
            "10 of 11 pairs, drawn by a hash of their names; groups take turns. No system answered."
        ),
    ],
)  # fmt: skip
def test_the_draw_says_what_was_drawn(candidates, system, note):
    assert describe_draw(draw(candidates, 1), system, "pairs") == note


@pytest.mark.parametrize(
    ("scores", "strict", "chosen"),
    [
        ({"nom": -1.0, "dat": -2.0}, False, [("nom", "right")]),
        ({"nom": -2.0, "dat": -1.0}, False, [("dat", "wrong")]),
        ({"nom": -1.0, "dat": -1.0, "erg": -3.0}, False, [("nom", "tie"), ("dat", "tie")]),
        ({"nom": -1.0, "dat": -1.0}, True, [("nom", "wrong"), ("dat", "wrong")]),
        ({"nom": -3.0, "dat": -1.0, "erg": -1.0}, False, [("dat", "wrong"), ("erg", "wrong")]),
    ],
)
def test_the_highest_score_is_the_choice(scores, strict, chosen):
    found = choose("bert", scores, "nom", ties_are_wrong=strict)
    assert found == [Answer("bert", name, result) for name, result in chosen]


EXAMPLE = Example(
    "set:1",
    "nom, subject",
    "ka",
    texts=(("", "[…] ჭამს ვაშლს."), ("verb", "ჭამს")),
    options=(Option("nom", "ბავშვი", True), Option("erg", "ბავშვმა", False)),
    scores={("bert", "nom"): -12.25, ("bert", "erg"): -13.5},
    answers=(Answer("bert", "nom", "right"), Answer("chance", "erg", "wrong")),
)
ASKED = Example(
    "s|paper",
    "ergative",
    gold=(("ergative", "plural"), ("dative", "none")),
    answers=(Answer("bilstm", "plural", "right", "ergative"),),
)


def test_examples_are_read_as_they_were_written(tmp_path):
    write_examples(tmp_path / "e.tsv", ["Two of 9.", "1 left out."], [EXAMPLE, ASKED])
    assert read_examples(tmp_path / "e.tsv") == (["Two of 9.", "1 left out."], [EXAMPLE, ASKED])
    numbers = [row["number"] for row in read_tsv(tmp_path / "e.tsv", EXAMPLES)]
    assert numbers == ["", "", *["1"] * 8, *["2"] * 3]


def test_examples_with_the_same_name_stay_two(tmp_path):
    write_examples(tmp_path / "e.tsv", [], [ASKED, ASKED])
    assert read_examples(tmp_path / "e.tsv") == ([], [ASKED, ASKED])


def test_what_a_table_cannot_hold_is_written_as_an_escape(tmp_path):
    hostile = Example("a\tb", "g", texts=[("", "one\ntwo\u202e\ud800")])
    write_examples(tmp_path / "e.tsv", [], [hostile])
    (_, (found,)) = read_examples(tmp_path / "e.tsv")
    assert (found.item, found.texts) == ("a\\tb", (("", "one\\ntwo\\u202e\\ud800"),))


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ({"part": "hint"}, "{}: the part 'hint'; expected text, gold, option, score, answer"),
        (
            {"part": "score", "score": "high"},
            "{}: a score (could not convert string to float: 'high'); expected a number",
        ),
    ],
)
def test_a_row_of_another_kind_ends_in_one_line(tmp_path, row, line):
    path = tmp_path / "e.tsv"
    write_tsv(path, [dict.fromkeys(EXAMPLES) | {"number": 1} | row], EXAMPLES)
    with pytest.raises(KasuError) as caught:
        read_examples(path)
    assert str(caught.value) == line.format(path)
