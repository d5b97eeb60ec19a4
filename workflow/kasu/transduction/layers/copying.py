"""Copying: a decoder that generates a symbol or points to one of the source."""

import torch
from torch import Tensor
from torch.nn import functional

FLOOR = 1e-12
"""Added to probabilities, whose logarithm would else be infinite."""


def mixture(
    vocabulary: Tensor, attention: Tensor, copied: Tensor, generate: Tensor, size: int
) -> Tensor:
    """Log probabilities of a pointer-generator (See, Liu & Manning 2017, equation 9).

    The probability of a symbol is `generate` times its probability in the vocabulary, plus the rest
    times the attention to the positions where it stands.

    Args:
        vocabulary: (B, M, V), probabilities over the alphabet.
        attention: (B, M, L), weights over positions.
        copied: (B, L), the ids at these positions, those of foreign symbols included.
        generate: (B, M, 1), the probability of not copying.
        size: the number of ids, V or more.

    Returns:
        (B, M, size)
    """
    # Foreign symbols have ids after the vocabulary, and can only be copied
    generated = functional.pad(generate * vocabulary, (0, size - vocabulary.shape[-1]))
    # The attention to all positions of a symbol, added up: (B, M, size)
    pointed = torch.bmm(attention, functional.one_hot(copied, size).to(attention.dtype))
    return torch.log(generated + (1 - generate) * pointed + FLOOR)
