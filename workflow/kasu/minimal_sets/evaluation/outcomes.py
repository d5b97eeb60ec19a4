"""Claims and their outcomes."""

from kasu.minimal_sets.evaluation.groups import Group
from kasu.minimal_sets.released.paper import SETS

Outcome = tuple[str, str]
"""Result and evidence."""
Claim = tuple[str, str, Outcome]
"""Claim, test and outcome."""
ABSENT = "untestable", "the sets or systems that it takes are not there"


def verdict(holds: bool) -> str:
    """The result of a claim that can be tested."""
    return "holds" if holds else "fails"


def coverage(group: Group, case: str) -> str:
    """How many of the paper's sets and systems the cells of a case cover."""
    cells = group.of_case(case)
    sets = sum(right == case for right in SETS.values())
    systems = f"{len({key.system for key in cells})} of {len(group.systems)} systems"
    return f"{len({key.set for key in cells})} of {sets} {case} sets, {systems}"
