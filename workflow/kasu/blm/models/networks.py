"""The networks that complete a matrix, their loss and how they choose (An et al. 2023 §3.1)."""

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from kasu.base.errors import KasuError

CONTEXT = 7  # sentences in a context
MARGIN = 1.0

# Hidden width of the FFNN by the width of sentence vectors: in the paper, and in the released code
SIZES = {"paper": lambda width: CONTEXT * width // 2, "released": lambda width: 2 * width}
SCORES = ("cosine", "dot")


class FFNN(nn.Module):
    """Three linear layers, each with a ReLU, on the concatenated vectors of the context (BLM-11).

    The ReLU after the last layer is the authors': predicted vectors have no negative numbers.
    """

    def __init__(self, width: int, hidden: int) -> None:
        """Build the network with random weights.

        Args:
            width: of a sentence vector.
            hidden: width of both hidden layers (SIZES).
        """
        super().__init__()
        sizes = (CONTEXT * width, hidden, hidden, width)
        layers = [nn.Linear(*pair) for pair in pairwise(sizes)]
        self.layers = nn.Sequential(*(each for layer in layers for each in (layer, nn.ReLU())))

    def forward(self, context: Tensor) -> Tensor:
        """Predict the answer's vectors (B, width) from contexts (B, 7, width)."""
        return self.layers(context.flatten(1))


class CNN(nn.Module):
    """Three 3 x 3 convolutions over the context as an image, then a linear layer (BLM-12).

    The image has one row per sentence and one column per number of a vector. Each convolution
    removes two of both: 7, 5, 3, then 1 row.
    """

    def __init__(self, width: int) -> None:
        """Build the network with random weights for sentence vectors of `width` (at least 7)."""
        super().__init__()
        channels = (1, 4, 8, 16)
        self.convolutions = nn.ModuleList(
            nn.Conv2d(*pair, kernel_size=3) for pair in pairwise(channels)
        )
        self.last = nn.Linear(channels[-1] * (width - 6), width)

    def forward(self, context: Tensor) -> Tensor:
        """Predict the answer's vectors (B, width) from contexts (B, 7, width)."""
        image = context.unsqueeze(1)  # (B, channels, sentences, width)
        for convolution in self.convolutions:
            image = convolution(image).relu_()
        return self.last(image.flatten(1)).relu_()


def make_network(model: str, sizes: str, width: int) -> FFNN | CNN:
    """Build a network with random weights.

    Args:
        model: `FFNN` or `CNN`.
        sizes: a key of SIZES; the CNN has one size only.
        width: of a sentence vector.

    Raises:
        KasuError: unknown model or sizes, or vectors too short for the CNN.
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
    """Score how close each candidate is to the prediction (BLM-13, BLM-14).

    Args:
        predicted: (B, width).
        candidates: (B, candidates, width).
        score: `cosine` of the two vectors (the paper) or their `dot` product (the code).

    Returns:
        (B, candidates). The cosine with a vector of zeros is 0.

    Raises:
        KasuError: unknown score.
    """
    if score not in SCORES:
        raise KasuError("score", repr(score), " or ".join(SCORES))
    if score == "cosine":
        predicted = functional.normalize(predicted, dim=-1)
        candidates = functional.normalize(candidates, dim=-1)
    return torch.bmm(candidates, predicted.unsqueeze(2)).squeeze(2)


def margin_loss(predicted: Tensor, candidates: Tensor, answer: Tensor, score: str) -> Tensor:
    """Return the hinge loss of the right candidate against each wrong one (BLM-13), batch mean.

    With `cosine`, as in the paper, the five hinges of a problem are summed; with `dot`, as in the
    code, averaged.

    Args:
        predicted: (B, width).
        candidates: (B, candidates, width).
        answer: (B,), which candidate is right.
    """
    scores = score_candidates(predicted, candidates, score)
    right = scores.gather(1, answer.unsqueeze(1))
    # The hinge of the right candidate with itself would be the margin: set it to 0
    hinges = (MARGIN - right + scores).relu().scatter(1, answer.unsqueeze(1), 0.0)
    wrong = scores.shape[1] - 1
    return hinges.sum(1).mean() / (1 if score == "cosine" else wrong)


def choose(predicted: Tensor, candidates: Tensor, score: str) -> Tensor:
    """Choose the candidate with the highest score, the first of equals: (B,)."""
    return score_candidates(predicted, candidates, score).argmax(1)
