"""Optimizers, made for a model when its training starts, and gradient clipping."""

from collections.abc import Callable, Iterable

import torch
from torch import nn
from torch.optim import Optimizer
from torch.optim.adam import adam as functional_adam

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
    """Lazy Adam in one pass over the rows; it also takes dense gradients, those of stacked models.

    torch's own passes over the rows once for each operation: more than a third of a training step
    of the agreement networks.
    """

    @torch.no_grad()
    def step(self, closure: None = None) -> None:
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for table in group["params"]:
                if table.grad is None:
                    continue
                at, gradient = _rows(table.grad)
                state = self.state[table]
                if not state:
                    state["step"] = torch.zeros((), device=table.device)
                    state["exp_avg"] = torch.zeros_like(table)
                    state["exp_avg_sq"] = torch.zeros_like(table)
                # A resumed state has its step where it was loaded, not where the table is
                state["step"] = state["step"].to(table.device)
                whole = (table, state["exp_avg"], state["exp_avg_sq"])
                weight, mean, square = parts = [each.index_select(0, at) for each in whole]
                functional_adam(
                    [weight],
                    [gradient],
                    [mean],
                    [square],
                    [],
                    [state["step"]],
                    fused=True,
                    amsgrad=False,
                    beta1=beta1,
                    beta2=beta2,
                    lr=group["lr"],
                    weight_decay=0.0,
                    eps=group["eps"],
                    maximize=False,
                )
                for each, part in zip(whole, parts, strict=True):
                    each.index_copy_(0, at, part)


def _rows(gradient: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The rows of a table that have a gradient, each once, and their gradients."""
    sparse = gradient if gradient.is_sparse else gradient.to_sparse(1)
    (rows,) = sparse._indices()
    # Autograd forgets which gradients are coalesced, and to sort them again takes a while
    if not (rows[1:] > rows[:-1]).all():
        sparse = sparse.coalesce()
    return sparse._indices()[0], sparse._values()


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
