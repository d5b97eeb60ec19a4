import weakref

import torch
from torch import Tensor

from kasu.transduction.layers.attended_sequence import AttendedSequence

STEPS, ROWS, SIZE, WIDTH, LENGTHS = 4, 3, 2, 3, (5, 2)


def given(asking: int = SIZE) -> list[Tensor]:
    """Two memories; the first has padding in its second row. `asking` is the width of queries."""
    draw = torch.Generator().manual_seed(1)

    def some(*shape: int) -> Tensor:
        return torch.randn(*shape, dtype=torch.float64, generator=draw).requires_grad_()

    tensors = [
        some(STEPS, ROWS, 4 * SIZE), some(ROWS, SIZE), some(ROWS, SIZE), some(4 * SIZE, SIZE),
        some(2 * WIDTH, asking), some(2 * WIDTH),
    ]  # fmt: skip
    for length in LENGTHS:
        padding = torch.zeros(ROWS, length, dtype=torch.float64)
        padding[1, 3:] = -torch.inf
        tensors += [some(ROWS, length, WIDTH), padding, some(WIDTH), some(ROWS, length, 4 * SIZE)]
    return tensors


def test_the_backward_pass_is_that_of_the_forward_pass():
    assert torch.autograd.gradcheck(AttendedSequence.apply, given())


def test_so_it_is_where_the_cell_queries_too():
    assert torch.autograd.gradcheck(AttendedSequence.apply, given(2 * SIZE))


def test_padding_has_no_weight():
    _, weights, _ = AttendedSequence.apply(*given())
    assert not weights[:, 1, 3:].any()
    assert torch.allclose(weights.sum(2), torch.ones(STEPS, ROWS, dtype=torch.float64))


def test_memory_is_freed():
    _, weights, _ = AttendedSequence.apply(*given())
    kept = weakref.ref(weights)
    weights.sum().backward()
    del weights
    assert kept() is None
