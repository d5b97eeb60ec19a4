"""Models of one architecture that are computed together, as one model with stacked weights.

It is meant for a GPU, which a single small model leaves idle, and it changes nothing but the time:
`fit_all` trains each model on its own batches, with its own optimizer, until its own stop.
"""

import copy
from collections import defaultdict
from collections.abc import Mapping, Sequence, Sized
from functools import partial
from typing import ClassVar, Generic, Protocol, TypeVar, cast

import torch
from torch import Tensor, nn
from torch.func import functional_call, vmap

from kasu.neural.recurrent.networks import use_plain

B = TypeVar("B", bound=Sized, contravariant=True)


class Stackable(Protocol[B]):
    """What `Stacked` needs of a model, which is also an nn.Module.

    Attributes:
        PADDING: of weights and buffers by name, where it is not 0. Biases of scores have -inf, so
            that a symbol that only other alphabets have is never probable.
    """

    PADDING: ClassVar[Mapping[str, float]]

    def inputs(self, batch: B) -> Sequence[Tensor]:
        """Return the tensors of a batch, dropout masks among them; 0 is padding."""
        ...

    def __call__(self, *inputs: Tensor) -> Tensor:
        """Return the mean loss over the items of a batch, by what `torch.func.vmap` can run."""
        ...


class Stacked(Generic[B]):
    """The `gradients` of `fit_all` for models of one architecture, in one pass.

    Tensors whose sizes differ between models, as alphabets and lengths of sequences do, are padded
    at their ends. Batches with different numbers of items are computed apart. Recurrent networks
    compute in plain operations. What is frozen in the first model is so in all, and stays as it is.

    Args:
        model: one of the models.
    """

    def __init__(self, model: Stackable[B]) -> None:
        self.padding = model.PADDING
        self.frame = copy.deepcopy(cast(nn.Module, model))  # its weights are never used
        use_plain(self.frame)
        for module in self.frame.modules():
            if isinstance(module, nn.Embedding):
                module.sparse = False  # gradients of stacked tables are dense

    def __call__(self, models: Sequence[nn.Module], batches: Sequence[B]) -> list[float]:
        """Compute the loss of each model on its batch; leave the gradients in its parameters."""
        # Only batches of as many items have inputs that can be stacked
        groups: dict[int, list[int]] = defaultdict(list)
        for number, batch in enumerate(batches):
            groups[len(batch)].append(number)
        losses: dict[int, float] = {}
        for numbers in groups.values():
            chosen = [models[number] for number in numbers]
            inputs = [models[number].inputs(batches[number]) for number in numbers]
            losses.update(zip(numbers, self._gradients(chosen, inputs), strict=True))
        return [losses[number] for number in range(len(models))]

    def _gradients(
        self, models: Sequence[nn.Module], inputs: Sequence[Sequence[Tensor]]
    ) -> list[float]:
        # The weights of all models, stacked to (K, …) and padded to the largest sizes
        parameters = [dict(model.named_parameters()) for model in models]
        weights = self._stack(parameters)
        trained = [name for name, weight in parameters[0].items() if weight.requires_grad]
        for name in trained:
            weights[name].requires_grad_()
        buffers = self._stack([dict(model.named_buffers()) for model in models])
        # One call of the model for all K rows of weights and inputs
        together = tuple(_padded(tensors, 0) for tensors in zip(*inputs, strict=True))
        losses = vmap(partial(functional_call, self.frame))(weights | buffers, together)
        # The losses share no weights, so the gradient of their sum holds the gradient of each
        gradients = torch.autograd.grad(losses.sum(), [weights[name] for name in trained])
        for name, gradient in zip(trained, gradients, strict=True):
            for each, part in zip(parameters, gradient, strict=True):
                # Without padding. A copy, since two weights may have one gradient, which clipping
                # would scale twice. Contiguous, since Adam's CPU kernel reads a gradient as if it
                # were laid out as its weight
                kept = part[tuple(map(slice, each[name].shape))]
                each[name].grad = kept.clone(memory_format=torch.contiguous_format)
        return losses.tolist()

    def _stack(self, models: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
        """Stack the tensors of all models by name, (K, …)."""
        return {
            name: _padded([model[name].detach() for model in models], self.padding.get(name, 0))
            for name in models[0]
        }


def _padded(tensors: Sequence[Tensor], value: float) -> Tensor:
    """Stack tensors (…) as (K, …), with `value` after the ends of what is smaller."""
    if len({each.shape for each in tensors}) == 1:
        return torch.stack(list(tensors))
    sizes = [max(each) for each in zip(*(each.shape for each in tensors), strict=True)]
    stacked = tensors[0].new_full((len(tensors), *sizes), value)
    for place, each in zip(stacked, tensors, strict=True):
        place[tuple(map(slice, each.shape))] = each
    return stacked
