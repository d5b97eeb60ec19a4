"""Optimizers, made for a model when its training starts, and gradient clipping."""

from collections.abc import Callable, Iterable

import torch
from torch import nn
from torch.optim import Optimizer

Optimizers = Callable[[nn.Module], list[Optimizer]]
"""Makes the optimizers of a model."""

Clip = Callable[[Iterable[nn.Parameter]], object]
"""Changes the gradients of parameters before a step."""


def adam(learning_rate: float) -> Optimizers:
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
            optimizers.append(_RowAdam(tables, learning_rate))
        return optimizers

    return make


class _RowAdam(torch.optim.SparseAdam):
    """Lazy Adam, which also takes dense gradients: those of stacked networks."""

    def step(self, closure: None = None) -> None:
        for group in self.param_groups:
            for table in group["params"]:
                if table.grad is not None and not table.grad.is_sparse:
                    table.grad = table.grad.to_sparse(1)
        super().step(closure)


def adadelta(rho: float = 0.95, epsilon: float = 1e-6) -> Optimizers:
    """Adadelta (Zeiler 2012) with DyNet's defaults."""
    return lambda model: [torch.optim.Adadelta(model.parameters(), rho=rho, eps=epsilon)]


def rmsprop(learning_rate: float) -> Optimizers:
    """RMSprop with Keras' defaults."""
    return lambda model: [
        torch.optim.RMSprop(model.parameters(), learning_rate, alpha=0.9, eps=1e-7)
    ]


def sgd(learning_rate: float) -> Optimizers:
    """Stochastic gradient descent."""
    return lambda model: [torch.optim.SGD(model.parameters(), learning_rate)]


def clip_norm(maximum: float) -> Clip:
    """Scale all gradients down together where their norm exceeds `maximum`."""

    def clip(parameters: Iterable[nn.Parameter]) -> None:
        parts = [_values(each) for each in parameters if each.grad is not None]
        scale = (maximum / (nn.utils.get_total_norm(parts) + 1e-6)).clamp(max=1.0)
        for part in parts:
            part.mul_(scale)

    return clip


def _values(parameter: nn.Parameter) -> torch.Tensor:
    """The gradient of a parameter, of a sparse one the rows that there are."""
    assert parameter.grad is not None
    if not parameter.grad.is_sparse:
        return parameter.grad
    parameter.grad = parameter.grad.coalesce()
    return parameter.grad.values()
