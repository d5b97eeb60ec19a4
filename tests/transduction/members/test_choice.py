"""Members that are the best of several parts on dev."""

import logging

import pytest

from kasu.base.errors import KasuError
from kasu.transduction.items import Item
from kasu.transduction.members.choice import choose_on_dev
from kasu.transduction.members.families import Data, Run
from kasu.transduction.members.learning import Rules

DEV = [Item("a", (), "A"), Item("b", (), "B"), Item("c", (), "x")]
DATA = Data("toy", "low", [], DEV, [])
UPPER, COPY = Run("upper", 1), Run("copy", 1)
BROKEN = KasuError("training of a member", "weights that are not finite", "finite ones")
FOUND = {
    UPPER: Rules(lambda item: "".join(item.source).upper()),
    COPY: Rules(lambda item: "x"),
}


def chosen(found, parts, counted=None):
    """The part of a member, or its error."""
    member = Run("chosen", 1)
    (best,) = choose_on_dev("toy-01", DATA, {member: parts}, found, counted).values()
    return best


@pytest.mark.parametrize("parts", [("copy", "upper"), ("upper", "copy")])
def test_the_part_with_the_most_right_forms_answers_and_is_named(parts, caplog):
    with caplog.at_level(logging.INFO, "kasu"):
        best = chosen(FOUND, {part: Run(part, 1) for part in parts})
    assert best.part == "upper"
    assert caplog.messages == ["toy-01, toy, low: upper answers"]


def test_of_equals_the_first_answers():
    same = {Run(name, 1): FOUND[COPY] for name in ("one", "two")}
    assert chosen(same, {"two": Run("two", 1), "one": Run("one", 1)}).part == "two"


def test_dev_may_count_for_a_part_in_part():
    # Of the last item alone `copy` is right, which counts for nothing
    few = chosen(FOUND, {"copy": COPY, "upper": UPPER}, lambda member, part: 0)
    assert few.part == "copy"
    assert chosen(FOUND, {"copy": COPY, "upper": UPPER}, lambda *_: 1).part == "upper"


def test_a_part_that_diverges_is_not_chosen_unless_it_is_alone():
    found = FOUND | {UPPER: BROKEN}
    assert chosen(found, {"upper": UPPER, "copy": COPY}).part == "copy"
    assert chosen(found, {"upper": UPPER}) is BROKEN
