"""Encoders: from the symbols of a sequence to a vector at every position, and a final state."""

from typing import NamedTuple

from torch import Tensor, nn

from kasu.neural.recurrent import Recurrent
from kasu.transduction.alphabet import PAD


class Encoded(NamedTuple):
    """An encoded sequence.

    Attributes:
        outputs: (B, L, D).
        mask: (B, L), false where there is padding.
        final: h and, but for a GRU, c after the last symbol; (B, W) each, both directions joined.
    """

    outputs: Tensor
    mask: Tensor
    final: tuple[Tensor, ...]


class Encoder(nn.Module):
    """An embedding table and a recurrent network that reads it.

    Args:
        table: embeddings of the alphabet; a decoder may share it.
    """

    def __init__(self, table: nn.Embedding, network: Recurrent) -> None:
        super().__init__()
        self.table, self.network = table, network

    def forward(
        self, ids: Tensor, embedded: Tensor | float = 1.0, outputs: Tensor | float = 1.0
    ) -> Encoded:
        """Encode sequences of ids (B, L).

        Args:
            embedded: dropout mask of the embeddings, (B, L, E).
            outputs: dropout mask of the outputs, (B, L, D).
        """
        mask = ids != PAD
        values, *finals = self.network(self.table(ids) * embedded, mask)
        final = tuple(final[-1] for final in finals if final is not None)
        return Encoded(values * outputs, mask, final)

    def summed(self, final: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Final states with the directions added up, (B, size) each."""
        return tuple(part.unflatten(1, (-1, self.network.size)).sum(1) for part in final)
