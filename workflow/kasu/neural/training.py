"""The training loop for small networks: best epoch, early stopping, byte-exact resume."""

import math
from collections.abc import Callable, Mapping, Sequence, Sized
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from kasu.base.errors import KasuError
from kasu.base.run import log
from kasu.neural.resume import Work

B = TypeVar("B", bound=Sized)
Weights = dict[str, Tensor]
History = list[dict[str, float]]


def make_optimizers(model: nn.Module, learning_rate: float) -> list[torch.optim.Optimizer]:
    """Adam for all weights but sparse embedding tables, which get its lazy form.

    Lazy Adam updates only the rows that a batch has read. Plain Adam would update every row at
    every step: 45 million numbers for the paper's vocabularies, more work than the network itself.
    """
    tables = [
        module.weight
        for module in model.modules()
        if isinstance(module, nn.Embedding | nn.EmbeddingBag) and module.sparse
    ]
    sparse = {id(table) for table in tables}
    rest = [weight for weight in model.parameters() if id(weight) not in sparse]
    optimizers: list[torch.optim.Optimizer] = [torch.optim.Adam(rest, learning_rate, fused=True)]
    if tables:
        optimizers.append(torch.optim.SparseAdam(tables, learning_rate))
    return optimizers


def fit(
    model: nn.Module,
    batches: Callable[[int], Sequence[B]],
    loss: Callable[[B], Tensor],
    validate: Callable[[], Mapping[str, float]],
    *,
    name: str,
    epochs: int,
    patience: int,
    learning_rate: float,
    work: Work,
    after_step: Callable[[B], None],
) -> tuple[Weights, History]:
    """Train `model`; resume from the state `name` of `work` if there is one.

    Args:
        batches: returns the batches of an epoch (the first is 1), the same ones at every call.
        loss: returns the mean loss over the items of a batch.
        validate: returns measures after an epoch. The epoch with the highest `score` is the best,
            the earliest of equals.
        epochs: the maximal number of epochs.
        patience: stop after this many epochs without a better score.
        after_step: called with each batch after it was trained on, for progress.

    Returns:
        The weights of the best epoch; and for each epoch `epoch`, `train_loss` (mean per item) and
        the measures.

    Raises:
        KasuError: the loss is NaN or infinite.
    """
    run = _Run(model, make_optimizers(model, learning_rate), name)
    state = work.load(name)
    if state and "done" in state:
        return state["best"], state["history"]
    if state:
        run.restore(state)
        log.info("%s: resumes at epoch %d, step %d", name, run.epoch, run.step)
    while run.epoch <= epochs and run.idle_epochs() < patience:
        plan = batches(run.epoch)
        model.train()
        for batch in plan[run.step :]:  # a resumed epoch continues after its last step
            run.train(loss, batch)
            after_step(batch)
            if work.due():
                work.save(name, run.state())
        model.eval()
        run.end_epoch(validate())
        if work.due():  # not after every epoch: short ones would spend their time writing states
            work.save(name, run.state())
    work.save(name, {"done": True, "best": run.best, "history": run.history})
    return run.best, run.history


class _Run:
    """A training run in progress; `state` is everything needed to continue it."""

    def __init__(
        self, model: nn.Module, optimizers: list[torch.optim.Optimizer], name: str
    ) -> None:
        self.model, self.optimizers, self.name = model, optimizers, name
        self.device = next(model.parameters()).device
        self.epoch, self.step = 1, 0
        self.loss_sum, self.items = 0.0, 0
        self.best: Weights = {}
        self.history: History = []

    def train(self, loss: Callable[[B], Tensor], batch: B) -> None:
        value = loss(batch)
        self.step += 1
        if not math.isfinite(value.item()):
            raise KasuError(
                f"training of {self.name}",
                f"loss {value.item()} at epoch {self.epoch}, step {self.step}",
                "a finite loss (a lower learning_rate may help)",
            )
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        value.backward()
        for optimizer in self.optimizers:
            optimizer.step()
        self.loss_sum += value.item() * len(batch)
        self.items += len(batch)

    def end_epoch(self, measures: Mapping[str, float]) -> None:
        train_loss = self.loss_sum / self.items
        row: dict[str, float] = {"epoch": self.epoch, "train_loss": train_loss, **measures}
        if all(row["score"] > earlier["score"] for earlier in self.history):
            self.best = {key: weight.clone() for key, weight in self._weights().items()}
        self.history.append(row)
        log.info("%s: %s", self.name, ", ".join(f"{key} {row[key]:.5g}" for key in row))
        self.epoch, self.step = self.epoch + 1, 0
        self.loss_sum, self.items = 0.0, 0

    def idle_epochs(self) -> int:
        """Epochs since the best one."""
        return len(self.history) - best_epoch(self.history) if self.history else 0

    def _weights(self) -> Weights:
        return {key: weight.cpu() for key, weight in self.model.state_dict().items()}

    def state(self) -> dict[str, object]:
        cuda = self.device.type == "cuda"
        return {
            "model": self._weights(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "random": torch.get_rng_state(),
            "cuda_random": torch.cuda.get_rng_state(self.device) if cuda else None,
            **{key: getattr(self, key) for key in _PLAIN},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        for optimizer, kept in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(kept)
        torch.set_rng_state(state["random"])
        if self.device.type == "cuda" and state["cuda_random"] is not None:
            torch.cuda.set_rng_state(state["cuda_random"], self.device)
        for key in _PLAIN:
            setattr(self, key, state[key])


# Attributes of a run that its state holds as they are
_PLAIN = ("epoch", "step", "loss_sum", "items", "best", "history")


def best_epoch(history: History) -> int:
    """The epoch with the highest score, the earliest of equals."""
    return int(max(history, key=lambda row: (row["score"], -row["epoch"]))["epoch"])
