"""Train networks on items: the same steps for every system."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar, cast

import numpy as np
import torch
from torch import Tensor

from kasu.base.errors import KasuError
from kasu.job.run import Progress, log, seed_of
from kasu.neural.batching import length_batches
from kasu.neural.optimizers import Clip, Optimizers
from kasu.neural.resume import Work
from kasu.neural.stacked import Stackable, Stacked
from kasu.neural.stopping import Stop
from kasu.neural.training import Trained, Training, fit_all, one_by_one
from kasu.transduction.items import Answer, Item
from kasu.transduction.search import TOGETHER

Batch = Any
"""What a network makes of items to learn from; its length is their number."""


class Network(Stackable[Batch], Protocol):
    """What `train` needs of a network, which is also an nn.Module.

    All its tensors are where its weights are; what it draws is drawn on the CPU, so that it is the
    same on every device.
    """

    def batch(self, items: Sequence[Item], seed: int, epoch: int) -> Batch:
        """Prepare items; `seed` is of all that `loss` draws for them."""
        ...

    def load_state_dict(self, state_dict: Mapping[str, Tensor]) -> object: ...

    def state_dict(self) -> Mapping[str, Tensor]: ...

    def loss(self, batch: Batch) -> Tensor:
        """Return the loss that training lowers, a scalar."""
        ...

    def answer(self, items: Sequence[Item], width: int = 1) -> list[Answer]:
        """Return the best forms for each item, found with a beam of `width`, or greedily."""
        ...


class Counting(Network, Protocol):
    """A network whose epoch is chosen by symbols."""

    def count_right(self, batch: Batch) -> tuple[int, int, float]:
        """Count the symbols of a batch.

        Returns:
            How many symbols are the most probable ones, how many there are, and the sum of their
            losses.
        """
        ...


@dataclass(frozen=True)
class Recipe:
    """How a network is trained.

    Attributes:
        batch_size: items in a batch.
        epochs: how many are expected, for the progress.
        stop: when training ends.
        optimizers: of the network's weights.
        clip: what is done to gradients before each step.
        validated: the items of dev that decide after each epoch. Without any, the last epoch is
            kept.
        measure: which epoch is kept: that of the highest `accuracy` of greedy answers, or of the
            lowest `loss` by item; `dropped_loss` is the loss with the dropout of training.
            `symbols`: of the most symbols that are the most probable ones where all symbols before
            are right, of as many that of the lowest loss; the network counts (see `Counting`).
        shuffled: each epoch draws another order of items; else they keep theirs.
        order: draws what an epoch learns, places of items in their order; None: all of them.
        share: of the items, which each epoch draws anew, one by one.
        made: further items to learn, which are not from the data.
        teacher: becomes the network's, if it is trained by one (kasu.transduction.edits.imitation).
        then: a further training, which starts from what the one before has kept. Where the further
            one scores worse, what was kept stays.
    """

    batch_size: int
    epochs: int
    stop: Stop
    optimizers: Optimizers
    clip: Clip | None = None
    validated: Sequence[Item] = ()
    measure: Literal["accuracy", "loss", "dropped_loss", "symbols"] = "accuracy"
    shuffled: bool = True
    order: Callable[[np.random.Generator], Sequence[int]] | None = None
    share: float = 1.0
    made: Sequence[Item] = ()
    teacher: object = None
    then: "Recipe | None" = None


def accuracy(answers: Sequence[Answer], items: Sequence[Item]) -> float:
    """Return the share of items whose first answer is the target."""
    pairs = zip(answers, items, strict=True)
    return sum(answer.forms[0] == item.target for answer, item in pairs) / len(items)


@torch.no_grad()
def mean_loss_of(
    network: Network, items: Sequence[Item], batch_size: int, key: Sequence[object]
) -> float:
    """Return the mean loss of items, in batches in their order; their seeds depend on `key`."""
    total = 0.0
    for start in range(0, len(items), batch_size):
        batch = network.batch(items[start : start + batch_size], seed_of(*key, start), 0)
        total += network.loss(batch).item() * len(batch)
    return total / len(items)


@torch.no_grad()
def share_of_right_symbols(network: Counting, items: Sequence[Item]) -> float:
    """Return the share of the symbols of items that are the most probable ones.

    One that is part right is added: the mean probability of all symbols, a geometric mean. So equal
    shares are ordered by their losses.
    """
    counts = [
        network.count_right(network.batch(items[start : start + TOGETHER], 0, 0))
        for start in range(0, len(items), TOGETHER)
    ]
    right, symbols, losses = map(sum, zip(*counts, strict=True))
    return (right + math.exp(-losses / symbols)) / symbols


BUCKETS = 10


def bucket_size(items: int, batch_size: int) -> int:
    """Return a batch size for programs that batch each tenth of the items by itself (`by_length`).

    With few items, that makes more and smaller batches.
    """
    return max(1, min(batch_size, -(-items // BUCKETS)))


def by_length(
    lengths: Sequence[int], batch_size: int
) -> Callable[[np.random.Generator], Sequence[int]]:
    """Return an `order` of a recipe in which the items of a batch have similar lengths."""

    def order(draw: np.random.Generator) -> list[int]:
        seed = int(draw.integers(2**31))
        batches = length_batches(np.array(lengths)[:, None], batch_size, seed)
        # The batches are cut from the order again, so a short one can only be the last
        batches.sort(key=lambda batch: len(batch) < batch_size)
        return [int(row) for batch in batches for row in batch]

    return order


N = TypeVar("N", bound=Network)


def train(
    make: Callable[[], N],
    items: Sequence[Item],
    recipe: Recipe,
    keys: Mapping[str, Sequence[object]],
    work: Work,
    device: torch.device | str = "cpu",
    *,
    stacked: bool = False,
) -> list[N | KasuError]:
    """Train networks that differ in their seeds, each from its state in `work` if there is one.

    Args:
        make: draws a network by torch's own generator.
        keys: by the name of each network, what all its seeds depend on.
        stacked: train all in one pass rather than one after another. Up to rounding, they end as
            the same networks (see kasu.neural.stacked).

    Returns:
        The networks with their best weights; or the error of those whose loss is NaN or infinite.
    """
    networks = [_draw(make, recipe, key).to(device) for key in keys.values()]
    if recipe.made:
        log.info("%d items, and %d made of them", len(items), len(recipe.made))
        items = [*items, *recipe.made]
    results = _fit(networks, items, recipe, keys, work, stacked)
    refinement = recipe.then
    while refinement:
        # Each training has its own seeds and states
        keys = {f"{name}-then": (*key, "then") for name, key in keys.items()}
        results = _refine(networks, results, items, refinement, keys, work, stacked)
        refinement = refinement.then
    trained: list[N | KasuError] = []
    for network, result in zip(networks, results, strict=True):
        if isinstance(result, KasuError):
            trained.append(result)
        else:
            network.load_state_dict(result[0])
            trained.append(network)
    return trained


Results = list[Trained | KasuError]


def _fit(
    networks: Sequence[Any],
    items: Sequence[Item],
    recipe: Recipe,
    keys: Mapping[str, Sequence[object]],
    work: Work,
    stacked: bool,
) -> Results:
    """Train networks from their present weights."""
    # Made one by one when they begin: the clock of their progress runs from then on
    trainings = (
        _training(network, items, recipe, *named)
        for network, named in zip(networks, keys.items(), strict=True)
    )
    if stacked:
        return fit_all([*trainings], Stacked(networks[0]), work)
    loss = one_by_one(lambda network, batch: network.loss(batch))
    return [result for each in trainings for result in fit_all([each], loss, work)]


def _refine(
    networks: Sequence[Any],
    results: Results,
    items: Sequence[Item],
    recipe: Recipe,
    keys: Mapping[str, Sequence[object]],
    work: Work,
    stacked: bool,
) -> Results:
    """Train networks further from the weights in `results`; keep the better weights of each."""
    # The training starts from the best weights of the one before
    going = [at for at, result in enumerate(results) if not isinstance(result, KasuError)]
    for at in going:
        weights, _ = cast(Trained, results[at])
        networks[at].load_state_dict(weights)
        networks[at].teacher = recipe.teacher
    chosen, names = [networks[at] for at in going], [*keys]
    further = {names[at]: keys[names[at]] for at in going}
    found = [*results]
    for at, result in zip(going, _fit(chosen, items, recipe, further, work, stacked), strict=True):
        # Without scores, the last epoch of all is kept
        if isinstance(result, KasuError) or _score(result) >= _score(cast(Trained, results[at])):
            found[at] = result
    return found


def _score(trained: Trained) -> float:
    return max((row["score"] for row in trained[1] if "score" in row), default=0.0)


def _draw(make: Callable[[], N], recipe: Recipe, key: Sequence[object]) -> Any:
    torch.manual_seed(seed_of(*key, "weights"))
    network = make()
    if recipe.teacher is not None:
        cast(Any, network).teacher = recipe.teacher
    return network


def _training(
    network: Any, items: Sequence[Item], recipe: Recipe, name: str, key: Sequence[object]
) -> Training[Batch]:
    progress = Progress(name, None, "items")
    passed = 0  # epochs

    def batches(epoch: int) -> list[Batch]:
        nonlocal passed
        passed = epoch
        draw = np.random.default_rng(seed_of(*key, "order", epoch))
        if recipe.order:
            order = np.array(recipe.order(draw))
        else:
            order = draw.permutation(len(items)) if recipe.shuffled else np.arange(len(items))
        # An order may leave items to another training
        progress.total = round(recipe.epochs * recipe.share * len(order))
        # Each item by its own draw; an epoch has one item at least
        if recipe.share < 1:
            drawn = order[draw.random(len(order)) < recipe.share]
            order = drawn if len(drawn) else order[:1]
        return [
            network.batch(
                [items[row] for row in order[start : start + recipe.batch_size]],
                seed_of(*key, "batch", epoch, start),
                epoch,
            )
            for start in range(0, len(order), recipe.batch_size)
        ]

    def validate() -> dict[str, float]:
        if not recipe.validated:
            return {}
        if recipe.measure == "symbols":
            return {"score": share_of_right_symbols(network, recipe.validated)}
        if recipe.measure != "accuracy":
            # Dropout of dev items differs from epoch to epoch, and is the same after a resume
            network.train(recipe.measure == "dropped_loss")
            held = (*key, "held out", passed)
            loss = mean_loss_of(network, recipe.validated, recipe.batch_size, held)
            network.eval()
            return {"score": -loss}
        return {"score": accuracy(network.answer(recipe.validated), recipe.validated)}

    return Training(
        network, batches, validate, name, recipe.stop, recipe.optimizers, recipe.clip,
        progress,
    )  # fmt: skip
