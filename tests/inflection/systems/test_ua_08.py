"""ua-08: two n-best lists, and how much each counts."""

import pytest

from kasu.inflection.systems import ua_08
from kasu.transduction.items import Answer
from kasu.transduction.members.families import Member, alone

ONE = Answer(["a", "b"], [1, 0])
OTHER = Answer(["b", "a", "c"], [1, 0.5, 0])


def mixed(dev, gold, one=ONE, other=OTHER):
    voters = {
        "ua_06": [Member([pair[0] for pair in dev], [one], None)],
        "ua_07": [Member([pair[1] for pair in dev], [other], None)],
    }
    return ua_08.mix(voters, gold)


@pytest.mark.parametrize(
    ("gold", "form"),
    [
        # b is best where ua-06 counts for less than a third
        (["b"], "b"),
        (["a"], "a"),
        # Nothing is right at any share: ua-06 counts as much as it can
        (["x"], "a"),
    ],
)
def test_the_share_that_is_best_on_dev(gold, form):
    assert mixed([(ONE, OTHER)], gold) == [form]


def test_of_equal_shares_the_largest():
    # From 0 to 0.30 b is right on dev; at 0.30 the second item's c has 0.7, and d 0.3
    test = Answer(["d", "c"], [1, 0]), Answer(["c", "d"], [5, 3.3])
    assert mixed([(ONE, OTHER)], ["b"], *test) == ["c"]
    near = Answer(["d", "c"], [1, 0]), Answer(["c", "d", "e"], [1, 0.6, 0])
    # d has 0.3 + 0.7 * 0.6, c 0.7: with no share it were c
    assert mixed([(ONE, OTHER)], ["b"], *near) == ["d"]


def test_without_scores_of_ua_06_its_list_is_not_read():
    silent = Answer(["a"])
    assert mixed([(silent, OTHER)], ["a"], silent) == ["b"]
    other = Member([OTHER], [OTHER], None)
    voters = {"ua_06": [Member([ONE], [silent], None)], "ua_07": [other]}
    assert ua_08.mix(voters, ["a"]) == alone([other])
