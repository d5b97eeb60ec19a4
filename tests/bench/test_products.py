"""Operations of matrix products, counted also where torch does not."""

import torch
from products import count_operations
from torch import nn


def test_those_of_an_lstm_are_counted_forward_and_backward():
    lstm, x = nn.LSTM(5, 7), torch.randn(3, 4, 5, requires_grad=True)
    # Of 3 steps and 4 rows: four gates of 7, from 5 inputs and 7 states
    forward = 2 * 3 * 4 * 4 * 7 * (5 + 7)
    assert count_operations(lambda: lstm(x)) == forward
    assert count_operations(lambda: lstm(x)[0].sum().backward()) == 3 * forward
