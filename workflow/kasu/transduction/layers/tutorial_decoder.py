"""A decoder that attends to positions (PyTorch's tutorial on translation; Liu et al. 2018 §3.1)."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import RecurrentCell
from kasu.transduction.layers.attention_decoder import SteppingDecoder
from kasu.transduction.layers.encoder import Encoded
from kasu.transduction.layers.position_attention import Positions


class TutorialDecoderState(NamedTuple):
    """The state of a TutorialDecoder.

    Attributes:
        hidden: (B, S).
        values: (B, L, S), what it attends to.
        mask: (B, L), false at padding.
    """

    hidden: Tensor
    values: Tensor
    mask: Tensor


class TutorialDecoder(SteppingDecoder):
    """A GRU that reads a combination of the previous symbol and of what it attends to.

    Positions of the source beyond `limit` are not attended to.

    Args:
        table: embeddings of the alphabet.
        size: width of states, and of what is attended to.
        limit: positions that it can attend to.
        masked: see Positions.
    """

    def __init__(self, table: nn.Embedding, size: int, limit: int, *, masked: bool) -> None:
        super().__init__()
        symbols, embedding = table.weight.shape
        self.table = table
        self.attention = Positions(embedding + size, limit, masked=masked)
        self.combine = nn.Linear(embedding + size, size)
        self.cell = RecurrentCell("gru", size, size)
        self.vocabulary = nn.Linear(size, symbols)

    def start(self, encoded: Encoded) -> TutorialDecoderState:
        """Return the state before the first symbol: the last one of the encoder."""
        (hidden,), limit = encoded.final, self.attention.limit
        return TutorialDecoderState(hidden, encoded.outputs[:, :limit], encoded.mask[:, :limit])

    def advance(
        self, state: TutorialDecoderState, embedded: Tensor
    ) -> tuple[Tensor, TutorialDecoderState]:
        """Go one step."""
        weights = self.attention(torch.cat([embedded, state.hidden], 1), state.mask)
        context = torch.bmm(weights.unsqueeze(1), state.values).squeeze(1)
        combined = self.combine(torch.cat([embedded, context], 1)).relu()
        output, (hidden,) = self.cell.step(combined, (state.hidden,))
        return output, state._replace(hidden=hidden)
