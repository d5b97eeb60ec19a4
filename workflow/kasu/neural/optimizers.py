"""Optimizers, made for a model when its training starts, and gradient clipping."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.adadelta import adadelta as functional_adadelta
from torch.optim.adam import adam as functional_adam

Optimizers = Callable[[nn.Module], list[Optimizer]]
"""Makes the optimizers of a model."""

Clip = Callable[[Iterable[nn.Parameter]], object]
"""Changes the gradients of parameters before a step."""


def adam(learning_rate: float, *, decay: float = 0.0, coasting: bool = False) -> Optimizers:
    """Return Adam for all weights but sparse embedding tables, which get its lazy form.

    Lazy Adam updates only the rows that a batch has read. Plain Adam would update every row at
    every step: 45 million numbers for vocabularies of 100,000 words, more work than the network
    itself.

    Args:
        decay: the penalty of squared weights, half of which is added to the loss; none of sparse
            tables.
        coasting: weights that a step leaves without a gradient take one of zero, so that they go on
            by their running means; of tables, only the count of steps. DyNet does so, and torch
            leaves them as they are. It matters where a step trains a part of the model.
    """

    def make(model: nn.Module) -> list[Optimizer]:
        tables, rest = _divided(model, lambda module: module.sparse)
        optimizers: list[Optimizer] = [
            torch.optim.Adam(rest, learning_rate, weight_decay=decay, fused=True)
        ]
        if tables:
            optimizers.append(_RowAdam(tables, learning_rate))
        if coasting:
            for optimizer in optimizers:
                optimizer.register_step_pre_hook(_fill_gradients)
        return optimizers

    return make


def _fill_gradients(optimizer: Optimizer, *_: object) -> None:
    """Give a gradient of zero to the weights without one; to tables, one of no rows."""
    for group in optimizer.param_groups:
        for weight in group["params"]:
            if weight.grad is not None or not weight.requires_grad:
                continue
            if isinstance(optimizer, _RowAdam):
                none = torch.empty(1, 0, dtype=torch.long, device=weight.device)
                rows = weight.new_empty(0, weight.shape[1])
                weight.grad = torch.sparse_coo_tensor(
                    none, rows, weight.shape, check_invariants=False
                )
            else:
                weight.grad = torch.zeros_like(weight)


def adadelta(rho: float = 0.95, epsilon: float = 1e-6) -> Optimizers:
    """Return Adadelta (Zeiler 2012) as in DyNet, by its defaults.

    In embedding tables it updates only the rows that a step has read. In the others, plain Adadelta
    would let the running means fade at every step, so that rare symbols would learn more slowly.
    """

    def make(model: nn.Module) -> list[Optimizer]:
        tables, rest = _divided(model, lambda module: True)
        optimizers: list[Optimizer] = [torch.optim.Adadelta(rest, rho=rho, eps=epsilon)]
        if tables:
            optimizers.append(_RowAdadelta(tables, rho=rho, eps=epsilon))
        return optimizers

    return make


Table: TypeAlias = nn.Embedding | nn.EmbeddingBag


def _divided(
    model: nn.Module, by_row: Callable[[Table], bool]
) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
    """Return the embedding tables that are updated row by row, and all other weights."""
    tables = {
        id(module.weight): module.weight
        for module in model.modules()
        if isinstance(module, Table) and by_row(module)
    }
    return [*tables.values()], [each for each in model.parameters() if id(each) not in tables]


class _RowAdam(torch.optim.SparseAdam):
    """Lazy Adam in one pass over the rows; it also takes dense gradients, those of stacked models.

    torch's own passes over the rows once for each operation: more than a third of a training step
    of the agreement networks.
    """

    @torch.no_grad()
    def step(self, closure: None = None) -> None:
        for group, rows in _rows_read(self, "exp_avg", "exp_avg_sq"):
            beta1, beta2 = group["betas"]
            functional_adam(
                *rows.columns,
                [],
                rows.step,
                fused=True,
                amsgrad=False,
                beta1=beta1,
                beta2=beta2,
                lr=group["lr"],
                weight_decay=0.0,
                eps=group["eps"],
                maximize=False,
            )


class _RowAdadelta(torch.optim.Adadelta):
    """Adadelta of the rows that a step has read; it takes sparse gradients and dense ones."""

    @torch.no_grad()
    def step(self, closure: None = None) -> None:
        for group, rows in _rows_read(self, "square_avg", "acc_delta"):
            functional_adadelta(
                *rows.columns,
                rows.step,
                lr=group["lr"],
                rho=group["rho"],
                eps=group["eps"],
                weight_decay=0.0,
                maximize=False,
            )


class _Rows(NamedTuple):
    """Some rows of a table, as torch's functions that update weights take them.

    Attributes:
        columns: the weights, their gradients and the running means, a list of one tensor each.
        step: the number of updates before, likewise.
    """

    columns: list[list[Tensor]]
    step: list[Tensor]


def _rows_read(optimizer: Optimizer, *means: str) -> Iterator[tuple[dict[str, Any], _Rows]]:
    """Yield for each table its group of settings and the rows that have a gradient.

    What the caller makes of the rows is written back when the next ones are asked for.

    Args:
        means: the names of running means in the state of the optimizer.
    """
    for group in optimizer.param_groups:
        for table in group["params"]:
            if table.grad is None:
                continue
            state = optimizer.state[table]
            if not state:
                state["step"] = torch.zeros((), device=table.device)
                state |= {name: torch.zeros_like(table) for name in means}
            # A resumed state has its step where it was loaded, not where the table is
            state["step"] = state["step"].to(table.device)
            # Only the rows with a gradient go through the update, as dense tensors
            at, gradient = _rows(table.grad)
            whole = [table, *(state[name] for name in means)]
            parts = [each.index_select(0, at) for each in whole]
            weight, *averages = parts
            yield group, _Rows([[part] for part in (weight, gradient, *averages)], [state["step"]])
            for each, part in zip(whole, parts, strict=True):
                each.index_copy_(0, at, part)


def _rows(gradient: Tensor) -> tuple[Tensor, Tensor]:
    """Return the rows of a table that have a gradient, each once, and their gradients."""
    if not gradient.is_sparse:
        # `to_sparse` finds the same rows, but it sorts every number
        at = gradient.any(1).nonzero().squeeze(1)
        return at, gradient.index_select(0, at)
    (rows,) = gradient._indices()
    # Autograd forgets which gradients are coalesced, and to sort them again takes a while
    if not (rows[1:] > rows[:-1]).all():
        gradient = gradient.coalesce()
    return gradient._indices()[0], gradient._values()


def nadam(learning_rate: float) -> Optimizers:
    """Return Nadam (Dozat 2016) with Keras' defaults."""
    return lambda model: [torch.optim.NAdam(model.parameters(), learning_rate, eps=1e-7)]


def rmsprop(learning_rate: float) -> Optimizers:
    """Return RMSprop with Keras' defaults."""
    return lambda model: [
        torch.optim.RMSprop(model.parameters(), learning_rate, alpha=0.9, eps=1e-7)
    ]


def sgd(learning_rate: float) -> Optimizers:
    """Return plain stochastic gradient descent."""
    return lambda model: [torch.optim.SGD(model.parameters(), learning_rate)]


def clip_norm(maximum: float) -> Clip:
    """Scale all gradients down together where their norm exceeds `maximum`."""

    def clip(parameters: Iterable[nn.Parameter]) -> None:
        # One norm over all gradients; the scale stays a tensor, so a GPU does not wait for it
        parts = [_values(each) for each in parameters if each.grad is not None]
        scale = (maximum / (nn.utils.get_total_norm(parts) + 1e-6)).clamp(max=1.0)
        for part in parts:
            part.mul_(scale)

    return clip


def _values(parameter: nn.Parameter) -> torch.Tensor:
    """Return the gradient of a parameter; of a sparse one, the rows it has."""
    assert parameter.grad is not None
    if not parameter.grad.is_sparse:
        return parameter.grad
    parameter.grad = parameter.grad.coalesce()
    return parameter.grad.values()
