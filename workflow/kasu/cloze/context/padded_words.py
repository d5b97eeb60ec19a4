"""Words by their characters and tags, where networks read padding as a symbol.

So the vector of a word depends on the words that it is batched with, and its backward half is the
same for all words but the longest.

Source: Ács (2018 §4); what the paper leaves open is as in the released code.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

import torch
from torch import Tensor, nn

from kasu.cloze.context.sides import Sides
from kasu.cloze.context.words import HIDDEN
from kasu.cloze.data.items import sentences_of
from kasu.neural.recurrent.networks import Recurrent
from kasu.transduction.alphabet import UNKNOWN, Alphabet
from kasu.transduction.batch import pad
from kasu.transduction.items import Item, Token
from kasu.transduction.layers.encoder import add_directions, by_direction

NO_LEMMA = "*"
"""What is read of an empty lemma."""

Spelling = tuple[Sequence[str], ...]
"""The symbols of a word's form; in track 1 those of its lemma and its tags, too."""


class FirstAlphabet(Alphabet):
    """An alphabet that reads an unknown symbol as the first one that it was given."""

    def __init__(self, symbols: Iterable[str]) -> None:
        given = dict.fromkeys(symbols)
        super().__init__(given)
        self.first = next(iter(given), None)

    def encode(self, symbols: Iterable[str], foreign: Sequence[str] = ()) -> list[int]:
        """Return the ids of symbols."""
        known = UNKNOWN if self.first is None else self._ids[self.first]
        return [known if each == UNKNOWN else each for each in super().encode(symbols, foreign)]


def lemma_of(item: Item) -> Sequence[str]:
    """Return the symbols that are read of an item's lemma."""
    return item.source or NO_LEMMA


def spelled(token: Token, full: bool) -> Spelling:
    """Return the symbols that are read of a word; HIDDEN is one of what is not shown.

    Args:
        full: whether lemma and tags are read.
    """
    form = token.form or HIDDEN
    if not full:
        return (form,)
    lemma = HIDDEN if token.lemma is None else token.lemma or NO_LEMMA
    return form, lemma, token.tags or (HIDDEN,)


def read_alphabets(items: Iterable[Item], full: bool) -> tuple[FirstAlphabet, FirstAlphabet]:
    """Collect characters and tags of training items in the order in which they are read.

    An item reads the words before it, those after it, its lemma and its form. So the first symbols
    are in the second word of the first sentence, where its first word is the first item.
    """
    sides = Sides(lambda token: [spelled(token, full)])
    characters: list[str] = []
    tags: list[str] = []
    for sentence in sentences_of(items):
        for number, item in enumerate(sentence):
            # The first two items of a sentence have read all its words
            for word in chain(*sides.units(item)) if number < 2 else ():
                characters += chain(*word[:2])
                tags += chain(*word[2:])
            characters += chain(lemma_of(item), item.target or ())
    return FirstAlphabet(characters), FirstAlphabet(tags)


class PaddedReader(nn.Module):
    """A bidirectional LSTM that reads the symbols of sequences and the padding after them.

    Both directions are added up.

    Args:
        table: embeddings of the alphabet.
        size: width of an output.
    """

    def __init__(self, table: nn.Embedding, size: int, layers: int) -> None:
        super().__init__()
        self.table = table
        self.network = Recurrent("lstm", table.embedding_dim, size, layers=layers, directions=2)

    def last(self, ids: Tensor, positions: Tensor, masks: Sequence[Tensor]) -> Tensor:
        """Return the output at the last position of sequences, (B, size).

        Args:
            ids: (B, L).
            positions: (B, L), true for all that is read.
            masks: dropout masks of the embeddings and of what each higher layer reads.
        """
        embedded, *between = masks
        last = self.network.last(self.table(ids) * embedded, positions, between)
        return add_directions(last, self.network.size)

    def forward(
        self, ids: Tensor, positions: Tensor, masks: Sequence[Tensor]
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Return the outputs (B, L, size), and h and c at the end, (2 layers, B, size) each.

        Final states are sorted by layer, then by direction. The arguments are those of `last`.
        """
        embedded, *between = masks
        outputs, *finals = self.network(self.table(ids) * embedded, positions, between)
        h, c = (by_direction(final, self.network.size) for final in finals)
        return add_directions(outputs, self.network.size), (h, c)


class PaddedWords(nn.Module):
    """The vectors of words: form, in track 1 lemma and tags too, each read with its padding.

    Args:
        characters: reads forms and lemmata.
        tags: reads tags; None: only forms are read.
        alphabets: of characters and of tags.

    Attributes:
        width: width of a vector.
    """

    def __init__(
        self,
        characters: PaddedReader,
        tags: PaddedReader | None,
        alphabets: tuple[FirstAlphabet, FirstAlphabet],
    ) -> None:
        super().__init__()
        self.characters, self.tags, self.alphabets = characters, tags, alphabets
        self.width = sum(reader.network.size for reader in self.readers)

    @property
    def readers(self) -> list[PaddedReader]:
        """What reads each part of a word."""
        return [self.characters] + ([self.characters, self.tags] if self.tags else [])

    def ids(self, words: Sequence[Token | int], device: torch.device | str) -> list[Tensor]:
        """Return the ids of each part of some words, (W, L).

        Args:
            words: in place of a word there may be an id, which is then all of each part.
        """
        full = self.tags is not None
        alphabets = (self.alphabets[0], *self.alphabets)
        rows = [
            [[word]] * len(self.readers)
            if isinstance(word, int)
            else [
                alphabet.encode(part)
                for alphabet, part in zip(alphabets, spelled(word, full), strict=False)
            ]
            for word in words
        ]
        return [pad(part, device) for part in zip(*rows, strict=True)]

    def forward(self, parts: Iterable[tuple[Tensor, Tensor, Sequence[Tensor]]]) -> Tensor:
        """Return the vectors of words, (W, `width`); each part is what its reader reads."""
        pairs = zip(self.readers, parts, strict=True)
        return torch.cat([reader.last(*part) for reader, part in pairs], 1)
