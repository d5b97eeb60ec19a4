"""A decoder without attention: it knows the source as one vector."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.networks import RecurrentCell
from kasu.transduction.alphabet import PAD, Alphabet
from kasu.transduction.features import one_hot


class VectorDecoderState(NamedTuple):
    """The state of a VectorDecoder.

    Attributes:
        hidden: the state of its cell, tensors of (B, size).
        constant: (B, G), what the cell makes of the input that is the same at every step.
        beside: (B, L, G), what it makes of the source beside each step; empty if it reads none.
        place: (B), the next step.
    """

    hidden: tuple[Tensor, ...]
    constant: Tensor
    beside: tuple[Tensor, ...]
    place: Tensor


class VectorDecoder(nn.Module):
    """An LSTM that reads at every step the previous symbol and one same vector.

    It may also read the symbol of the source that stands where it writes, and what an encoder has
    written there (see `start`).

    Args:
        size: width of its output.
        constant: width of the vector.
        beside: whether it reads the symbol beside.
        outputs: width of the encoder's outputs; 0 if it reads none.
        embedding: width of embedded symbols; None: they are unit vectors.
    """

    def __init__(
        self,
        characters: Alphabet,
        size: int,
        constant: int,
        *,
        beside: bool = False,
        outputs: int = 0,
        embedding: int | None = None,
    ) -> None:
        super().__init__()
        symbols = len(characters)
        self.table = (
            nn.Embedding(symbols, embedding, sparse=True) if embedding else one_hot(symbols, 1)
        )
        self.cell = RecurrentCell("lstm", self.table.embedding_dim, size, constant=constant)
        self.vocabulary = nn.Linear(size, symbols)
        gates = len(self.cell.recurrent)
        if outputs:
            self.outputs = nn.Linear(outputs, gates, bias=False)
        if beside:
            # The products of unit vectors with a weight are its columns
            weights = torch.empty(symbols, gates).uniform_(-(size**-0.5), size**-0.5)
            self.beside = nn.Embedding.from_pretrained(weights, freeze=False)

    def start(
        self,
        constant: Tensor,
        hidden: tuple[Tensor, ...] = (),
        beside: Tensor | None = None,
        outputs: Tensor | None = None,
    ) -> VectorDecoderState:
        """Return the state before the first symbol.

        Args:
            constant: (B, C), read at every step.
            hidden: the first state of the cell; zeros if empty.
            beside: (B, L), ids of the source. The first is read at the first step, and so on;
                nothing is after the last.
            outputs: (B, L, D), those of the encoder at the same places; 0 at padding.
        """
        rows = len(constant)
        read: tuple[Tensor, ...] = ()
        if beside is not None:
            # One more place, PAD, for all steps after the end of the source
            ids = nn.functional.pad(beside, (0, 1), value=PAD)
            # `vmap` has no table that leaves out the gradient of padding
            at = self.beside(ids) * (ids != PAD).unsqueeze(2)
            if outputs is not None:
                at = at + nn.functional.pad(self.outputs(outputs), (0, 0, 0, 1))
            read = (at,)
        place = torch.zeros(rows, dtype=torch.long, device=constant.device)
        first = hidden or self.cell.zeros(rows)
        return VectorDecoderState(first, self.cell.project(constant), read, place)

    def step(
        self, state: VectorDecoderState, previous: Tensor
    ) -> tuple[Tensor, VectorDecoderState]:
        """Return log probabilities (B, V) after the symbols `previous` (B,), and the next state."""
        products = self.cell.products(self.table(previous), state.constant)
        for read in state.beside:
            place = state.place.clamp(max=read.shape[1] - 1)
            products = products + read[torch.arange(len(place), device=place.device), place]
        output, hidden = self.cell.advance(products, state.hidden)
        after = state._replace(hidden=hidden, place=state.place + 1)
        return self.vocabulary(output).log_softmax(1), after

    def teacher(self, state: VectorDecoderState, target: Tensor) -> Tensor:
        """Return log probabilities (B, M, V) of what follows each symbol of `target` (B, M)."""
        products = self.cell.products(self.table(target), state.constant.unsqueeze(1))
        for read in state.beside:
            places = torch.arange(target.shape[1], device=target.device)
            products = products + read[:, places.clamp(max=read.shape[1] - 1)]
        outputs, _ = self.cell.advance_all(products, state.hidden)
        return self.vocabulary(outputs).log_softmax(2)
