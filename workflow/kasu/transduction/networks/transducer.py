"""The neural edit transducer: it reads a string with a pointer and writes another by edit actions.

Source: Makarov & Clematide (2018) §4. Start of the pointer, first action and how weights are drawn
as in the released code and its library, DyNet.
"""

import copy
from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Protocol

import torch
from torch import Tensor, nn

from kasu.neural.dynet import draw_matrix, draw_table, draw_vector
from kasu.neural.recurrent.networks import Kind, Recurrent, RecurrentCell
from kasu.transduction.alphabet import END, PAD, START, UNKNOWN
from kasu.transduction.batch import pad
from kasu.transduction.edits.actions import COPY, DELETE, ActionAlphabet, consuming
from kasu.transduction.edits.imitation import Lesson, Teacher, set_loss
from kasu.transduction.items import Answer, Item, answer_of
from kasu.transduction.search import TOGETHER, search


class Constant(Protocol):
    """A module that gives vectors (B, `width`) of items, which the decoder reads at every step."""

    width: int

    def ids(self, items: Sequence[Item]) -> Tensor: ...

    def __call__(self, ids: Tensor) -> Tensor: ...


class EditDecoderState(NamedTuple):
    """The state of an EditDecoder.

    Attributes:
        hidden: the state of its cell, (B, size) each.
        place: where the pointers are, (B), as rows of `contexts`.
    """

    hidden: tuple[Tensor, ...]
    place: Tensor


class EditBatch(NamedTuple):
    """A batch to learn from."""

    items: Sequence[Item]
    seed: int
    epoch: int

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self.items)


class EditTransducer(nn.Module):
    """A bidirectional encoder of the source, and a decoder that reads it where its pointer is.

    At each step the decoder reads the encoding at the pointer, the previous action and a constant
    vector, and gives the probabilities of the actions that are possible there: COPY and DELETE
    before the end of the source, END at the end, insertions anywhere. A symbol and its insertion
    share an embedding.

    Args:
        alphabet: of symbols and actions.
        constant: of an item, its features for instance.
        embedding: width of embeddings.
        size: width of the encoder in one direction, and of the decoder.
        limit: the maximal number of actions of an answer.

    Attributes:
        teacher: what it is trained by.
    """

    PADDING: ClassVar = {"possible": -torch.inf}
    """What fills up the weights of a smaller alphabet (see kasu.neural.stacked)."""

    def __init__(
        self,
        alphabet: ActionAlphabet,
        constant: Constant,
        *,
        embedding: int,
        size: int,
        kind: Kind,
        limit: int,
    ) -> None:
        super().__init__()
        self.alphabet, self.constant, self.limit = alphabet, constant, limit
        self.teacher: Teacher
        self.table = nn.Embedding(len(alphabet), embedding)
        self.encoder = Recurrent(kind, embedding, size, directions=2)
        self.cell = RecurrentCell(kind, embedding, size)
        # The cell reads encodings and the constant too, by weights that are kept apart
        gates = self.cell.layers[0].input_projection().bias.shape[-1]
        self.encodings = nn.Linear(self.encoder.width, gates, bias=False)
        self.constants = nn.Linear(constant.width, gates, bias=False)
        self.output = nn.Linear(size, len(alphabet))
        _draw_as_dynet(self)
        copied, deleted = alphabet.encode([COPY, DELETE])
        # The pointer starts at START, which the first step passes like a copied symbol
        read = torch.arange(len(alphabet))
        read[START] = copied
        moves = torch.zeros(len(alphabet), dtype=torch.long)
        moves[[START, copied, deleted]] = 1
        # What to add to the scores of actions before (0) and at (1) the end of the source
        possible = torch.zeros(2, len(alphabet))
        possible[:, [PAD, START, UNKNOWN]] = -torch.inf
        possible[0, END] = -torch.inf
        possible[1, [copied, deleted]] = -torch.inf
        for name, tensor in (("read", read), ("moves", moves), ("possible", possible)):
            self.register_buffer(name, tensor, persistent=False)

    def batch(self, items: Sequence[Item], seed: int, epoch: int) -> EditBatch:
        """Return items to learn from."""
        return EditBatch(items, seed, epoch)

    def embed(self, ids: Tensor) -> Tensor:
        """Return embeddings of ids (…); an unknown symbol has the mean of all that were trained."""
        embedded, unknown = self.table(ids), ids == UNKNOWN
        if not unknown.any():
            return embedded
        trained = [number for number in range(len(self.read)) if number not in (PAD, UNKNOWN)]
        return self.table.weight[trained].mean(0).where(unknown.unsqueeze(-1), embedded)

    def decoder(self, items: Sequence[Item]) -> "EditDecoder":
        """Return a decoder for items."""
        ids = self._ids(items)
        # A single item has no padding, and the encoder is faster without a mask
        mask = ids != PAD if len(items) > 1 else None
        return EditDecoder(self, ids, self.embed(ids), self.constant.ids(items), mask)

    def _ids(self, items: Sequence[Item]) -> Tensor:
        rows = [[START, *self.alphabet.encode(item.source), END] for item in items]
        return pad(rows, self.table.weight.device)

    def loss(self, batch: EditBatch) -> Tensor:
        """Return the negative log likelihood of optimal actions, mean over steps, then items."""
        generator, losses = torch.Generator().manual_seed(batch.seed), []
        for item in batch.items:
            decoder = self.decoder([item])
            # The teacher acts with the same encoding; only the lesson's loss has gradients
            lesson = self._lesson(decoder.detached(), item, batch.epoch, generator)
            losses.append(decoder.loss(*self._learned([lesson])))
        return torch.stack(losses).mean()

    @torch.no_grad()
    def inputs(self, batch: EditBatch) -> list[Tensor]:
        """Return sources and features of a batch, and what is learned from it."""
        generator, items = torch.Generator().manual_seed(batch.seed), batch.items
        lessons = [
            self._lesson(self.decoder([item]), item, batch.epoch, generator) for item in items
        ]
        return [self._ids(items), self.constant.ids(items), *self._learned(lessons)]

    def forward(self, ids: Tensor, features: Tensor, previous: Tensor, right: Tensor) -> Tensor:
        """Return the loss of what `inputs` returns."""
        return EditDecoder(self, ids, self.table(ids), features, ids != PAD).loss(previous, right)

    def _lesson(
        self, decoder: "EditDecoder", item: Item, epoch: int, generator: torch.Generator
    ) -> Lesson:
        return self.teacher.lesson(decoder, decoder.start(), item, epoch, generator)

    def _learned(self, lessons: Sequence[Lesson]) -> tuple[Tensor, Tensor]:
        """Return lessons as tensors.

        Returns:
            What was done before each step, (B, M), START first; and what was right at it,
            (B, M, V).
        """
        device = self.table.weight.device
        previous = pad([[START, *lesson.actions[:-1]] for lesson in lessons], device)
        right = torch.zeros(*previous.shape, len(self.alphabet), dtype=torch.bool, device="cpu")
        for row, lesson in zip(right, lessons, strict=True):
            # One (step, action) pair for each right action of each step
            steps = [step for step, ids in enumerate(lesson.optimal) for _ in ids]
            row[steps, [each for ids in lesson.optimal for each in ids]] = True
        return previous, right.to(device)

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the best forms of each item, with their log probabilities.

        Args:
            width: of the beam; 1 searches greedily.
        """
        answers: dict[int, Answer] = {}
        # Sources of similar length together
        order = sorted(range(len(items)), key=lambda at: len(items[at].source))
        for start in range(0, len(order), TOGETHER):
            places = order[start : start + TOGETHER]
            chosen = [items[at] for at in places]
            with torch.no_grad():
                decoder = self.decoder(chosen)
            limits = [self.limit] * len(chosen)
            found = search(decoder, decoder.start(), limits, width)
            for at, item, hypotheses in zip(places, chosen, found, strict=True):
                answers[at] = answer_of(
                    (consuming(item.source, self.alphabet.decode(ids)), score)
                    for ids, score in hypotheses
                )
        return [answers[at] for at in range(len(items))]


class EditDecoder:
    """The decoder of an EditTransducer at work on some items.

    The products of everything that it can read with the weights of its cell are computed
    beforehand, so a step only adds two of them.

    Attributes:
        contexts: (B · L, G), products of the encodings and the constant.
        actions: (V, G), products of the embedded actions, biases added.
        starts: (B), the rows of START in `contexts`.
        possible: (B · L, V), 0 for what is possible at a place, else minus infinity.
    """

    def __init__(
        self,
        network: EditTransducer,
        ids: Tensor,
        embedded: Tensor,
        features: Tensor,
        mask: Tensor | None,
    ) -> None:
        """Encode items.

        Args:
            ids: of the sources, (B, L).
            embedded: the same as vectors, (B, L, E).
            features: what the network's module of constants takes.
            mask: (B, L), false where there is padding; None if there is none.
        """
        self.network, self.alphabet = network, network.alphabet
        encodings, *_ = network.encoder(embedded, mask)
        constant = network.constants(network.constant(features)).unsqueeze(1)  # (B, 1, G)
        self.contexts = (network.encodings(encodings) + constant).flatten(0, 1)
        self.actions = network.cell.products(network.table.weight[network.read])
        self.starts = torch.arange(len(ids), device=ids.device) * ids.shape[1]
        self.possible = network.possible[(ids == END).long().flatten()]

    def detached(self) -> "EditDecoder":
        """Return this decoder without gradients."""
        other = copy.copy(self)
        other.contexts, other.actions = self.contexts.detach(), self.actions.detach()
        return other

    def start(self) -> EditDecoderState:
        """Return the state before the first action."""
        return EditDecoderState(self.network.cell.zeros(len(self.starts)), self.starts)

    def step(self, state: EditDecoderState, previous: Tensor) -> tuple[Tensor, EditDecoderState]:
        """Return log probabilities (B, V) after the actions `previous` (B,), and the next state."""
        place = state.place + self.network.moves.index_select(0, previous)
        output, hidden = self.network.cell.advance(self._products(place, previous), state.hidden)
        return self._predict(output, place), EditDecoderState(hidden, place)

    def score(self, previous: Tensor) -> Tensor:
        """Return log probabilities (B, M, V) after each action of `previous` (B, M)."""
        # The pointer before each step: all moves so far
        moved = self.network.moves[previous].cumsum(1)
        place = (self.starts.unsqueeze(1) + moved).flatten()
        products = self._products(place, previous.flatten()).unflatten(0, previous.shape)
        zeros = self.network.cell.zeros(len(self.starts))
        outputs, _ = self.network.cell.advance_all(products, zeros)
        return self._predict(outputs.flatten(0, 1), place).unflatten(0, previous.shape)

    def loss(self, previous: Tensor, right: Tensor) -> Tensor:
        """Return the negative log likelihood of `right` (B, M, V), mean over steps, then items.

        Args:
            previous: the action before each step, (B, M), START first.
            right: true for what is optimal at a step; false everywhere after an item's last step.
        """
        real = right.any(2)
        # Whatever is done after the last step is right
        losses = set_loss(self.score(previous), right | ~real.unsqueeze(2)) * real
        return (losses.sum(1) / real.sum(1)).mean()

    def _products(self, place: Tensor, previous: Tensor) -> Tensor:
        return self.contexts.index_select(0, place) + self.actions.index_select(0, previous)

    def _predict(self, outputs: Tensor, place: Tensor) -> Tensor:
        scores = self.network.output(outputs) + self.possible.index_select(0, place)
        return scores.log_softmax(1)


def _draw_as_dynet(network: EditTransducer) -> None:
    symbols = network.cell.layers[0].input_projection().weight.squeeze(0)
    # What the cell reads is one vector to DyNet
    read = symbols, network.encodings.weight, network.constants.weight
    draw_matrix(*read, rows=network.cell.size)
    for module in network.modules():
        if isinstance(module, nn.Embedding):
            draw_table(module)
    draw_matrix(network.output.weight, rows=network.output.out_features)
    draw_vector(network.output.bias)
