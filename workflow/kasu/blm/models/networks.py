"""The networks that complete a matrix, their loss and their decision (An et al. 2023 §3.1)."""

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from kasu.base.errors import KasuError

CONTEXT = 7  # sentences before the one that is asked for
MARGIN = 1.0

# Hidden width of the FFNN for sentence vectors of a width: as the paper says, as the code has it
SIZES = {"paper": lambda width: CONTEXT * width // 2, "released": lambda width: 2 * width}
SCORES = ("cosine", "dot")


class FFNN(nn.Module):
    """Three layers on the vectors of the context in a row, each with a ReLU (BLM-11).

    The ReLU after the last layer is the authors': no number of a predicted vector is negative.
    """

    def __init__(self, width: int, hidden: int) -> None:
        """Build it with random weights.

        Args:
            width: numbers of a sentence vector.
            hidden: numbers of both hidden layers (SIZES).
        """
        super().__init__()
        sizes = (CONTEXT * width, hidden, hidden, width)
        layers = [nn.Linear(*pair) for pair in pairwise(sizes)]
        self.layers = nn.Sequential(*(each for layer in layers for each in (layer, nn.ReLU())))

    def forward(self, context: Tensor) -> Tensor:
        """Predicted vectors (B, width) of contexts (B, 7, width)."""
        return self.layers(context.flatten(1))


class CNN(nn.Module):
    """Three 3 x 3 convolutions over the context as an image of one channel, then a layer (BLM-12).

    Rows are sentences: 7, 5, 3, 1; columns are numbers of a vector: two fewer a convolution.
    """

    def __init__(self, width: int) -> None:
        """Build it with random weights for sentence vectors of `width` (7 at least)."""
        super().__init__()
        channels = (1, 4, 8, 16)
        self.convolutions = nn.ModuleList(
            nn.Conv2d(*pair, kernel_size=3) for pair in pairwise(channels)
        )
        self.last = nn.Linear(channels[-1] * (width - 6), width)

    def forward(self, context: Tensor) -> Tensor:
        """Predicted vectors (B, width) of contexts (B, 7, width)."""
        image = context.unsqueeze(1)
        for convolution in self.convolutions:
            image = convolution(image).relu_()
        return self.last(image.flatten(1)).relu_()


def make_network(model: str, sizes: str, width: int) -> FFNN | CNN:
    """A network with random weights.

    Args:
        model: `FFNN` or `CNN`.
        sizes: a key of SIZES; the CNN has one size.
        width: numbers of a sentence vector.

    Raises:
        KasuError: no such model or sizes, or vectors too short for the CNN.
    """
    if sizes not in SIZES:
        raise KasuError("sizes", repr(sizes), " or ".join(SIZES))
    if model == "FFNN":
        return FFNN(width, SIZES[sizes](width))
    if model != "CNN":
        raise KasuError("model", repr(model), "FFNN or CNN")
    if width < CONTEXT:
        raise KasuError("CNN", f"sentence vectors of {width} numbers", f"{CONTEXT} or more")
    return CNN(width)


def score_candidates(predicted: Tensor, candidates: Tensor, score: str) -> Tensor:
    """How near each candidate is to the prediction (BLM-13, BLM-14).

    Args:
        predicted: (B, width).
        candidates: (B, candidates, width).
        score: `cosine` of the two vectors (the paper) or their `dot` product (the code).

    Returns:
        (B, candidates). The cosine with a vector of zeros is 0.

    Raises:
        KasuError: another score.
    """
    if score not in SCORES:
        raise KasuError("score", repr(score), " or ".join(SCORES))
    if score == "cosine":
        predicted = functional.normalize(predicted, dim=-1)
        candidates = functional.normalize(candidates, dim=-1)
    return torch.bmm(candidates, predicted.unsqueeze(2)).squeeze(2)


def margin_loss(predicted: Tensor, candidates: Tensor, answer: Tensor, score: str) -> Tensor:
    """The hinge between the right candidate and each wrong one (BLM-13), the mean of a batch.

    With `cosine`, as in the paper, the five hinges of a problem are summed; with `dot`, as in the
    code, averaged.

    Args:
        predicted: (B, width).
        candidates: (B, candidates, width).
        answer: (B), which candidate is right.
    """
    scores = score_candidates(predicted, candidates, score)
    right = scores.gather(1, answer.unsqueeze(1))
    hinges = (MARGIN - right + scores).relu().scatter(1, answer.unsqueeze(1), 0.0)
    wrong = scores.shape[1] - 1
    return hinges.sum(1).mean() / (1 if score == "cosine" else wrong)


def choose(predicted: Tensor, candidates: Tensor, score: str) -> Tensor:
    """The nearest candidate of each problem, the first shown of equals: (B)."""
    return score_candidates(predicted, candidates, score).argmax(1)
