"""Weights as DyNet draws them: bounds that it states, reached but not passed."""

import pytest
import torch
from torch import nn

from kasu.neural.dynet import draw_lstm, draw_matrix, draw_table, draw_vector


def reach(weight):
    return weight.abs().max().item()


def test_columns_of_a_matrix_are_drawn_as_a_whole():
    left, right = torch.empty(8, 500), torch.empty(8, 92)
    draw_matrix(left, right, rows=8)
    # sqrt(6 / (8 + 592))
    for part in (left, right):
        assert reach(part) == pytest.approx(0.1, abs=0.002)
        assert reach(part) <= 0.1


def test_matrices_one_below_the_other_are_drawn_each_for_itself():
    weight = torch.empty(300, 500)
    draw_matrix(weight, rows=100)
    assert reach(weight) == pytest.approx(0.1, abs=0.001)


def test_vectors_and_tables():
    vector, table = torch.empty(300), nn.Embedding(9, 300)
    draw_vector(vector)
    draw_table(table)
    assert reach(vector) == pytest.approx(0.1, abs=0.003)
    assert reach(table.weight.data) == pytest.approx(0.1, abs=0.001)


def test_an_lstm_remembers_at_first():
    kernel = nn.LSTM(200, 100, bidirectional=True)
    draw_lstm(kernel)
    assert reach(kernel.weight_ih_l0.data) == pytest.approx(0.1, abs=0.001)
    assert reach(kernel.weight_hh_l0_reverse.data) == pytest.approx(0.012**0.5, abs=0.001)
    for side in ("l0", "l0_reverse"):
        # Gates in order: input, forget, cell, output
        bias = getattr(kernel, f"bias_ih_{side}") + getattr(kernel, f"bias_hh_{side}")
        assert [set(part.tolist()) for part in bias.chunk(4)] == [{0.0}, {1.0}, {0.0}, {0.0}]


def test_biases_learn_as_fast_as_weights():
    """In one step of Adam every number moves by the rate."""
    kernel = nn.LSTM(3, 2)
    draw_lstm(kernel)
    optimizer = torch.optim.Adam([*kernel.parameters()], lr=0.001)

    def biases():
        return (kernel.bias_ih_l0 + kernel.bias_hh_l0).detach().clone()

    before = biases()
    kernel(torch.ones(4, 1, 3))[0].sum().backward()
    optimizer.step()
    assert (biases() - before).abs().tolist() == pytest.approx([0.001] * 8, rel=0.01)
