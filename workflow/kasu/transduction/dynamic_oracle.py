"""The optimal next actions of a consuming transducer in any state, also after errors.

Source: Makarov & Clematide (2018) §4.1. There, edits of the rest are counted anew at every step;
here one table of costs answers for all states.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kasu.transduction.actions import COPY, DELETE, END
from kasu.transduction.edit_distance import suffix_costs


class State(NamedTuple):
    """How far a transducer has come.

    Attributes:
        pointer: symbols of the source that are consumed.
        placed: symbols of the target that are written. A symbol written wrongly does not count:
            the oracle goes on as if it were not there.
    """

    pointer: int = 0
    placed: int = 0


class DynamicOracle:
    """Knows source and target of one item; a deletion or an insertion costs 1, a copy nothing."""

    def __init__(self, source: Sequence[str], target: Sequence[str]) -> None:
        self.source, self.target = source, target
        self._costs = suffix_costs(source, target)

    def cost(self, state: State) -> int:
        """The edits of the cheapest way to the end."""
        return self._costs[state.pointer][state.placed]

    def optimal(self, state: State) -> list[str]:
        """All actions that start a cheapest way to the end: DELETE, COPY, insertion, in this order.

        Once the target is complete, the rest of the source is deleted, then END.
        """
        i, j = state
        source_left, target_left = i < len(self.source), j < len(self.target)
        if not target_left:
            return [DELETE] if source_left else [END]
        following = self.target[j]
        if not source_left:
            return [following]
        cost = self._costs[i][j]
        actions = []
        if self._costs[i + 1][j] + 1 == cost:
            actions.append(DELETE)
        if self.source[i] == following:  # no edit is better than a copy
            actions.append(COPY)
        if self._costs[i][j + 1] + 1 == cost:
            actions.append(following)
        return actions

    def after(self, state: State, action: str) -> State:
        """The state after any action that the transducer allows."""
        i, j = state
        consumes = action in (COPY, DELETE)
        written = self.source[i] if action == COPY else action
        # Names of special actions are no symbols, so DELETE and END place none
        rightly = j < len(self.target) and written == self.target[j]
        return State(i + consumes, j + rightly)
