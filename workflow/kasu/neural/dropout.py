"""Dropout masks, drawn outside of networks.

A network takes its masks as inputs, so that a resumed step, or networks that are trained together,
see the masks that a step of its own would have seen.
"""

from collections.abc import Sequence

import torch
from torch import Tensor


def keep(shape: Sequence[int], p: float, generator: torch.Generator) -> Tensor:
    """Draw a mask to multiply with: 0 with probability p, else 1 / (1 - p).

    A length of 1 in `shape` shares the mask: (B, 1, D) drops the same units of a sequence at each
    of its positions (Gal & Ghahramani 2016).
    """
    mask = torch.empty(*shape, device=generator.device)
    return mask.bernoulli_(1 - p, generator=generator).div_(1 - p)
