"""Networks that answer with actions, which make the form from the source: what they share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from kasu.transduction.edits.actions import ActionAlphabet
from kasu.transduction.items import Answer, Item, answer_of
from kasu.transduction.search import TOGETHER, State, search


@dataclass(frozen=True)
class ActionBatch:
    """Items and the actions to learn; PAD after the end of each row.

    Attributes:
        source: (B, L), ids of symbols, and of features if these stand among them.
        actions: (B, M), ids of actions, END last.
        seed: of everything that is drawn for the batch.
    """

    source: Tensor
    actions: Tensor
    seed: int

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.source)


@dataclass(frozen=True)
class PointerBatch(ActionBatch):
    """A batch for a network whose pointer moves by an action of its own.

    Attributes:
        tags: (B, T), ids of features.
        pointers: (B, M), the place in the source before each action.
    """

    tags: Tensor
    pointers: Tensor


class ActionTransducer(nn.Module):
    """A network that writes actions one by one; a decoder (see kasu.transduction.search)."""

    PADDING: ClassVar = {"output.bias": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    alphabet: ActionAlphabet

    def _asked(self, items: Sequence[Item]) -> tuple[Tensor, ...]:
        """Return what the network reads of items, as `start` takes it."""
        raise NotImplementedError

    def start(self, *asked: Tensor) -> State:
        """Return the state before the first action."""
        raise NotImplementedError

    def step(self, state: Any, previous: Tensor) -> tuple[Tensor, State]:
        """Return log probabilities (B, V) after the actions `previous` (B,), and the next state."""
        raise NotImplementedError

    def spell(self, item: Item, actions: Sequence[str]) -> str:
        """Return the form that actions make of an item's source."""
        raise NotImplementedError

    def limit(self, item: Item) -> int:
        """Return how many actions an answer may have at most."""
        return 3 * len(item.source) + 40

    @torch.no_grad()
    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the best forms for each item, with their log probabilities.

        Args:
            width: of the beam; 1 is greedy.
        """
        answers: list[Answer] = []
        for first in range(0, len(items), TOGETHER):
            some = items[first : first + TOGETHER]
            limits = [self.limit(item) for item in some]
            found = search(self, self.start(*self._asked(some)), limits, width)
            for item, hypotheses in zip(some, found, strict=True):
                forms = [self.spell(item, self.alphabet.decode(each.ids)) for each in hypotheses]
                scores = [each.score for each in hypotheses]
                answers.append(answer_of(zip(forms, scores, strict=True)))
        return answers
