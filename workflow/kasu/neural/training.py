"""The training loop for small networks: best epoch, early stopping, resume.

A resumed training ends byte for byte like one that was never killed. Where several advance in one
pass, a kill while their states are saved may change the last digits.
"""

import math
from collections.abc import Callable, Generator, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor, nn

from kasu.base.errors import KasuError
from kasu.job.run import Progress, log
from kasu.neural.optimizers import Clip, Optimizers
from kasu.neural.resume import Work
from kasu.neural.stopping import History, Stop, best_epoch

B = TypeVar("B", bound=Sized)
Weights = dict[str, Tensor]
Trained = tuple[Weights, History]
Steps = Generator[Any, Any, Trained]
Gradients = Callable[[Sequence[nn.Module], Sequence[B]], Sequence[float]]


@dataclass(frozen=True)
class Training(Generic[B]):
    """A model, and how it is trained.

    Attributes:
        batches: returns the batches of an epoch (the first is 1), the same ones at every call.
            Whatever is drawn for a batch depends on the batch alone, or on torch's global
            generator.
        validate: returns measures after an epoch. The epoch with the highest `score` is the best,
            the earliest of equals; without scores, the last one is.
        name: of the state from which the training is resumed.
        progress: counts what was trained on, in the unit of `size`.
        size: returns how much of it a batch is; by default its number of items.
    """

    model: nn.Module
    batches: Callable[[int], Sequence[B]]
    validate: Callable[[], Mapping[str, float]]
    name: str
    stop: Stop
    optimizers: Optimizers
    clip: Clip | None = None
    progress: Progress | None = None
    size: Callable[[B], int] = len


def fit(
    model: nn.Module,
    batches: Callable[[int], Sequence[B]],
    loss: Callable[[B], Tensor],
    validate: Callable[[], Mapping[str, float]],
    *,
    name: str,
    stop: Stop,
    optimizers: Optimizers,
    clip: Clip | None = None,
    work: Work,
    progress: Progress | None = None,
    size: Callable[[B], int] = len,
) -> Trained:
    """Train a model; resume from its state in `work` if there is one.

    Args:
        loss: returns the mean loss over the items of a batch.
        model, batches, validate, name, stop, optimizers, clip, progress, size: see Training.

    Returns:
        The weights of the best epoch; and for each epoch `epoch`, `train_loss` (mean per item) and
        the measures.

    Raises:
        KasuError: the loss is NaN or infinite.
    """

    training = Training(model, batches, validate, name, stop, optimizers, clip, progress, size)
    (trained,) = fit_all([training], one_by_one(lambda _, batch: loss(batch)), work)
    if isinstance(trained, KasuError):
        raise trained
    return trained


def one_by_one(loss: Callable[[Any, B], Tensor]) -> Gradients[B]:
    """Compute the gradients of models that share nothing.

    Args:
        loss: returns the mean loss of a model over the items of a batch.
    """

    def gradients(models: Sequence[nn.Module], batches: Sequence[B]) -> list[float]:
        losses = []
        for model, batch in zip(models, batches, strict=True):
            value = loss(model, batch)
            value.backward()
            losses.append(value.item())
        return losses

    return gradients


def fit_all(
    trainings: Sequence[Training[B]],
    gradients: Gradients[B],
    work: Work,
) -> list[Trained | KasuError]:
    """Train models side by side, each as `fit` would alone.

    Args:
        gradients: computes the loss of each model on its batch, and leaves the gradients in its
            parameters, which have none before. Finished models are no longer among those that it
            is called with.

    Returns:
        For each model what `fit` returns or raises.
    """
    runs = [_Run(training) for training in trainings]
    results: dict[_Run, Trained | KasuError] = {}
    # The runs in progress, each with the batch whose loss it waits for
    waiting: dict[_Run, tuple[Steps, B]] = {}

    def advance(run: _Run, steps: Steps, value: float | None) -> None:
        waiting.pop(run, None)
        try:
            waiting[run] = steps, steps.send(value)
        except StopIteration as end:
            results[run] = end.value
        except KasuError as error:
            results[run] = error

    for run in runs:
        advance(run, run.steps(work), None)
    while waiting:
        # One step of all runs that still train
        values = gradients([run.model for run in waiting], [batch for _, batch in waiting.values()])
        for (run, (steps, _)), value in zip(list(waiting.items()), values, strict=True):
            advance(run, steps, value)
        if work.due():
            for run in waiting:
                work.save(run.name, run.state())
    return [results[run] for run in runs]


class _Run(Generic[B]):
    """A training in progress; `state` is everything needed to continue it."""

    def __init__(self, training: Training[B]) -> None:
        self.training, self.model, self.name = training, training.model, training.name
        self.optimizers = training.optimizers(training.model)
        # Listed once, as to find them takes a tenth of a small update
        self.weights = [*self.model.parameters()]
        self.device = self.weights[0].device
        self.epoch, self.step = 1, 0
        self.loss_sum, self.items = 0.0, 0
        self.done = 0  # in the unit of the progress
        self.best: Weights = {}
        self.history: History = []

    def steps(self, work: Work) -> Steps:
        """Yield each batch; go on when its loss is sent and its gradients are in the parameters."""
        training, state = self.training, work.load(self.name)
        if state and "finished" in state:
            return state["best"], state["history"]
        if state:
            self.restore(state)
            log.info("%s: resumes at epoch %d, step %d", self.name, self.epoch, self.step)
        decision = training.stop.after(self.history) if self.history else "go"
        while decision != "stop":
            plan = training.batches(self.epoch)
            self.model.train()
            for batch in plan[self.step :]:  # a resumed epoch continues after its last step
                for weight in self.weights:
                    weight.grad = None
                self.update(batch, (yield batch))
            self.check_weights()
            self.model.eval()
            self.end_epoch(training.validate())
            decision = training.stop.after(self.history)
            # No state is saved before it, so that a resumed training never reloads twice
            if decision == "reload":
                self.reload()
        work.save(self.name, {"finished": True, "best": self.best, "history": self.history})
        return self.best, self.history

    def update(self, batch: B, loss: float) -> None:
        self.step += 1
        if not math.isfinite(loss):
            raise self.diverged(f"loss {loss}", "a finite loss")
        if self.training.clip:
            self.training.clip(self.weights)
        for optimizer in self.optimizers:
            optimizer.step()
        self.loss_sum += loss * len(batch)
        self.items += len(batch)
        size = self.training.size(batch)
        self.done += size
        if self.training.progress:
            self.training.progress.add(size)

    def check_weights(self) -> None:
        """Check the weights: the last step of an epoch may diverge without a loss that shows it."""
        if not all(weight.isfinite().all() for weight in self.weights):
            raise self.diverged("infinite weights", "finite ones")

    def diverged(self, found: str, expected: str) -> KasuError:
        found = f"{found} at epoch {self.epoch}, step {self.step}"
        hint = "a lower learning_rate may help"
        return KasuError(f"training of {self.name}", found, f"{expected} ({hint})")

    def end_epoch(self, measures: Mapping[str, float]) -> None:
        train_loss = self.loss_sum / self.items
        row: dict[str, float] = {"epoch": self.epoch, "train_loss": train_loss, **measures}
        self.history.append(row)
        # Copies: the optimizer goes on changing the weights in place
        if best_epoch(self.history) == self.epoch:
            self.best = {key: weight.clone() for key, weight in self._weights().items()}
        log.info("%s: %s", self.name, ", ".join(f"{key} {row[key]:.5g}" for key in row))
        self.epoch, self.step = self.epoch + 1, 0
        self.loss_sum, self.items = 0.0, 0

    def reload(self) -> None:
        """Go back to the best weights at half the rate; optimizers keep their running means."""
        self.model.load_state_dict(self.best)
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] /= 2
        log.info("%s: again from epoch %d, at half the rate", self.name, best_epoch(self.history))

    def _weights(self) -> Weights:
        return {key: weight.cpu() for key, weight in self.model.state_dict().items()}

    def state(self) -> dict[str, object]:
        cuda = self.device.type == "cuda"
        return {
            "model": self._weights(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "random": torch.get_rng_state(),
            "cuda_random": torch.cuda.get_rng_state(self.device) if cuda else None,
            **{key: getattr(self, key) for key in _KEPT},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        for optimizer, kept in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(kept)
        torch.set_rng_state(state["random"])
        if self.device.type == "cuda" and state["cuda_random"] is not None:
            torch.cuda.set_rng_state(state["cuda_random"], self.device)
        for key in _KEPT:
            setattr(self, key, state[key])
        if self.training.progress:
            self.training.progress.skip(self.done)


# Attributes of a run that its state holds as they are
_KEPT = ("epoch", "step", "loss_sum", "items", "done", "best", "history")
