"""The optimal next actions of a consuming transducer in any position, also after errors.

Source: Makarov & Clematide (2018) §4.1. There, edits of the rest are counted anew at every step;
here one table of costs answers for all positions.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kasu.transduction.alignments.edit_distance import suffix_costs
from kasu.transduction.edits.actions import COPY, DELETE, END


class Position(NamedTuple):
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

    def cost(self, position: Position) -> int:
        """Return the number of edits of the cheapest way to the end."""
        return self._costs[position.pointer][position.placed]

    def candidates(self, position: Position) -> list[str]:
        """Return all actions that keep the target in reach, in order: DELETE, COPY, insertion.

        Once the target is complete, the rest of the source is deleted, then END.
        """
        i, j = position
        left = i < len(self.source)
        if j == len(self.target):
            return [DELETE] if left else [END]
        following = self.target[j]
        copies = left and self.source[i] == following
        return [DELETE] * left + [COPY] * copies + [following]

    def optimal(self, position: Position) -> list[str]:
        """Return the candidates that start a cheapest way to the end."""
        candidates, cost = self.candidates(position), self.cost(position)
        if len(candidates) == 1:
            return candidates
        # An action is optimal if its own cost and that of the way on are the least cost
        return [
            action
            for action in candidates
            if (action != COPY) + self.cost(self.after(position, action)) == cost
        ]

    def after(self, position: Position, action: str) -> Position:
        """Return the position after any action that the transducer allows."""
        i, j = position
        consumes = action in (COPY, DELETE)
        written = self.source[i] if action == COPY else action
        # Names of special actions are no symbols, so DELETE and END place none
        rightly = j < len(self.target) and written == self.target[j]
        return Position(i + consumes, j + rightly)
