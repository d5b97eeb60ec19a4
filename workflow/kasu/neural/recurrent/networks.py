"""Recurrent networks: over whole sequences for encoders, step by step for decoders.

Kinds: `lstm` and `gru` as torch has them, and `coupled` (`coupled.py`). A network reads
a sequence by a fast kernel, or in plain operations, which `torch.func.vmap` can batch
(`use_plain`). Both compute the same.

A state is a tuple of (B, S) tensors: h and c of each layer (of `gru`, h alone), the lowest first.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import torch
from torch import Tensor, nn

from kasu.neural.recurrent.layers import LAYERS, DropoutMasks, Layer, State

Kind = Literal["lstm", "gru", "coupled"]


class Recurrent(nn.Module):
    """A recurrent network that reads whole sequences.

    Args:
        inputs, size: width of an input, and of a state in one direction.
        directions: 1 or 2; the second reads from right to left.
        join: how outputs and states of two directions become one, as input of the next layer too.
    """

    def __init__(
        self,
        kind: Kind,
        inputs: int,
        size: int,
        *,
        layers: int = 1,
        directions: int = 1,
        join: Literal["concat", "sum"] = "concat",
    ) -> None:
        super().__init__()
        self.size, self.join = size, join
        self.width = size * directions if join == "concat" else size
        widths = [inputs] + [self.width] * (layers - 1)
        self.layers = nn.ModuleList(LAYERS[kind](width, size, directions) for width in widths)

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None = None,
        between: Sequence[Tensor] = (),
        masks: Sequence[DropoutMasks] = (),
        added: Tensor | None = None,
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Read a batch of sequences.

        Args:
            x: (B, L, inputs).
            mask: (B, L), true where x is real; each row has a real beginning of one position or
                more, then padding. None if all is real.
            between: for each layer but the last, a dropout mask of its outputs, (B, L, width) or
                (B, 1, width) for one mask a sequence.
            masks: for each layer, masks that are the same for all items and steps.
            added: (directions, B, G), the products of a further input of the lowest layer, the same
                at every step.

        Returns:
            The outputs (B, L, width), 0 at padding; the final h and c of each layer (layers, B,
            width), c None for `gru`.
        """
        lengths = None if mask is None else mask.sum(1)
        x = x.transpose(0, 1)
        finals = []
        for number, layer in enumerate(self.layers):
            if number and between:
                x = x * between[number - 1].transpose(0, 1)
            # Only the lowest layer reads the further input
            more = (masks[number] if masks else None, None if number else added)
            outputs, final = layer(x, lengths, *more)
            x = self._joined(outputs)
            finals.append([self._joined(part.transpose(0, 1)) for part in final])
        hidden, *cell = (torch.stack(part) for part in zip(*finals, strict=True))
        return x.transpose(0, 1), hidden, cell[0] if cell else None

    def last(self, x: Tensor, mask: Tensor | None = None, between: Sequence[Tensor] = ()) -> Tensor:
        """Return the outputs of `forward` at the last real position of each sequence, (B, width).

        The highest layer computes nothing else, so that it takes half of the time or less.
        """
        lengths = None if mask is None else mask.sum(1)
        x = x.transpose(0, 1)
        *below, top = self.layers
        for number, layer in enumerate(below):
            outputs, _ = layer(x, lengths)
            x = self._joined(outputs)
            if between:
                x = x * between[number].transpose(0, 1)
        return self._joined(top.last(x, lengths))

    def _joined(self, parts: Tensor) -> Tensor:
        """Join directions (…, N, S) to (…, width)."""
        return parts.flatten(-2) if self.join == "concat" else parts.sum(-2)


class RecurrentCell(nn.Module):
    """A recurrent network that goes from state to state, as a decoder needs it.

    Args:
        inputs, size: width of an input, and of a state.
        constant: width of a second input, the same at every step; `project` takes it in, once.
    """

    def __init__(
        self, kind: Kind, inputs: int, size: int, *, layers: int = 1, constant: int = 0
    ) -> None:
        super().__init__()
        self.size = size
        self.layers = nn.ModuleList(
            LAYERS[kind](size, size) if above else LAYERS[kind](inputs, size, constant=constant)
            for above in range(layers)
        )

    def zeros(self, rows: int) -> State:
        """Return a state of zeros."""
        zero = next(self.parameters()).new_zeros(rows, self.size)
        return (zero,) * sum(layer.parts for layer in self.layers)

    def project(self, constant: Tensor) -> Tensor:
        """Return what the constant input (B, C) adds to the gates at every step: (B, G)."""
        return constant @ self.constant.mT + self.layers[0].input_projection().bias.squeeze(0)

    @property
    def plain(self) -> bool:
        """Whether it computes in plain operations (see `use_plain`)."""
        return self.layers[0].plain

    @property
    def recurrent(self) -> Tensor:
        """The weights of the previous output in the lowest layer, (G, S)."""
        return self.layers[0].recurrent_weights().weight.squeeze(0)

    @property
    def constant(self) -> Tensor:
        """The weights of the constant input, (G, C)."""
        return self.layers[0].constant

    def products(self, x: Tensor, projected: Tensor | None = None) -> Tensor:
        """Return what inputs (…, inputs) and the bias, or `projected`, add to the gates: (…, G)."""
        weight, bias = (part.squeeze(0) for part in self.layers[0].input_projection())
        return x @ weight.mT + (bias if projected is None else projected)

    def step(
        self, x: Tensor, state: State, projected: Tensor | None = None
    ) -> tuple[Tensor, State]:
        """Read an input (B, inputs); return the output (B, size) and the next state."""
        return self.advance(self.products(x, projected), state)

    def advance(self, products: Tensor, state: State) -> tuple[Tensor, State]:
        """Go one step as `step` does, from the products (B, G) of an input."""
        after: State = ()
        for number, (layer, before) in enumerate(self._by_layer(state)):
            if number:
                # A higher layer reads the output of the one below
                weight, bias = (part.squeeze(0) for part in layer.input_projection())
                products = after[-layer.parts] @ weight.mT + bias
            after += layer.step(products, before, layer.recurrent_weights().squeezed())
        return after[-self.layers[-1].parts], after

    def run(
        self,
        x: Tensor,
        state: State,
        projected: Tensor | None = None,
        between: Sequence[Tensor] = (),
    ) -> tuple[Tensor, State]:
        """Read (B, M, inputs); return the outputs (B, M, size) and the last state.

        Args:
            between: for each layer but the last, a dropout mask of its outputs, (B, M, size).
        """
        each = None if projected is None else projected.unsqueeze(1)
        return self.advance_all(self.products(x, each), state, between)

    def advance_all(
        self, products: Tensor, state: State, between: Sequence[Tensor] = ()
    ) -> tuple[Tensor, State]:
        """Go all steps as `run` does, from the products (B, M, G) of the inputs."""
        products = products.transpose(0, 1).unsqueeze(1)
        after: State = ()
        states: State = ()
        for number, (layer, before) in enumerate(self._by_layer(state)):
            if number:
                outputs = states[0]
                if between:
                    outputs = outputs * between[number - 1].transpose(0, 1).unsqueeze(1)
                products = layer.input_projection()(outputs)
            states = layer.run(products, tuple(part.unsqueeze(0) for part in before))
            after += tuple(part[-1].squeeze(0) for part in states)
        return states[0].squeeze(1).transpose(0, 1), after

    def _by_layer(self, state: State) -> Iterator[tuple[Layer, State]]:
        for number, layer in enumerate(self.layers):
            yield layer, state[number * layer.parts : (number + 1) * layer.parts]


def use_plain(model: nn.Module) -> None:
    """Make all recurrent networks of a model compute in plain operations."""
    for module in model.modules():
        if isinstance(module, Layer):
            module.plain = True
