"""A transducer that writes characters and moves its pointer on, perhaps helped by a language model.

Source: Sorokin (2018) §2, after Aharoni & Goldberg (2017) and Makarov et al. (2017); details as in
the released code.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import one_hot

from kasu.neural.dropout import keep
from kasu.neural.recurrent.networks import Recurrent, RecurrentCell
from kasu.transduction.alphabet import END, PAD, START, Alphabet
from kasu.transduction.batch import pad
from kasu.transduction.edits.actions import MOVE, ActionAlphabet
from kasu.transduction.features import ManyHot
from kasu.transduction.items import Item
from kasu.transduction.layers.copying import mixture
from kasu.transduction.networks.action_transducer import ActionTransducer, PointerBatch
from kasu.transduction.networks.character_lm import CharacterLM, CharacterLMState
from kasu.transduction.networks.luong_seq2seq import ZeroedEmbedding
from kasu.transduction.networks.seq2seq import mean_loss
from kasu.transduction.search import TOGETHER, search


class StepSizes(NamedTuple):
    """Widths of a StepTransducer.

    Attributes:
        embedding: of embedded symbols, of source and output.
        encoder: of the encoder in one direction.
        decoder: of the decoder.
        feature: of embedded features.
        dense: of the layer before the output.
        history: how many of its last actions the decoder reads.
    """

    embedding: int
    encoder: int
    decoder: int
    feature: int
    dense: int
    history: int


class StepState(NamedTuple):
    """The state of a StepTransducer.

    Attributes:
        hidden: the state of its cell, (B, size) each.
        pointer: places in the sources, (B).
        source: (B, L), ids.
        encodings: (B, L, D).
        features: (B, F), embedded.
        read: (B, history), the last actions; PAD before the first.
        model: the state of the language model, if there is one.
    """

    hidden: tuple[Tensor, ...]
    pointer: Tensor
    source: Tensor
    encodings: Tensor
    features: Tensor
    read: Tensor
    model: CharacterLMState | tuple[()]


class StepTransducer(ActionTransducer):
    """A bidirectional encoder of the source, and a decoder that reads it where its pointer is.

    At each step the decoder reads the encoding at the pointer, the features and its last actions.
    It writes a symbol, moves the pointer by MOVE, or ends; it cannot move on from the end of the
    source. A gate mixes what it writes with the symbol at the pointer. A symbol that training lacks
    is lost, also where it is copied.

    Args:
        alphabet: of symbols and MOVE.
        tags: of features.
        gate: whether it may copy.
        dropout: share of what the encoder and the decoder read that training drops, the same units
            at every step of an item.
        fused: a trained language model over `alphabet`, which reads what has been written. The
            output of its LSTM is joined to that of the decoder, and it learns nothing further.
        erased: share of the steps at which training shows the decoder zeros in its place.

    Attributes:
        teacher: the actions of each item that it learns.
    """

    def __init__(
        self,
        alphabet: ActionAlphabet,
        tags: Alphabet,
        sizes: StepSizes,
        *,
        dropout: float,
        gate: bool = True,
        fused: CharacterLM | None = None,
        erased: float = 0.0,
    ) -> None:
        super().__init__()
        self.alphabet, self.tags, self.history = alphabet, tags, sizes.history
        self.dropout, self.erased = dropout, erased
        self.teacher: Mapping[Item, Sequence[str]] = {}
        self.table = nn.Embedding(len(alphabet), sizes.embedding)
        self.encoder = Recurrent("lstm", sizes.embedding, sizes.encoder, directions=2)
        self.many_hot = ManyHot(tags)
        self.features = nn.Linear(self.many_hot.width, sizes.feature, bias=False)
        self.written = ZeroedEmbedding(len(alphabet), sizes.embedding, PAD)
        self.width = self.encoder.width + sizes.feature + sizes.history * sizes.embedding
        self.cell = RecurrentCell("lstm", self.width, sizes.decoder)
        self.fused = fused.requires_grad_(False) if fused else None
        joined = sizes.decoder + (fused.cell.size if fused else 0)
        self.dense = nn.Linear(joined, sizes.dense, bias=False)
        self.output = nn.Linear(sizes.dense, len(alphabet))
        self.gate = nn.Linear(self.width + sizes.decoder, 1) if gate else None
        (self._move,) = alphabet.encode([MOVE])

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> PointerBatch:
        """Return items with the teacher's actions; the epoch makes no difference."""
        rows = [self.alphabet.encode(self.teacher[item]) for item in items]
        return self._batch(items, rows, seed)

    def _batch(
        self, items: Sequence[Item], rows: Sequence[Sequence[int]], seed: int
    ) -> PointerBatch:
        source, tags = self._asked(items)
        actions = pad(rows, self.output.weight.device)
        moves = (actions == self._move).long()
        # Past START, and past each symbol that an earlier action has moved on from
        pointers = 1 + moves.cumsum(1) - moves
        return PointerBatch(source, actions, seed, tags, pointers)

    def _asked(self, items: Sequence[Item]) -> tuple[Tensor, Tensor]:
        sources = [[START, *self.alphabet.encode(item.source), END] for item in items]
        tags = [self.tags.encode(item.tags) or [PAD] for item in items]
        device = self.output.weight.device
        return pad(sources, device), pad(tags, device)

    def loss(self, batch: PointerBatch) -> Tensor:
        """Return the mean loss per action, in nats."""
        return self(*self.inputs(batch))

    def inputs(self, batch: PointerBatch) -> list[Tensor]:
        """Return the tensors of a batch, and dropout masks of what encoder and decoder read.

        With a language model, also what it says before each action, some of it erased.
        """
        draw, rows = torch.Generator().manual_seed(batch.seed), len(batch)
        share = self.dropout * self.training
        masks = [
            keep((rows, 1, width), share, draw).to(batch.source.device)
            for width in (self.table.embedding_dim, self.width)
        ]
        said = []
        if self.fused:
            kept = torch.rand(*batch.actions.shape, 1, generator=draw)
            kept = kept >= self.erased * self.training
            said = [self._said(batch.actions, batch.tags) * kept.to(batch.source.device)]
        return [batch.source, batch.tags, batch.actions, batch.pointers, *masks, *said]

    @torch.no_grad()
    def _said(self, actions: Tensor, tags: Tensor) -> Tensor:
        """Return the output of the language model before each action, (B, M, size)."""
        assert self.fused
        rows = [
            [START, *(each for each in row if each not in (self._move, PAD, END))]
            for row in actions.tolist()
        ]
        states = self.fused.states(pad(rows, actions.device), tags)
        # How many symbols are written before each action
        written = (actions != self._move).long()
        places = (written.cumsum(1) - written).clamp(max=states.shape[1] - 1)
        return states.gather(1, places.unsqueeze(2).expand(-1, -1, states.shape[2]))

    def forward(
        self,
        source: Tensor,
        tags: Tensor,
        actions: Tensor,
        pointers: Tensor,
        *read: Tensor,
    ) -> Tensor:
        """Return the loss of what `inputs` returns."""
        return mean_loss(self._teach(source, tags, actions, pointers, *read), actions)

    def _teach(
        self,
        source: Tensor,
        tags: Tensor,
        actions: Tensor,
        pointers: Tensor,
        encoded: Tensor,
        read: Tensor,
        said: Tensor | None = None,
    ) -> Tensor:
        """Return log probabilities (B, M, V) of each action, where all before are the teacher's.

        Args:
            source, tags, actions, pointers, encoded, read, said: what `inputs` returns.
        """
        steps = actions.shape[1]
        before = nn.functional.pad(actions[:, :-1], (1, 0), value=START)
        before = nn.functional.pad(before, (self.history - 1, 0), value=PAD)
        history = self.written(before.unfold(1, self.history, 1)).flatten(2)
        features = self._embed(tags).unsqueeze(1).expand(-1, steps, -1)
        encodings = self._encode(source, encoded)
        at = pointers.unsqueeze(2).expand(-1, -1, encodings.shape[2])
        x = torch.cat([encodings.gather(1, at), features, history], 2)
        outputs, _ = self.cell.run(x * read, self.cell.zeros(len(source)))
        return self._write(x, outputs, said, pointers, source)

    def _encode(self, source: Tensor, mask: Tensor | float = 1.0) -> Tensor:
        encodings, *_ = self.encoder(self.table(source) * mask, source != PAD)
        return encodings

    def _embed(self, tags: Tensor) -> Tensor:
        return self.features(self.many_hot(tags)).relu()

    def _write(
        self, x: Tensor, outputs: Tensor, said: Tensor | None, pointers: Tensor, source: Tensor
    ) -> Tensor:
        """Return log probabilities (B, M, V) from what the decoder has read and made of it."""
        joined = outputs if said is None else torch.cat([outputs, said], 2)
        scores = self.output(self.dense(joined).relu())
        if self.gate is None:
            return scores.log_softmax(2)
        generate = 1 - self.gate(torch.cat([x, outputs], 2)).sigmoid()
        pointed = one_hot(pointers, source.shape[1]).to(scores.dtype)
        return mixture(scores.softmax(2), pointed, source, generate, scores.shape[2])

    @torch.no_grad()
    def count_right(self, batch: PointerBatch) -> tuple[int, int, float]:
        """Return how many actions are the most probable ones, how many there are, and their loss.

        The loss is a sum.
        """
        log_probs = self._teach(*self.inputs(batch))
        real = batch.actions != PAD
        right = (log_probs.argmax(2) == batch.actions) & real
        number = int(real.sum())
        return int(right.sum()), number, mean_loss(log_probs, batch.actions).item() * number

    def start(self, source: Tensor, tags: Tensor) -> StepState:
        """Return the state before the first action."""
        return StepState(
            self.cell.zeros(len(source)),
            torch.zeros_like(source[:, 0]),
            source,
            self._encode(source),
            self._embed(tags),
            source.new_full((len(source), self.history), PAD),
            self.fused.start(tags) if self.fused else (),
        )

    def step(self, state: StepState, previous: Tensor) -> tuple[Tensor, StepState]:
        """Return log probabilities (B, V) after the actions `previous` (B,), and the next state."""
        moved = previous == self._move
        # The first step passes START
        pointer = state.pointer + (moved | (previous == START)).long()
        last = (state.source != PAD).sum(1) - 1
        pointer = torch.minimum(pointer, last)
        read = torch.cat([state.read[:, 1:], previous.unsqueeze(1)], 1)
        rows = torch.arange(len(pointer), device=pointer.device)
        history = self.written(read).flatten(1)
        x = torch.cat([state.encodings[rows, pointer], state.features, history], 1)
        output, hidden = self.cell.step(x, state.hidden)
        model, said = state.model, None
        if self.fused and model:
            # It does not see that the pointer moves
            model = _chosen(moved, model, self.fused.advance(model, previous))
            said = model.hidden[-2].unsqueeze(1)
        log_probs = self._write(
            x.unsqueeze(1), output.unsqueeze(1), said, pointer.unsqueeze(1), state.source
        ).squeeze(1)
        log_probs[pointer == last, self._move] = -torch.inf
        return log_probs, state._replace(hidden=hidden, pointer=pointer, read=read, model=model)

    def spell(self, item: Item, actions: Sequence[str]) -> str:
        """Return the form that actions write, whatever the item."""
        return "".join(each for each in actions if each != MOVE)

    @torch.no_grad()
    def letters(self, items: Sequence[Item], width: int = 1) -> list[list[float]]:
        """Return the log probability of each letter of the items' targets, that of END last.

        A letter counts with the moves before it. A target can be written in many ways; the most
        probable one that a beam of `width` finds counts.
        """
        found: list[list[float]] = []
        for first in range(0, len(items), TOGETHER):
            some = items[first : first + TOGETHER]
            targets = [[*self.alphabet.encode(item.target or ""), END] for item in some]
            # All moves, all letters and END
            limits = [len(item.source) + len(row) for item, row in zip(some, targets, strict=True)]
            dictated = Dictated(self)
            state = dictated.start(*self._asked(some), pad(targets, self.output.weight.device))
            ways = [[*best.ids, END] for best, *_ in search(dictated, state, limits, width)]
            batch = self._batch(some, ways, seed=0)
            log_probs = self._teach(*self.inputs(batch)).gather(2, batch.actions.unsqueeze(2))
            found += map(self._by_letter, ways, log_probs.squeeze(2).tolist())
        return found

    def _by_letter(self, actions: Sequence[int], log_probs: Sequence[float]) -> list[float]:
        """Return the sum of each letter and the moves before it; END is a letter."""
        sums = [0.0]
        for action, log_prob in zip(actions, log_probs, strict=False):  # the rest is padding
            sums[-1] += log_prob
            if action not in (self._move, END):
                sums.append(0.0)
        return sums


class DictatedState(NamedTuple):
    """The state of a StepTransducer that writes given targets.

    Attributes:
        state: of the network.
        targets: (B, M), ids of symbols, END last.
        written: (B,), how many of them are written.
    """

    state: StepState
    targets: Tensor
    written: Tensor


class Dictated:
    """A StepTransducer that may only write the next symbol of a target, or move its pointer."""

    def __init__(self, network: StepTransducer) -> None:
        self.network = network

    def start(self, source: Tensor, tags: Tensor, targets: Tensor) -> DictatedState:
        """Return the state before the first action."""
        state = self.network.start(source, tags)
        return DictatedState(state, targets, torch.zeros_like(targets[:, 0]))

    def step(self, state: DictatedState, previous: Tensor) -> tuple[Tensor, DictatedState]:
        """Return log probabilities (B, V) after the actions `previous` (B,), and the next state."""
        log_probs, after = self.network.step(state.state, previous)
        (move,) = self.network.alphabet.encode([MOVE])
        wrote = (previous != move) & (previous != START)
        # A hypothesis that has left the beam reads END on and on
        written = (state.written + wrote.long()).clamp(max=state.targets.shape[1] - 1)
        barred = torch.ones_like(log_probs, dtype=torch.bool)
        barred.scatter_(1, state.targets.gather(1, written.unsqueeze(1)), False)
        barred[:, move] = False
        log_probs = log_probs.masked_fill(barred, -torch.inf)
        return log_probs, DictatedState(after, state.targets, written)


def _chosen(old: Tensor, one: CharacterLMState, other: CharacterLMState) -> CharacterLMState:
    """Return the rows of one state where `old` (B,) is true, and else those of the other."""
    mask = old.unsqueeze(1)
    hidden = tuple(
        torch.where(mask, *parts) for parts in zip(one.hidden, other.hidden, strict=True)
    )
    read = torch.where(mask, one.read, other.read)
    return CharacterLMState(hidden, read, one.features)
