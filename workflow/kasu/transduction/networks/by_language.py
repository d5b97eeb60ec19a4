"""Networks of several languages, trained as one: each on items of its own language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, cast

import numpy as np
from torch import Tensor, nn

from kasu.transduction.items import Item, unnamed
from kasu.transduction.networks.training import Network


def take_turns(
    languages: Sequence[Sequence[Sequence[Item]]], draw: np.random.Generator
) -> list[int]:
    """Return an epoch in turns of one sentence per language, until the shortest language ends.

    Sentences are shuffled, and so are the languages of each turn.

    Args:
        languages: the sentences of each, with their items.

    Returns:
        Places among the items of all languages.
    """
    places = count()
    shuffled = []
    for sentences in languages:
        # Items are numbered over all languages, sentence by sentence
        numbered = [[next(places) for _ in sentence] for sentence in sentences]
        shuffled.append([numbered[number] for number in draw.permutation(len(numbered))])
    # A turn has one sentence of each language; the shortest language ends the epoch
    turns = zip(*shuffled, strict=False)
    return [at for turn in turns for number in draw.permutation(len(turn)) for at in turn[number]]


@dataclass(frozen=True)
class LanguageBatch:
    """A batch of one language."""

    language: str
    batch: Any

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.batch)


class ByLanguage(nn.Module):
    """A network for each language; the items of all languages train what the networks share.

    The last tag of an item is its language (see kasu.transduction.items). A batch is of one
    language.
    """

    def __init__(self, networks: Mapping[str, nn.Module]) -> None:
        super().__init__()
        # A name may have a dot, that of a module not
        self.languages = list(networks)
        self.networks = nn.ModuleList(networks.values())

    def __getitem__(self, language: str) -> Network:
        """Return the network of a language."""
        return cast(Network, self.networks[self.languages.index(language)])

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> LanguageBatch:
        """Prepare items of one language."""
        languages, plain = zip(*map(unnamed, items), strict=True)
        (language,) = set(languages)
        return LanguageBatch(language, self[language].batch(plain, seed, epoch))

    def loss(self, batch: LanguageBatch) -> Tensor:
        """Return the loss of the language's network."""
        return self[batch.language].loss(batch.batch)
