"""Train a network on items: the same steps for every system."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

import numpy as np
import torch
from torch import Tensor, nn

from kasu.base.run import Progress, seed_of
from kasu.neural.optimizers import Clip, Optimizers
from kasu.neural.resume import Work
from kasu.neural.stopping import Stop
from kasu.neural.training import fit
from kasu.transduction.items import Answer, Item

Batch = Any
"""What a network makes of items to learn from; its length is their number."""


class Network(Protocol):
    """What `train` needs of a network, which is also an nn.Module."""

    def batch(self, items: Sequence[Item], seed: int, epoch: int) -> Batch:
        """Prepare items; `seed` is of all that `loss` draws for them."""
        ...

    def load_state_dict(self, state_dict: Mapping[str, Tensor]) -> object: ...

    def loss(self, batch: Batch) -> Tensor:
        """The loss that training lowers, a scalar."""
        ...

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """The best forms for each item, found with a beam of `width`, or greedily."""
        ...


@dataclass(frozen=True)
class Recipe:
    """How a network is trained.

    Attributes:
        batch_size: items in a batch; each epoch draws another order.
        epochs: how many are expected, for the progress.
        stop: when training ends.
        optimizers: of the network's weights.
        clip: what is done to gradients before each step.
        validated: the items of dev that are answered after each epoch, greedily; the epoch of
            highest accuracy is kept. Without any, the last epoch is.
        teacher: becomes the network's, if that is trained by one (kasu.transduction.imitation).
    """

    batch_size: int
    epochs: int
    stop: Stop
    optimizers: Optimizers
    clip: Clip | None = None
    validated: Sequence[Item] = ()
    teacher: object = None


def accuracy(answers: Sequence[Answer], items: Sequence[Item]) -> float:
    """The share of items whose first answer is the target."""
    pairs = zip(answers, items, strict=True)
    return sum(answer.forms[0] == item.target for answer, item in pairs) / len(items)


N = TypeVar("N", bound=Network)


def train(
    make: Callable[[], N], items: Sequence[Item], recipe: Recipe, key: Sequence[object], work: Work
) -> N:
    """Train a network, from its state in `work` if there is one, and give it its best weights.

    Args:
        make: draws a network by torch's own generator.
        key: what all seeds depend on; together its parts are the name of the network.

    Raises:
        KasuError: the loss is NaN or infinite.
    """
    torch.manual_seed(seed_of(*key, "weights"))
    network = make()
    if recipe.teacher is not None:
        cast(Any, network).teacher = recipe.teacher
    name = "-".join(map(str, key))
    progress = Progress(name, recipe.epochs * len(items), "items")

    def batches(epoch: int) -> list[Batch]:
        order = np.random.default_rng(seed_of(*key, "order", epoch)).permutation(len(items))
        return [
            network.batch(
                [items[row] for row in order[start : start + recipe.batch_size]],
                seed_of(*key, "batch", epoch, start),
                epoch,
            )
            for start in range(0, len(items), recipe.batch_size)
        ]

    def validate() -> dict[str, float]:
        if not recipe.validated:
            return {}
        return {"score": accuracy(network.answer(recipe.validated), recipe.validated)}

    best, _ = fit(
        cast(nn.Module, network), batches, network.loss, validate,
        name=name, stop=recipe.stop, optimizers=recipe.optimizers, clip=recipe.clip, work=work,
        after_step=lambda batch: progress.add(len(batch)),
    )  # fmt: skip
    network.load_state_dict(best)
    return network
