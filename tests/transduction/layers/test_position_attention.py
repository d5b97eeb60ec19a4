"""Attention to positions by their numbers."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from kasu.transduction.layers.position_attention import Positions


def positions(*, masked: bool = True) -> Positions:
    torch.manual_seed(7)
    return Positions(3, 6, masked=masked).double()


def some(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(8), dtype=torch.double)


def rows(*lengths: int) -> Tensor:
    return torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]


def test_it_has_one_score_for_each_position():
    made, query = positions(), some(1, 3)
    scores = query[0] @ made.score.weight.mT + made.score.bias
    torch.testing.assert_close(made(query, rows(4))[0], scores[:4].softmax(0))


@settings(max_examples=30)
@given(st.integers(1, 6), st.integers(1, 6))
def test_weights_are_a_slice_of_those_of_a_longer_source_and_sum_to_1(short, long):
    made, query = positions(), some(1, 3)
    short, long = sorted((short, long))
    one, other = made(query, rows(short))[0], made(query, rows(long))[0, :short]
    torch.testing.assert_close(one, other / other.sum())
    assert one.sum().item() == pytest.approx(1)
    both = made(query.expand(2, -1), rows(short, long))
    torch.testing.assert_close(both[0, :short], one)
    assert not both[0, short:].any()


def test_unmasked_the_weight_behind_the_source_is_lost():
    made, query = positions(masked=False), some(1, 3)
    (whole,), (part,) = made(query, rows(6)), made(query, rows(4))
    assert whole.sum().item() == pytest.approx(1)
    torch.testing.assert_close(part, whole[:4])
    both = made(query.expand(2, -1), rows(2, 4))
    torch.testing.assert_close(both[0], torch.cat([whole[:2], torch.zeros(2).double()]))
    masked = positions()(query, rows(4))[0]
    torch.testing.assert_close(masked, part / part.sum())
