import pytest
import torch

from kasu.transduction.networks.actor_critic import Critic, Rewards, advantages


def test_returns_by_hand():
    rewards = torch.tensor([[1.0, 0.0, 1.0, 1.0]])
    values = torch.tensor([[5.0, 4.0, 3.0, 2.0]])
    # Two rewards, the second by half, and a quarter of the estimate after them
    expected = [1 + 0 + 3 / 4, 0 + 1 / 2 + 2 / 4, 1 + 1 / 2, 1]
    assert Rewards(2, 0.5).returns(rewards, values)[0].tolist() == pytest.approx(expected)


def test_more_steps_than_there_are():
    rewards = torch.ones(1, 2)
    assert Rewards(4, 0.9).returns(rewards, torch.full((1, 2), 7.0))[0].tolist() == [
        pytest.approx(1.9),
        1,
    ]


def test_what_contradicts_right_and_wrong_counts_nothing():
    returns = torch.tensor([2.0, 2.0, 0.5, 0.5])
    right = torch.tensor([True, False, True, False])
    assert advantages(returns, torch.ones(4), right).tolist() == [1, 0, 0, -0.5]


def test_the_critic_estimates_no_more_than_there_can_be():
    critic = Critic(3, most=10)
    assert critic(torch.zeros(2, 4, 3)).shape == (2, 4)
    critic.layers[-1].bias.data.fill_(99)
    assert critic(torch.randn(2, 3)).tolist() == pytest.approx([10, 10])
    assert sum(isinstance(layer, torch.nn.Linear) for layer in critic.layers) == 3
