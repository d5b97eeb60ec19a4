import weakref

import torch
from torch import Tensor

from kasu.transduction.layers.attended_sequence import AttendedSequence

STEPS, ROWS, SIZE, WIDTH, LENGTH = 4, 3, 2, 3, 5


def given() -> list[Tensor]:
    """A memory with padding in its second row."""
    draw = torch.Generator().manual_seed(1)

    def some(*shape: int) -> Tensor:
        return torch.randn(*shape, dtype=torch.float64, generator=draw).requires_grad_()

    padding = torch.zeros(ROWS, LENGTH, dtype=torch.float64)
    padding[1, 3:] = -torch.inf
    return [
        some(STEPS, ROWS, 4 * SIZE), some(ROWS, SIZE), some(ROWS, SIZE), some(4 * SIZE, SIZE),
        some(WIDTH, 2 * SIZE), some(ROWS, LENGTH, WIDTH), padding, some(WIDTH),
        some(ROWS, LENGTH, 4 * SIZE),
    ]  # fmt: skip


def test_the_backward_pass_is_that_of_the_forward_pass():
    assert torch.autograd.gradcheck(AttendedSequence.apply, given())


def test_padding_has_no_weight():
    _, weights = AttendedSequence.apply(*given())
    assert not weights[:, 1, 3:].any()
    assert torch.allclose(weights.sum(2), torch.ones(STEPS, ROWS, dtype=torch.float64))


def test_memory_is_freed():
    _, weights = AttendedSequence.apply(*given())
    kept = weakref.ref(weights)
    weights.sum().backward()
    del weights
    assert kept() is None
