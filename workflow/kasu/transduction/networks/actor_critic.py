"""Actor and critic: a decoder learns from rewards for what it writes itself.

Source: Najafi et al. (2018) §2.4; the values are those of the same team's transliteration system.
"""

from dataclasses import dataclass

from torch import Tensor, nn


@dataclass(frozen=True)
class Rewards:
    """The reach of rewards: n-step returns.

    Attributes:
        steps: those whose rewards count as they are; what follows is the critic's estimate.
        discount: of each step further on.
    """

    steps: int = 4
    discount: float = 0.9

    def returns(self, rewards: Tensor, values: Tensor) -> Tensor:
        """Return the n-step return of each step, (B, M).

        Args:
            rewards: (B, M), of each step, 0 after the end.
            values: (B, M), the critic's estimates, likewise.
        """
        length = rewards.shape[1]
        # Zeros after the end, so that the last steps find rewards and estimates of 0
        later = nn.functional.pad(rewards, (0, self.steps))
        rest = nn.functional.pad(values, (0, self.steps))
        # The estimate after `steps` steps, then the rewards up to there
        found = self.discount**self.steps * rest[:, self.steps :]
        for step in range(self.steps):
            found = found + self.discount**step * later[:, step : step + length]
        return found


def advantages(returns: Tensor, values: Tensor, right: Tensor) -> Tensor:
    """Return the returns minus `values`, (B, M); 0 where the sign contradicts `right`."""
    found = returns - values
    return found * ((found > 0) == right)


class Critic(nn.Module):
    """Estimates returns from vectors (…, size), by an MLP of three layers.

    Args:
        most: what it estimates at most.
    """

    def __init__(self, size: int, most: float) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(size, size),
            nn.LeakyReLU(),
            nn.Linear(size, size),
            nn.LeakyReLU(),
            nn.Linear(size, 1),
        )
        self.most = most

    def forward(self, vectors: Tensor) -> Tensor:
        """Estimate the returns (…)."""
        return self.most * self.layers(vectors).squeeze(-1).sigmoid()
