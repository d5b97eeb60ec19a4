"""One layer of a recurrent network: `lstm` and `gru` as torch has them, and DyNet's `coupled`."""

from collections.abc import Callable
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from kasu.neural.recurrent.coupled import CoupledSequence
from kasu.neural.recurrent.lstm import LstmSequence

State = tuple[Tensor, ...]
"""h and c; of `gru`, h alone."""


class DropoutMasks(NamedTuple):
    """Dropout masks of a layer, the same for all items and steps (Gal & Ghahramani 2016).

    Attributes:
        inputs: (N, D).
        previous: (N, S), of the previous outputs, where a step reads them.
    """

    inputs: Tensor
    previous: Tensor


class InputProjection(NamedTuple):
    """The weights that a layer reads inputs by, in N directions; G is the number of gates times S.

    Attributes:
        weight: (N, G, D).
        bias: (N, 1, G).
    """

    weight: Tensor
    bias: Tensor

    def __call__(self, x: Tensor) -> Tensor:
        """Return the products of inputs (T, N, B, D), biases added: (T, N, B, G)."""
        # One product per direction: `@` would copy the weights T times
        rows = x.transpose(0, 1).flatten(1, 2)
        products = torch.baddbmm(self.bias, rows, self.weight.mT)
        return products.unflatten(1, (len(x), -1)).transpose(0, 1)


class RecurrentWeights(NamedTuple):
    """The weights from one state of a layer to the next, in N directions.

    Attributes:
        weight: (N, G, S).
        extra: of `gru`, the biases of the hidden products (N, 1, G); of `coupled`, the peepholes
            (N, 2S, S); None of `lstm`.
    """

    weight: Tensor
    extra: Tensor = None

    def squeezed(self) -> "RecurrentWeights":
        """Return the weights of a single direction, without N."""
        return RecurrentWeights(*(None if part is None else part.squeeze(0) for part in self))


class Layer(nn.Module):
    """One layer in one or two directions; the second reads from right to left.

    Attributes:
        size: S, the width of a state.
        plain: compute in plain operations, without a kernel.
        constant: (G, C), the weights of an input that is the same at every step, if there is one.
    """

    parts = 2
    """The number of tensors of a state."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size, self.plain = size, False

    def input_projection(self) -> InputProjection:
        raise NotImplementedError

    def recurrent_weights(self) -> RecurrentWeights:
        raise NotImplementedError

    @staticmethod
    def step(inputs: Tensor, state: State, recurrent: RecurrentWeights) -> State:
        """Compute the next state (…, B, S) in plain operations.

        Args:
            inputs: (…, B, G), the products of the inputs, biases added.
        """
        raise NotImplementedError

    def run(self, inputs: Tensor, state: State, masks: DropoutMasks | None = None) -> State:
        """Compute all states (T, N, B, S) from the products of the inputs (T, N, B, G)."""
        recurrent, states = self.recurrent_weights(), []
        if masks:
            recurrent = recurrent._replace(weight=_dropped(recurrent.weight, masks.previous))
        for each in inputs.unbind(0):
            state = self.step(each, state, recurrent)
            states.append(state)
        return tuple(torch.stack(part) for part in zip(*states, strict=True))

    def forward(
        self,
        x: Tensor,
        lengths: Tensor | None,
        masks: DropoutMasks | None = None,
        added: Tensor | None = None,
    ) -> tuple[Tensor, State]:
        """Read (L, B, D); return the outputs (L, B, N, S) and the final states (N, B, S).

        Outputs are 0 at padding.

        Args:
            lengths: (B), the number of real positions of each row; None if all are.
            masks: dropout masks.
            added: (N, B, G), the products of a further input, the same at every step.
        """
        project = self.input_projection()
        two = len(project.bias) == 2
        # (L, N, B, D): the second direction reads each sequence from its own end
        x = torch.stack([x, reverse(x, lengths)], 1) if two else x.unsqueeze(1)
        if masks:
            x = x * masks.inputs.unsqueeze(1)
        inputs = project(x)
        if added is not None:
            inputs = inputs + added
        start = inputs.new_zeros(*inputs.shape[1:-1], self.size)
        states = self.run(inputs, (start,) * self.parts, masks)
        outputs = states[0].transpose(1, 2)
        if two:
            # Outputs of the second direction go back to the positions that they are of
            left, right = states[0].unbind(1)
            outputs = torch.stack([left, reverse(right, lengths)], 2)
        if lengths is None:
            return outputs, tuple(part[-1] for part in states)
        # The final state is that at the last real position, not after padding; a row without one is
        # padding of a stack
        real = torch.arange(len(x), device=x.device).unsqueeze(1) < lengths
        last = (lengths - 1).clamp(min=0).view(1, 1, -1, 1).expand(1, *start.shape)
        final = tuple(part.gather(0, last).squeeze(0) for part in states)
        return outputs.masked_fill(~real[..., None, None], 0), final

    def last(self, x: Tensor, lengths: Tensor | None) -> Tensor:
        """Return the outputs (B, N, S) at the last real position of each sequence (see `forward`).

        There the second direction has taken one step.
        """
        outputs, _ = self(x, lengths)
        return at_last(outputs, lengths)


def at_last(x: Tensor, lengths: Tensor | None) -> Tensor:
    """Return what stands at the last real position of each sequence, (B, …) of (L, B, …)."""
    if lengths is None:
        return x[-1]
    # As in `forward`
    last = (lengths - 1).clamp(min=0).view(1, -1, *[1] * (x.dim() - 2))
    return x.gather(0, last.expand(1, *x.shape[1:])).squeeze(0)


class _TorchLayer(Layer):
    """A layer with the weights of nn.LSTM or nn.GRU, its kernel, drawn as torch draws them."""

    kernel_class: ClassVar[type[nn.RNNBase]]

    def __init__(self, inputs: int, size: int, directions: int = 1, constant: int = 0) -> None:
        super().__init__(size)
        self.kernel = self.kernel_class(inputs, size, bidirectional=directions == 2)
        if constant:
            bound = size**-0.5
            gates = len(self.kernel.bias_ih_l0)
            self.constant = nn.Parameter(torch.empty(gates, constant).uniform_(-bound, bound))

    def _each(self, name: str) -> list[Tensor]:
        """Return a weight of the kernel in each direction."""
        sides = ("l0", "l0_reverse") if self.kernel.bidirectional else ("l0",)
        return [getattr(self.kernel, f"{name}_{side}") for side in sides]

    def forward(
        self,
        x: Tensor,
        lengths: Tensor | None,
        masks: DropoutMasks | None = None,
        added: Tensor | None = None,
    ) -> tuple[Tensor, State]:
        # The kernel takes nothing else
        if self.plain or masks or added is not None:
            return super().forward(x, lengths, masks, added)
        if lengths is None:
            outputs, final = self.kernel(x)
        else:
            packed = pack_padded_sequence(x, lengths.cpu(), enforce_sorted=False)
            outputs, final = self.kernel(packed)
            outputs, _ = pad_packed_sequence(outputs, total_length=len(x))
        final = final if isinstance(final, tuple) else (final,)
        return outputs.unflatten(-1, (-1, self.size)), final


class LstmLayer(_TorchLayer):
    """A long short-term memory, as torch has it."""

    kernel_class = nn.LSTM

    def input_projection(self) -> InputProjection:
        # Added before they are stacked: views of one sum would have one gradient in one memory
        pairs = zip(self._each("bias_ih"), self._each("bias_hh"), strict=True)
        bias = _stacked([one + other for one, other in pairs])
        return InputProjection(_stacked(self._each("weight_ih")), bias.unsqueeze(1))

    def recurrent_weights(self) -> RecurrentWeights:
        return RecurrentWeights(_stacked(self._each("weight_hh")))

    def run(self, inputs: Tensor, state: State, masks: DropoutMasks | None = None) -> State:
        if self.plain:
            return super().run(inputs, state, masks)
        weight = self.recurrent_weights().weight
        return LstmSequence.apply(
            inputs, *state, _dropped(weight, masks.previous) if masks else weight
        )

    def last(self, x: Tensor, lengths: Tensor | None) -> Tensor:
        if self.plain or x.is_cuda or not self.kernel.bidirectional:
            return super().last(x, lengths)
        # The kernel runs in the first direction alone; of the second, one step from zeros is left
        zeros = x.new_zeros(1, x.shape[1], self.size)
        rest = self.kernel.all_weights[0][:4], True, 1, 0.0, self.training, False
        if lengths is None:
            _, hidden, _ = torch.lstm(x, (zeros, zeros), *rest, False)
        else:
            packed = pack_padded_sequence(x, lengths.cpu(), enforce_sorted=False)
            data, sizes, _, order = packed
            _, hidden, _ = torch.lstm(data, sizes, (zeros, zeros), *rest)
            hidden = hidden[:, order]
        weight, *biases = (self._each(name)[1] for name in ("weight_ih", "bias_ih", "bias_hh"))
        i, _, g, o = nn.functional.linear(at_last(x, lengths), weight, sum(biases)).chunk(4, -1)
        second = o.sigmoid() * (i.sigmoid() * g.tanh()).tanh()
        return torch.stack([hidden[0], second], 1)

    @staticmethod
    def step(inputs: Tensor, state: State, recurrent: RecurrentWeights) -> State:
        hidden, cell = state
        i, f, g, o = (inputs + hidden @ recurrent.weight.mT).chunk(4, -1)
        cell = f.sigmoid() * cell + i.sigmoid() * g.tanh()
        return o.sigmoid() * cell.tanh(), cell


class GruLayer(_TorchLayer):
    """A gated recurrent unit, as torch has it: the reset gate acts on the hidden product."""

    parts, kernel_class = 1, nn.GRU

    def input_projection(self) -> InputProjection:
        weight, bias = (_stacked(self._each(name)) for name in ("weight_ih", "bias_ih"))
        return InputProjection(weight, bias.unsqueeze(1))

    def recurrent_weights(self) -> RecurrentWeights:
        weight, bias = (_stacked(self._each(name)) for name in ("weight_hh", "bias_hh"))
        return RecurrentWeights(weight, bias.unsqueeze(1))

    @staticmethod
    def step(inputs: Tensor, state: State, recurrent: RecurrentWeights) -> State:
        (hidden,) = state
        products = hidden @ recurrent.weight.mT + recurrent.extra
        r, z, n = inputs.chunk(3, -1)
        hidden_r, hidden_z, hidden_n = products.chunk(3, -1)
        n = (n + (r + hidden_r).sigmoid() * hidden_n).tanh()
        return (n.lerp(hidden, (z + hidden_z).sigmoid()),)


class CoupledLayer(Layer):
    """A layer of coupled LSTMs with peepholes (`coupled.py`); gates in order i, o, g."""

    def __init__(self, inputs: int, size: int, directions: int = 1, constant: int = 0) -> None:
        super().__init__(size)

        def draw(gates: int, columns: int, whole: int) -> nn.Parameter:
            """Draw `columns` of matrices that have `whole` columns, as DyNet does."""
            bound = (6 / (size + whole)) ** 0.5
            drawn = torch.empty(directions, gates * size, columns).uniform_(-bound, bound)
            return nn.Parameter(drawn)

        self.input = draw(3, inputs, inputs + constant)
        self.hidden = draw(3, size, size)
        self.peephole = draw(2, size, size)
        self.bias = nn.Parameter(torch.zeros(directions, 1, 3 * size))
        if constant:
            self.constant = nn.Parameter(draw(3, constant, inputs + constant)[0])

    def input_projection(self) -> InputProjection:
        return InputProjection(self.input, self.bias)

    def recurrent_weights(self) -> RecurrentWeights:
        return RecurrentWeights(self.hidden, self.peephole)

    @staticmethod
    def step(inputs: Tensor, state: State, recurrent: RecurrentWeights) -> State:
        hidden, cell = state
        i, o, g = (inputs + hidden @ recurrent.weight.mT).chunk(3, -1)
        peephole_i, peephole_o = recurrent.extra.chunk(2, -2)
        cell = cell.lerp(g.tanh(), (i + cell @ peephole_i.mT).sigmoid())
        return (o + cell @ peephole_o.mT).sigmoid() * cell.tanh(), cell

    def run(self, inputs: Tensor, state: State, masks: DropoutMasks | None = None) -> State:
        if self.plain:
            return super().run(inputs, state, masks)
        hidden = _dropped(self.hidden, masks.previous) if masks else self.hidden
        return CoupledSequence.apply(inputs, *state, hidden, self.peephole)


def _dropped(weight: Tensor, mask: Tensor) -> Tensor:
    """Return weights (N, G, X) that drop what a mask (N, X) drops."""
    return weight * mask.unsqueeze(1)


def _stacked(weights: list[Tensor]) -> Tensor:
    """Stack a weight of N directions; of a single one, without a copy."""
    return torch.stack(weights) if len(weights) > 1 else weights[0].unsqueeze(0)


def reverse(x: Tensor, lengths: Tensor | None) -> Tensor:
    """Reverse sequences (L, B, …), each up to its length; None means L."""
    if lengths is None:
        return x.flip(0)
    positions = torch.arange(len(x), device=x.device).unsqueeze(1)
    # Padding is reversed by itself
    places = (lengths - 1 - positions) % len(x)
    return x.gather(0, places.unsqueeze(2).expand_as(x))


LAYERS: dict[str, Callable[..., Layer]] = {
    "lstm": LstmLayer,
    "gru": GruLayer,
    "coupled": CoupledLayer,
}
