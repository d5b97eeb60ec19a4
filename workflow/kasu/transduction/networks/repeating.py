"""A transducer that writes all its actions at once, without reading any of them.

Source: Madsack et al. (2018) §3.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from kasu.neural.dropout import keep
from kasu.neural.recurrent.layers import State
from kasu.neural.recurrent.networks import Recurrent, RecurrentCell
from kasu.transduction.alignments.slide import shifted, slide
from kasu.transduction.alphabet import Alphabet
from kasu.transduction.batch import joined, pad
from kasu.transduction.edits.actions import ActionAlphabet, aligned_oracle, consuming
from kasu.transduction.items import Item
from kasu.transduction.layers.encoder import Encoder
from kasu.transduction.networks.action_transducer import ActionBatch, ActionTransducer
from kasu.transduction.networks.seq2seq import mean_loss


class RepeatingTransducerState(NamedTuple):
    """The state of a RepeatingTransducer, from which answers are written step by step.

    Attributes:
        products: (B, G), what the forward network reads at every step.
        state: of the forward network.
        backward: (B, S, V), what the output makes of the backward network at all steps.
        place: (B,), the next step.
    """

    products: Tensor
    state: State
    backward: Tensor
    place: Tensor


def slid_actions(item: Item, *, grouped: bool) -> list[str]:
    """Return the actions of the best offset of the source along the target (see `slide`)."""
    target = item.target or ""
    offset, _ = slide(item.source, target)
    return aligned_oracle(shifted(item.source, target, offset), grouped=grouped)


class RepeatingTransducer(ActionTransducer):
    """A bidirectional GRU makes one vector of source and features, a second one reads it repeated.

    Args:
        alphabet: of symbols and actions.
        tags: of features.
        embedding: width of embedded symbols and features.
        size: width of both GRUs in one direction.
        steps: how often the vector is read, the most actions of an answer.
        dropout: share of the embeddings that training drops.
        grouped: as for `aligned_oracle`.
    """

    def __init__(
        self,
        alphabet: ActionAlphabet,
        tags: Alphabet,
        *,
        embedding: int,
        size: int,
        steps: int,
        dropout: float,
        grouped: bool,
    ) -> None:
        super().__init__()
        self.alphabet, self.tags, self.steps, self.dropout = alphabet, tags, steps, dropout
        self.grouped = grouped
        table = nn.Embedding(len(alphabet) + len(tags), embedding)
        self.encoder = Encoder(table, Recurrent("gru", embedding, size, directions=2))
        self.cells = nn.ModuleList(RecurrentCell("gru", 2 * size, size) for _ in range(2))
        self.output = nn.Linear(2 * size, len(alphabet))
        self._known: dict[Item, list[int]] = {}

    def batch(self, items: Sequence[Item], seed: int = 0, epoch: int = 0) -> ActionBatch:
        """Return items with one action for each step; the epoch makes no difference."""
        actions = [self._actions(item) for item in items]
        return ActionBatch(*self._asked(items), pad(actions, self.output.weight.device), seed)

    def _asked(self, items: Sequence[Item]) -> tuple[Tensor]:
        rows = [joined(item, self.alphabet, self.tags, tags_first=False) for item in items]
        return (pad(rows, self.output.weight.device),)

    def _actions(self, item: Item) -> list[int]:
        if item not in self._known:
            self._known[item] = self.alphabet.encode(slid_actions(item, grouped=self.grouped))[
                : self.steps
            ]
        return self._known[item]

    def loss(self, batch: ActionBatch) -> Tensor:
        """Return the mean loss per action, in nats."""
        return self(*self.inputs(batch))

    def inputs(self, batch: ActionBatch) -> list[Tensor]:
        """Return source and actions of a batch, and the dropout mask of its embeddings."""
        draw = torch.Generator().manual_seed(batch.seed)
        shape = (*batch.source.shape, self.encoder.table.embedding_dim)
        mask = keep(shape, self.dropout * self.training, draw)
        return [batch.source, batch.actions, mask.to(batch.source.device)]

    def forward(self, source: Tensor, actions: Tensor, mask: Tensor) -> Tensor:
        """Return the loss of what `inputs` returns."""
        return mean_loss(self._write(source, actions.shape[1], mask), actions)

    def _write(self, source: Tensor, first: int, mask: Tensor | float = 1.0) -> Tensor:
        """Return log probabilities (B, `first`, V) of the first steps."""
        (vector,) = self.encoder(source, mask).final
        # The backward network takes all its steps, since the first ones come last
        forward, backward = (
            self._run(cell, vector, steps)
            for cell, steps in zip(self.cells, (first, self.steps), strict=True)
        )
        both = torch.cat([forward, backward.flip(1)[:, :first]], 2)
        return self.output(both).log_softmax(2)

    def _run(self, cell: nn.Module, vector: Tensor, steps: int) -> Tensor:
        """Return the outputs (B, `steps`, S) of a cell that reads a vector (B, D) at every step."""
        # All steps read the same, so it is multiplied once
        products = cell.products(vector).unsqueeze(1).expand(-1, steps, -1)
        return cell.advance_all(products, cell.zeros(len(vector)))[0]

    def start(self, source: Tensor) -> RepeatingTransducerState:
        """Return the state before the first action, for sources (B, L)."""
        (vector,) = self.encoder(source).final
        forward, backward = self.cells
        outputs = self._run(backward, vector, self.steps).flip(1)
        # The output is linear in both directions, so the backward half of its scores is known: (B,
        # steps, V)
        _, weight = self.output.weight.chunk(2, 1)
        place = torch.zeros(len(vector), dtype=torch.long, device=vector.device)
        return RepeatingTransducerState(
            forward.products(vector), forward.zeros(len(vector)),
            linear(outputs, weight, self.output.bias), place,
        )  # fmt: skip

    def step(
        self, state: RepeatingTransducerState, previous: Tensor
    ) -> tuple[Tensor, RepeatingTransducerState]:
        """Return log probabilities (B, V) of the next actions; `previous` (B,) has no influence."""
        outputs, after = self.cells[0].advance(state.products, state.state)
        weight, _ = self.output.weight.chunk(2, 1)
        rows = torch.arange(len(previous), device=previous.device)
        scores = linear(outputs, weight) + state.backward[rows, state.place]
        return scores.log_softmax(1), state._replace(state=after, place=state.place + 1)

    def spell(self, item: Item, actions: Sequence[str]) -> str:
        """Return the form that actions make of an item's source."""
        # After the end of the source, there is nothing to copy
        return consuming([*item.source, *[""] * self.steps], actions)

    def limit(self, item: Item) -> int:
        """Return how many actions an answer may have at most."""
        return self.steps
