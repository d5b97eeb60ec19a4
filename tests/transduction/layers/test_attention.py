import pytest
import torch

from kasu.transduction.layers.attention import Additive


def attention(normalised: bool = False) -> Additive:
    torch.manual_seed(3)
    return Additive(query=4, values=3, width=5, normalised=normalised)


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


def test_normalised_weights_have_a_direction_and_a_length():
    plain, network = attention(), attention(normalised=True)
    # The same draws, and one length more
    assert all(
        torch.equal(weight, network.state_dict()[name])
        for name, weight in plain.state_dict().items()
    )
    assert network.length.item() == pytest.approx(5**-0.5)
    query, values, mask = (
        torch.randn(2, 4),
        torch.randn(2, 3, 3),
        torch.ones(2, 3, dtype=torch.bool),
    )
    weights = network(query, network.memory(values, mask))
    with torch.no_grad():
        plain.score.weight *= 5**-0.5 / plain.score.weight.norm()
        expected = plain(query, plain.memory(values, mask))
        torch.testing.assert_close(weights, expected)
        network.score.weight *= 7
        torch.testing.assert_close(network(query, network.memory(values, mask)), expected)
        network.length *= 7
        assert not torch.allclose(network(query, network.memory(values, mask)), expected)


def test_queries_of_several_steps_attend_each_on_its_own():
    network = attention(normalised=True)
    query, values = torch.randn(2, 6, 4), torch.randn(2, 5, 3)
    memory = network.memory(values, torch.tensor([[True] * 5, [True, True, False, False, False]]))
    together = network(query, memory)
    assert together.shape == (2, 6, 5)
    for step in range(6):
        torch.testing.assert_close(together[:, step], network(query[:, step], memory))
