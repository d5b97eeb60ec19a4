"""The words next to one by their characters and features (Makarov & Clematide 2018 §4.2)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from kasu.cloze.context.words import context_of, tokens_of
from kasu.neural.recurrent.networks import Kind, Recurrent
from kasu.transduction.alphabet import END, PAD, START, UNKNOWN, Alphabet
from kasu.transduction.batch import pad
from kasu.transduction.features import Slots
from kasu.transduction.items import Item, Token

BOUNDARY = Token("", None, ())
"""The token before the first word of a sentence and after the last one."""


class Around(NamedTuple):
    """The characters and features that training sentences are written with."""

    characters: Alphabet
    features: Alphabet


def read_around(items: Iterable[Item]) -> Around:
    """Collect the characters of forms and the features in the sentences of training items."""
    tokens = tokens_of(items)
    return Around(
        Alphabet(character for token in tokens for character in token.form or ""),
        Alphabet(tag for token in tokens for tag in token.tags),
    )


class NeighbouringWords(nn.Module):
    """The final states of an LSTM over the characters of each neighbour, and its features.

    A hidden form is read as one unknown character, a boundary as none.

    Args:
        around: the known characters and features. Track 2 shows no features, so none are known.
        words: how many words it reads on each side.
        character: width of embedded characters, and of states in one direction.
        feature: width of the slot of a feature.

    Attributes:
        width: width of the vector.
    """

    def __init__(
        self, kind: Kind, around: Around, words: int, *, character: int, feature: int
    ) -> None:
        super().__init__()
        self.words, self.characters = words, around.characters
        self.table = nn.Embedding(len(self.characters), character)
        self.network = Recurrent(kind, character, character, directions=2)
        self.slots = Slots(around.features, feature)
        self.width = 2 * words * (self.network.width + self.slots.width)

    def ids(self, items: Sequence[Item]) -> Tensor:
        """Return the slots and characters of each neighbour, from left to right, (B, W, T + L).

        W neighbours have T slots of features and at most L characters each.
        """
        tokens = [token for item in items for token in self._neighbours(item)]
        rows = [[START, *self._encode(each.form), END] for each in tokens]
        device = self.table.weight.device
        if not rows:
            return torch.zeros(0, 2 * self.words, 2, dtype=torch.long, device=device)
        both = torch.cat([self.slots.ids(tokens), pad(rows, device)], 1)
        return both.view(len(items), 2 * self.words, -1)

    def _encode(self, form: str | None) -> list[int]:
        return [UNKNOWN] if form is None else self.characters.encode(form)

    def _neighbours(self, item: Item) -> list[Token]:
        tokens, place = context_of(item)
        places = [place + step for step in range(-self.words, self.words + 1) if step]
        return [tokens[at] if 0 <= at < len(tokens) else BOUNDARY for at in places]

    def forward(self, ids: Tensor) -> Tensor:
        """Return the vector of each item, (B, `width`)."""
        slots, characters = ids.flatten(0, 1).tensor_split([len(self.slots.tags.symbols)], 1)
        embedded = self.table(characters)
        # An unknown character is the mean of those that were trained
        known = torch.cat([self.table.weight[START:UNKNOWN], self.table.weight[UNKNOWN + 1 :]])
        unknown = (characters == UNKNOWN).unsqueeze(2)
        embedded = known.mean(0).where(unknown, embedded)
        _, final, _ = self.network(embedded, characters != PAD)
        return torch.cat([final[0], self.slots(slots)], 1).view(len(ids), -1)
