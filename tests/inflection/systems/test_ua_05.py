"""ua-05: the weights of four systems."""

import pytest

from kasu.inflection.systems import ua_05
from kasu.transduction.items import Answer
from kasu.transduction.members.families import Member


def member(form, accuracy):
    return Member([], [Answer([form, "second best"])], accuracy)


@pytest.mark.parametrize(
    ("voters", "form"),
    [
        # The example of the specification: 0.40 and 0.21 are more than 0.47
        ([("a", 0.39), ("b", 0.40), ("c", 0.47), ("b", 0.21)], "b"),
        ([("a", 0.1), ("b", 0.2), ("a", 0.9), ("b", 0.3)], "a"),
        # A voter that is missing; a language without a dev set
        ([("a", 0.39), ("b", 0.40)], "b"),
        ([("a", None), ("b", None), ("b", None)], "a"),
    ],
)
def test_the_form_of_the_heaviest_voters(voters, form):
    named = {f"ua_0{at}": [member(*voter)] for at, voter in enumerate(voters, 1)}
    assert ua_05.elect(named, []) == [form]


def test_further_members_of_a_system_do_not_vote():
    voters = {"ua_01": [member("a", 0.5)], "ua_02": [member("b", 0.4), member("b", 0.4)]}
    assert ua_05.elect(voters, []) == ["a"]
