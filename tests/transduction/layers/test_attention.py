import pytest
import torch

from kasu.transduction.layers.attention import Additive


def attention() -> Additive:
    torch.manual_seed(3)
    return Additive(query=4, values=3, width=5)


def test_the_formula_written_out():
    network = attention()
    query, values = torch.randn(4), torch.randn(2, 3)
    hidden = [
        torch.tanh(network.query.weight @ query + network.query.bias + network.key.weight @ each)
        for each in values
    ]
    scores = torch.stack([network.score.weight[0] @ each for each in hidden])
    expected = scores.exp() / scores.exp().sum()
    memory = network.memory(values.unsqueeze(0), torch.ones(1, 2, dtype=torch.bool))
    weights = network(query.unsqueeze(0), memory)
    assert weights[0].tolist() == pytest.approx(expected.tolist(), abs=1e-6)


def test_padding_gets_no_attention():
    network = attention()
    query, values = torch.randn(2, 4), torch.randn(2, 5, 3)
    mask = torch.tensor([[True] * 5, [True, True, False, False, False]])
    weights = network(query, network.memory(values, mask))
    assert weights[1, 2:].tolist() == [0, 0, 0]
    alone = network(query[1:], network.memory(values[1:, :2], mask[1:, :2]))
    assert torch.allclose(weights[1:, :2], alone, atol=1e-6)
