"""The dynamic oracle: the paper's example, states after errors, brute force on short strings."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kasu.transduction.edits.actions import COPY, DELETE, END
from kasu.transduction.edits.dynamic_oracle import DynamicOracle, Position


def test_example_of_the_paper():
    # Makarov & Clematide (2018) §4.1: "Schlüss" is written and the pointer is at "e". The paper
    # names DELETE. To insert "l" first and delete the other one later costs as much.
    oracle = DynamicOracle("Schlüssel", "Schlüssle")
    assert oracle.optimal(Position(7, 7)) == [DELETE, "l"]


def test_states_of_the_example():
    oracle = DynamicOracle("Schlüssel", "Schlüssle")
    state = Position()
    for action in [*[COPY] * 7, DELETE, COPY]:
        assert action in oracle.optimal(state)
        state = oracle.after(state, action)
    assert state == Position(9, 8)
    assert oracle.optimal(state) == ["e"]
    assert oracle.optimal(oracle.after(state, "e")) == [END]


@pytest.mark.parametrize(
    ("source", "target", "state", "actions"),
    [
        ("ab", "ab", Position(0, 0), [COPY]),
        # Copy now or later
        ("ab", "aab", Position(0, 0), [COPY, "a"]),
        ("aab", "ab", Position(0, 0), [DELETE, COPY]),
        ("ab", "b", Position(0, 0), [DELETE]),
        # Nothing in common: the order of deletion and insertion does not matter
        ("a", "b", Position(0, 0), [DELETE, "b"]),
        ("", "b", Position(0, 0), ["b"]),
        ("ab", "a", Position(1, 1), [DELETE]),
        ("ab", "a", Position(2, 1), [END]),
        ("", "", Position(0, 0), [END]),
    ],
)
def test_optimal_actions(source, target, state, actions):
    assert DynamicOracle(source, target).optimal(state) == actions


@pytest.mark.parametrize(
    ("state", "action", "after"),
    [
        (Position(0, 0), COPY, Position(1, 1)),
        (Position(0, 0), "a", Position(0, 1)),
        (Position(0, 0), DELETE, Position(1, 0)),
        # Wrongly written: the target stays where it is
        (Position(0, 0), "x", Position(0, 0)),
        (Position(1, 1), COPY, Position(2, 1)),
        # Beyond the end of the target
        (Position(1, 2), COPY, Position(2, 2)),
        (Position(2, 2), "c", Position(2, 2)),
        (Position(2, 2), END, Position(2, 2)),
    ],
)
def test_states_after_actions(state, action, after):
    assert DynamicOracle("ab", "ac").after(state, action) == after


short = st.text("abc", max_size=4)


@settings(max_examples=60)
@given(short, short)
def test_optimal_is_what_brute_force_finds(source, target):
    oracle = DynamicOracle(source, target)
    for i, j in product(range(len(source) + 1), range(len(target) + 1)):
        ways = completions(source[i:], target[j:])
        cheapest = min(cost for cost, _ in ways)
        expected = {first for cost, first in ways if cost == cheapest}
        assert set(oracle.optimal(Position(i, j))) == expected
        assert oracle.cost(Position(i, j)) == cheapest


def completions(source, target):
    """Edits and first action of every sequence of actions that turns source into target."""
    if not source and not target:
        return [(0, END)]
    found = []
    if source:
        found += [(1 + cost, DELETE) for cost, _ in completions(source[1:], target)]
    if target:
        found += [(1 + cost, target[0]) for cost, _ in completions(source, target[1:])]
    if source and target and source[0] == target[0]:
        found += [(cost, COPY) for cost, _ in completions(source[1:], target[1:])]
    return found
