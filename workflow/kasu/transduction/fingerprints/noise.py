"""The effect of chance on a fingerprint: spread over seeds, and the loss that it cannot hide."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import fdtri, ndtri

from kasu.results.reproduction import State
from kasu.results.statistics import LEVEL
from kasu.transduction.fingerprints.fingerprint import Bounds, Panel

SEEDS = 3  # members that measure the spread over seeds
DRAWS = 400  # programs, right but for a loss, from which a resolution is taken
POWER = 0.8  # share of the draws that must be called otherwise
STEP = 0.001  # the grid of losses: 0.1 points


@dataclass(frozen=True)
class SeedSpread:
    """How far members of one system differ in one language.

    Attributes:
        sd: the SD over seeds, pooled over languages; 0 where nothing is drawn.
        degrees: its degrees of freedom.
    """

    sd: float
    degrees: int

    def of_difference(self, members: Sequence[int], published: int) -> float:
        """Return the SD of a difference that seeds make, as a mean over languages.

        A mean over members has the variance of one member divided by their number; a vote has
        nearly that.

        Args:
            members: the number of our members, by language.
            published: the number of members behind the published figure.
        """
        return self.sd * sqrt(np.mean([1 / count for count in members]) + 1 / published)

    def bound(self, members: Sequence[int], published: int) -> float | None:
        """Return the SD over languages that seeds alone exceed in one panel of twenty.

        The variance over n languages is a chi-squared variable of n - 1 degrees; divided by a
        variance that is itself estimated from seeds, it follows F. None if either has no degrees.
        """
        if len(members) < 2 or not self.degrees:
            return None
        factor = sqrt(fdtri(len(members) - 1, self.degrees, LEVEL))
        return self.of_difference(members, published) * float(factor)


def seed_spread(accuracies: Iterable[Mapping[int | None, float]]) -> SeedSpread | None:
    """Return the spread over seeds of the accuracies of single members.

    Languages with fewer than SEEDS seeds are left out; None if no language is left. Where nothing
    is drawn, there are no seeds, and the SD is 0.

    Args:
        accuracies: for each language, accuracy by seed.
    """
    languages = [*accuracies]
    if languages and all(set(runs) == {None} for runs in languages):
        return SeedSpread(0.0, 0)
    by_seed = [[value for seed, value in runs.items() if seed is not None] for runs in languages]
    measured = [values for values in by_seed if len(values) >= SEEDS]
    if not measured:
        return None
    squares = sum(float(np.var(values)) * len(values) for values in measured)
    degrees = sum(len(values) - 1 for values in measured)
    return SeedSpread(sqrt(squares / degrees), degrees)


def items_interval(
    ours: np.ndarray, published: np.ndarray, items: np.ndarray, seeds: float
) -> tuple[float, float]:
    """Return the interval of the mean difference for these very languages, over items and seeds.

    Both systems answer the same items. How many both have right cannot be told from printed
    figures, so the variance is that of separate items, and the interval is wide rather than narrow.

    Args:
        ours: accuracies, (languages,).
        published: accuracies, (languages,).
        items: how many test items each language has.
        seeds: the SD of a difference that seeds make.
    """
    variances = (ours * (1 - ours) + published * (1 - published)) / items + seeds**2
    half = -float(ndtri((1 - LEVEL) / 2)) * sqrt(variances.sum()) / len(ours)
    mean = float((ours - published).mean())
    return mean - half, mean + half


def resolution(panel: Panel, bounds: Bounds, noise: float, verdict: State) -> float | None:
    """Return the smallest mean loss of a program that POWER of draws would have called otherwise.

    A draw is right but for the loss: its differences are normal, by the language, around the
    expected difference less the loss. A draw is called otherwise if it *differs*, or *agrees in
    kind* where a margin is stated. For a system that *agrees*, *consistent* is called otherwise
    too, if a program without any loss agrees in half of the draws: without this condition noise
    would pass for a fine resolution. A draw that is *uninformative* calls nothing.

    Args:
        noise: the SD of a difference.
        verdict: what the system earned.

    Returns:
        A multiple of STEP; None if no loss would have been called otherwise.
    """
    called = {State.DIFFERS}
    if bounds.margin is not None:
        called.add(State.IN_KIND)
    size = (DRAWS if noise else 1, len(panel.published))
    drawn = noise * np.random.default_rng(1).standard_normal(size)  # (draws, languages)

    def states(steps: int) -> list[State]:
        draws = panel.measure(bounds.expected - STEP * steps + drawn)
        return [draw.judge(bounds)[0] for draw in draws]

    if verdict is State.AGREES and 2 * states(0).count(State.AGREES) >= len(drawn):
        called.add(State.CONSISTENT)

    def found(steps: int) -> bool:
        drawn_states = states(steps)
        return sum(state in called for state in drawn_states) >= POWER * len(drawn_states)

    # The larger the loss, the more draws are called otherwise: search by bisection
    low, high = -1, round(1 / STEP)
    if not found(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return STEP * high
