"""A network that reads the characters of a whole sentence, and writes a form of a lemma in it.

Source: Ács (2018 §4); what the paper leaves open is as in the released code. There the words before
and after have an LSTM of their own each, where the paper has one for both.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from kasu.cloze.context.padded_words import (
    FirstAlphabet,
    PaddedReader,
    PaddedWords,
    lemma_of,
    spelled,
)
from kasu.cloze.context.sides import Sides
from kasu.neural.dropout import keep
from kasu.neural.recurrent.networks import Recurrent, RecurrentCell
from kasu.transduction.alphabet import END, START
from kasu.transduction.batch import Batch, pad
from kasu.transduction.items import Item, Token
from kasu.transduction.layers.attention import Luong, Memory
from kasu.transduction.layers.encoder import add_directions
from kasu.transduction.networks.seq2seq import Seq2Seq, mean_loss

LONGEST = 4
"""Symbols of an answer for each one of the longest form or lemma that its batch reads."""


class Layers(NamedTuple):
    """The size of states and the number of layers of a recurrent network."""

    size: int
    layers: int


class Side(NamedTuple):
    """The words on one side of the items of a batch.

    Attributes:
        words: the ids of each part of all distinct words, (W, L).
        places: (B, T), which of these words are read, from left to right.
        real: (B, T), false after the end of a row.
    """

    words: list[Tensor]
    places: Tensor
    real: Tensor


@dataclass(frozen=True)
class SentenceBatch(Batch):
    """A batch with the words before and after its items; sources have no boundaries."""

    sides: tuple[Side, Side]


class SentenceDecoderState(NamedTuple):
    """The state of a SentenceDecoder.

    Attributes:
        hidden: the state of its cell, tensors of (B, size).
        memory: the lemma, which it attends to.
        around: (B, D), the words before and after, the same at every step.
    """

    hidden: tuple[Tensor, ...]
    memory: Memory
    around: Tensor


class SentenceDecoder(nn.Module):
    """An LSTM that queries the lemma with its output and the sentence, and writes with all three.

    Args:
        table: embeddings of the alphabet.
        sizes: of the LSTM.
        values: width of what it attends to.
        around: width of the vector of the sentence.
    """

    def __init__(self, table: nn.Embedding, sizes: Layers, values: int, around: int) -> None:
        super().__init__()
        symbols, embedding = table.weight.shape
        query = sizes.size + around
        self.table = table
        self.cell = RecurrentCell("lstm", embedding, sizes.size, layers=sizes.layers)
        self.attention = Luong(query, values, bias=True)
        self.see = nn.Linear(query + values, sizes.size)
        self.vocabulary = nn.Linear(sizes.size, symbols)

    def start(
        self, hidden: tuple[Tensor, ...], values: Tensor, positions: Tensor, around: Tensor
    ) -> SentenceDecoderState:
        """Return the state before the first symbol.

        Args:
            values: (B, L, values), what it attends to; positions: (B, L), where it does.
        """
        return SentenceDecoderState(hidden, self.attention.memory(values, positions), around)

    def step(
        self, state: SentenceDecoderState, previous: Tensor
    ) -> tuple[Tensor, SentenceDecoderState]:
        """Return log probabilities (B, V) after the symbols `previous` (B,), and the next state."""
        output, hidden = self.cell.step(self.table(previous), state.hidden)
        log_probs = self._write(output.unsqueeze(1), state).squeeze(1)
        return log_probs, state._replace(hidden=hidden)

    def teacher(
        self, state: SentenceDecoderState, target: Tensor, masks: Sequence[Tensor]
    ) -> Tensor:
        """Return log probabilities (B, M, V) of what follows each symbol of `target` (B, M).

        Args:
            masks: dropout masks of the embeddings and of what each higher layer reads.
        """
        embedded, *between = masks
        outputs, _ = self.cell.run(self.table(target) * embedded, state.hidden, between=between)
        return self._write(outputs, state)

    def _write(self, outputs: Tensor, state: SentenceDecoderState) -> Tensor:
        """Return log probabilities (B, M, V) from the outputs (B, M, size) of the LSTM."""
        around = state.around.unsqueeze(1).expand(-1, outputs.shape[1], -1)
        query = torch.cat([outputs, around], 2)
        context = self.attention(query, state.memory) @ state.memory.values
        seen = self.see(torch.cat([query, context], 2)).tanh()
        return self.vocabulary(seen).log_softmax(2)


class SentenceCharacters(Seq2Seq):
    """LSTMs read the characters of words, LSTMs read these words, and another writes.

    The words of a batch are encoded once each, so that a word has the same dropout wherever it
    occurs in a batch.

    Args:
        characters, tags: the alphabets of forms and lemmata, and of tags.
        full: whether lemmata and tags of the sentence are read.
        embedding: width of embedded characters.
        tag_embedding: width of embedded tags.
        words, tag_layers, context, decoder: sizes of the LSTMs that read characters and tags, of
            those that read words, and of the one that writes.
        dropout: share of embeddings, and of outputs between layers, that training drops.
        together: how many items are answered as one batch.
    """

    PADDING: ClassVar = {"decoder.vocabulary.bias": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    decoder: SentenceDecoder

    def __init__(
        self,
        characters: FirstAlphabet,
        tags: FirstAlphabet,
        *,
        full: bool,
        embedding: int,
        tag_embedding: int,
        words: Layers,
        tag_layers: Layers,
        context: Layers,
        decoder: Layers,
        dropout: float,
        together: int,
    ) -> None:
        super().__init__(characters, tags)
        self.full, self.dropout, self.together = full, dropout, together
        # One table and one network for forms, lemmata and the item's lemma
        table = nn.Embedding(len(characters), embedding)
        reader = PaddedReader(nn.Embedding(len(tags), tag_embedding), *tag_layers) if full else None
        self.words = PaddedWords(PaddedReader(table, *words), reader, (characters, tags))
        self.context = nn.ModuleList(
            Recurrent("lstm", self.words.width, context.size, layers=context.layers, directions=2)
            for _ in range(2)
        )
        self.decoder = SentenceDecoder(table, decoder, words.size, 2 * context.size)
        self.sides: Sides[Token | int] = Sides(lambda token: [token], first=[START], last=[END])

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> SentenceBatch:
        """Number the symbols of items and of the words in their sentences."""
        batch = vars(super().batch(items, seed, epoch))
        device = batch["source"].device
        batch["source"] = pad([self.characters.encode(lemma_of(item)) for item in items], device)
        left, right = zip(*map(self.sides.units, items), strict=True)
        return SentenceBatch(**batch, sides=(self._side(left, device), self._side(right, device)))

    def _side(self, rows: Sequence[Sequence[Token | int]], device: torch.device) -> Side:
        numbers = {word: at for at, word in enumerate(dict.fromkeys(chain.from_iterable(rows)))}
        places = pad([[numbers[word] for word in row] for row in rows], device)
        lengths = torch.tensor([*map(len, rows)], device=device).unsqueeze(1)
        real = torch.arange(places.shape[1], device=device) < lengths
        return Side(self.words.ids([*numbers], device), places, real)

    def limits(self, items: Sequence[Item]) -> list[int]:
        """Return the most characters of each answer.

        It depends on the longest form before any item of the batch, or on the longest lemma where
        only forms are read.
        """
        if self.full:
            before = chain.from_iterable(self.sides.units(item)[0] for item in items)
            read = [1 if isinstance(word, int) else len(spelled(word, False)[0]) for word in before]
        else:
            read = [len(lemma_of(item)) for item in items]
        return [LONGEST * max(read)] * len(items)

    def inputs(self, batch: Batch) -> list[Tensor]:
        """Return what encoders and decoder read of a batch, in the order in which they read it.

        Each sequence comes with its positions, which are all true since padding is read (in a stack
        of batches, further padding has false ones), and with its dropout masks.
        """
        assert batch.target is not None
        draw = torch.Generator().manual_seed(batch.seed)
        read, cell = batch.target[:, :-1], self.decoder.cell
        widths = [self.decoder.table.embedding_dim] + [cell.size] * (len(cell.layers) - 1)
        return [*self._encoded(batch, draw), batch.target, *self._masks(read, widths, draw)]

    def forward(self, *inputs: Tensor) -> Tensor:
        """Return the loss of what `inputs` returns."""
        parts = iter(inputs)
        state = self._start(parts)
        target, *masks = parts
        return mean_loss(self.decoder.teacher(state, target[:, :-1], masks), target[:, 1:])

    def start(self, batch: Batch) -> SentenceDecoderState:
        """Return the state of the decoder before the first symbol of an answer."""
        draw = torch.Generator().manual_seed(batch.seed)
        return self._start(iter(self._encoded(batch, draw)))

    def _encoded(self, batch: Batch, draw: torch.Generator) -> list[Tensor]:
        """Return what encoders read."""
        assert isinstance(batch, SentenceBatch)
        parts: list[Tensor] = []
        for side, context in zip(batch.sides, self.context, strict=True):
            for ids, reader in zip(side.words, self.words.readers, strict=True):
                parts += self._sequence(ids, reader, draw)
            widths = [context.width] * (len(context.layers) - 1)
            parts += [side.places, side.real, *self._masks(side.places, widths, draw)]
        return parts + self._sequence(batch.source, self.words.characters, draw)

    def _sequence(self, ids: Tensor, reader: PaddedReader, draw: torch.Generator) -> list[Tensor]:
        network = reader.network
        widths = [reader.table.embedding_dim] + [network.width] * (len(network.layers) - 1)
        return [ids, ids >= 0, *self._masks(ids, widths, draw)]

    def _masks(self, ids: Tensor, widths: Sequence[int], draw: torch.Generator) -> list[Tensor]:
        """Draw dropout masks of these widths for each of some ids (B, L)."""
        share = self.dropout * self.training
        # Drawn on the CPU: the same on every device
        return [keep((*ids.shape, width), share, draw).to(ids.device) for width in widths]

    def _start(self, parts: Iterator[Tensor]) -> SentenceDecoderState:
        around = [self._context(network, parts) for network in self.context]
        reader = self.words.characters
        ids, positions, masks = self._taken(parts, reader)
        outputs, finals = reader(ids, positions, masks)
        # With two layers it starts from both directions of the reader's first layer
        first = (final[: len(self.decoder.cell.layers)] for final in finals)
        hidden = tuple(part for layer in zip(*first, strict=True) for part in layer)
        return self.decoder.start(hidden, outputs, positions, torch.cat(around, 1))

    def _context(self, network: Recurrent, parts: Iterator[Tensor]) -> Tensor:
        """Return the vector (B, S) of the words on one side, the sum of both directions."""
        words = self.words([self._taken(parts, reader) for reader in self.words.readers])
        places, real, *between = islice(parts, 1 + len(network.layers))
        return add_directions(network.last(words[places], real, between), network.size)

    def _taken(
        self, parts: Iterator[Tensor], reader: PaddedReader
    ) -> tuple[Tensor, Tensor, list[Tensor]]:
        ids, positions, *masks = islice(parts, 2 + len(reader.network.layers))
        return ids, positions, masks
