"""Signs that a result means nothing, and that ordinary results show none."""

import math

import pytest

from kasu.results.warnings.signs import equal_scores, like, one_answer, one_class, repeats

TWENTY = ["singular", "plural"] * 10


def test_one_label_for_everything():
    given = one_answer(["singular"] * 20, TWENTY)
    assert given == "gives the same answer, 'singular', to every item"


@pytest.mark.parametrize(
    ("answers", "gold"),
    [
        (["singular"] * 19 + ["plural"], TWENTY),
        (["singular"] * 19, TWENTY[:19]),  # too few to tell
        (["singular"] * 20, ["singular"] * 20),  # the test set is at fault
    ],
)
def test_other_answers_are_no_constant(answers, gold):
    assert one_answer(answers, gold) is None


def test_a_test_set_of_one_class():
    found = one_class(["plural"] * 2)
    assert found == "the right answer to every item is 'plural': a constant is right everywhere"
    assert one_class(["plural", "singular"]) is None
    assert one_class(["plural"]) is None
    assert one_class([]) is None


def test_nearly_all_answers_of_a_null():
    null = [f"a{number}" for number in range(100)]
    one_off, two_off = ["b", *null[1:]], ["b", "b", *null[2:]]
    gold = [f"c{number}" for number in range(100)]
    assert like(one_off, null, gold, "copy") == "answers as copy does in 99% of the items or more"
    assert like(two_off, null, gold, "copy") is None
    assert like(null[:19], null[:19], gold[:19], "copy") is None


def test_two_systems_that_are_right_are_not_alike_for_that():
    right = [f"a{number}" for number in range(100)]
    assert like(right, right, right, "medoid") is None
    # Nineteen errors in common are too few to tell, and twenty are enough
    for errors, alike in ((19, False), (20, True)):
        wrong = ["b"] * errors + right[errors:]
        assert bool(like(wrong, wrong, right, "medoid")) is alike
    assert like(right, ["b"] * 20 + right[20:], right, "medoid") is None


def test_endless_repetition():
    gold = [f"form{number}" for number in range(40)]
    loops = ["fffff", "xlalalalala", *gold[2:]]
    wrong = "repeats itself without end"
    assert repeats(loops, gold) == (wrong, "2 of 40 items: fffff")
    assert repeats(["f" * 30, *loops[1:]], gold) == (wrong, f"2 of 40 items: {'f' * 20}…")


@pytest.mark.parametrize("form", ["ffff", "lalalala", "mississippi", "ba" * 2 + "bo" * 3])
def test_a_word_may_repeat_itself(form):
    assert repeats([form] * 20, ["a"] * 20) is None


def test_a_repetition_that_the_right_form_has_too_is_no_loop():
    assert repeats(["wikiwikiwikiwikiwiki"] * 20, ["wikiwikiwikiwikiwikis"] * 20) is None


def test_one_loop_in_many_answers_is_an_accident():
    gold = ["a"] * 21
    assert repeats(["fffff", *gold[1:]], gold) is None
    assert repeats(["fffff", "ggggg", *gold[2:]], gold) is not None


@pytest.mark.parametrize("score", [math.nan, -math.inf])
def test_scores_that_are_no_numbers(score):
    assert equal_scores([[score, 0.5], [-1.0, score]]) == "gives no item finite scores"


def test_scores_that_are_equal():
    equal = "gives the options of every item the same score"
    assert equal_scores([[-1.0, -1.0], [-2.0, -2.0], [math.nan, 1.0]]) == equal
    assert equal_scores([[-1.0, -1.0], [-2.0, -2.5]]) is None
    assert equal_scores([]) is None
