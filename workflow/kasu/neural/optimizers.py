"""Optimizers, made for a model when its training starts, and gradient clipping."""

from collections.abc import Callable, Iterable

import torch
from torch import nn
from torch.optim import Optimizer

Optimizers = Callable[[nn.Module], list[Optimizer]]
"""Makes the optimizers of a model."""

Clip = Callable[[Iterable[nn.Parameter]], object]
"""Changes the gradients of parameters before a step."""

# Numbers of a buffer that are updated together: what Adadelta keeps of them stays in the cache
_PIECE = 1 << 16


def adam(learning_rate: float = 1e-3) -> Optimizers:
    """Adam for all weights but sparse embedding tables, which get its lazy form.

    Lazy Adam updates only the rows that a batch has read. Plain Adam would update every row at
    every step: 45 million numbers for vocabularies of 100,000 words, more work than the network
    itself.
    """

    def make(model: nn.Module) -> list[Optimizer]:
        tables = [
            module.weight
            for module in model.modules()
            if isinstance(module, nn.Embedding | nn.EmbeddingBag) and module.sparse
        ]
        sparse = {id(table) for table in tables}
        rest = [weight for weight in model.parameters() if id(weight) not in sparse]
        optimizers: list[Optimizer] = [torch.optim.Adam(rest, learning_rate, fused=True)]
        if tables:
            optimizers.append(torch.optim.SparseAdam(tables, learning_rate))
        return optimizers

    return make


def adadelta(rho: float = 0.95, epsilon: float = 1e-6) -> Optimizers:
    """Adadelta (Zeiler 2012) with DyNet's defaults."""
    return lambda model: [FlatAdadelta(model.parameters(), rho, epsilon)]


def clip_norm(maximum: float) -> Clip:
    """Scale all gradients down together where their norm exceeds `maximum`."""
    return lambda parameters: nn.utils.clip_grad_norm_(parameters, maximum)


class FlatAdadelta(torch.optim.Adadelta):
    """torch.optim.Adadelta on one buffer of all parameters, piece by piece.

    It takes half the time: where batches are single items, Adadelta spends as long as the network,
    most of it on memory. The parameters become views of the buffer. One without a gradient counts
    as one with zeros.
    """

    def __init__(self, parameters: Iterable[nn.Parameter], rho: float, epsilon: float) -> None:
        weights = list(parameters)
        sizes = [weight.numel() for weight in weights]
        buffer = torch.cat([weight.detach().flatten() for weight in weights])
        gradients = torch.zeros_like(buffer)
        for weight, values in zip(weights, buffer.split(sizes), strict=True):
            weight.data = values.view_as(weight)
        self._gathered = [
            (weight, values.view_as(weight))
            for weight, values in zip(weights, gradients.split(sizes), strict=True)
        ]
        pieces = [nn.Parameter(piece) for piece in buffer.split(_PIECE)]
        for piece, gradient in zip(pieces, gradients.split(_PIECE), strict=True):
            piece.grad = gradient
        super().__init__(pieces, rho=rho, eps=epsilon, foreach=False)

    @torch.no_grad()
    def step(self, closure: None = None) -> None:
        """Gather the gradients of the parameters, and update."""
        for weight, values in self._gathered:
            if weight.grad is None:
                values.zero_()
            else:
                values.copy_(weight.grad)
        super().step()
