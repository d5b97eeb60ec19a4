import pytest
import torch
from torch import nn

from kasu.neural.initial import draw_as_keras
from kasu.neural.recurrent.networks import Recurrent, RecurrentCell


def test_linear_layers_are_uniform_and_have_no_bias():
    layer = draw_as_keras(nn.Linear(200, 100))
    bound = (6 / 300) ** 0.5
    assert 0.99 * bound < layer.weight.abs().max() <= bound
    assert layer.bias.count_nonzero() == 0


@pytest.mark.parametrize("directions", [1, 2])
def test_lstms_forget_little_at_first(directions):
    network = draw_as_keras(Recurrent("lstm", 30, 10, directions=directions))
    weights = dict(network.layers[0].kernel.named_parameters())
    assert len(weights) == 4 * directions
    for name, weight in weights.items():
        if "weight_ih" in name:
            bound = (6 / 70) ** 0.5
            assert 0.98 * bound < weight.abs().max() <= bound
        elif "weight_hh" in name:
            torch.testing.assert_close(weight.mT @ weight, torch.eye(10))
        elif "bias_ih" in name:
            assert weight.tolist() == [0] * 10 + [1] * 10 + [0] * 20
        else:
            assert weight.tolist() == [0] * 40
        assert weight.requires_grad != ("bias_hh" in name)


def test_a_constant_input_is_drawn_as_one_with_the_other():
    layer = draw_as_keras(RecurrentCell("lstm", 30, 10, constant=50)).layers[0]
    bound = (6 / 120) ** 0.5
    for weight in (layer.constant, layer.kernel.weight_ih_l0):
        assert 0.98 * bound < weight.abs().max() <= bound


@pytest.mark.parametrize("directions", [1, 2])
def test_grus_have_no_bias(directions):
    network = draw_as_keras(Recurrent("gru", 30, 10, directions=directions))
    for name, weight in network.layers[0].kernel.named_parameters():
        if "weight_ih" in name:
            bound = (6 / 60) ** 0.5
            assert 0.98 * bound < weight.abs().max() <= bound
        elif "weight_hh" in name:
            torch.testing.assert_close(weight.mT @ weight, torch.eye(10))
        else:
            assert weight.tolist() == [0] * 30
        assert weight.requires_grad != ("bias_hh" in name)


def test_embeddings_are_small():
    table = draw_as_keras(nn.Embedding(100, 20))
    assert 0.049 < table.weight.abs().max() <= 0.05


def test_frozen_tables_stay():
    table = nn.Embedding.from_pretrained(torch.eye(4))
    assert torch.equal(draw_as_keras(nn.ModuleList([table]))[0].weight, torch.eye(4))
