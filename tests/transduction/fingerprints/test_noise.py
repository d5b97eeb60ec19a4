"""What chance does to a fingerprint: seeds, items, and the loss that would be seen."""

import numpy as np
import pytest
from scipy.stats import chi2, norm, t

from kasu.results.reproduction import State
from kasu.transduction.fingerprints.fingerprint import Bounds, Panel
from kasu.transduction.fingerprints.noise import (
    SeedSpread,
    items_interval,
    resolution,
    seed_spread,
)

NAMES = [f"l{number}" for number in range(12)]


def panel(**columns: float) -> Panel:
    """Twelve languages at 50 %, and other columns at a distance to it."""
    named = {"uzh-01": dict.fromkeys(NAMES, 0.5)}
    named |= {f"{team}-01": dict.fromkeys(NAMES, 0.5 + gap) for team, gap in columns.items()}
    return Panel.of(NAMES, "uzh-01", named)


def test_the_spread_over_seeds_pools_languages_by_their_degrees():
    # Squares of 0.0032 with 2 degrees, 0.0001 with 4; two seeds are too few
    runs = [
        {1: 0.50, 2: 0.54, 3: 0.58},
        {1: 0.5, 2: 0.5, 3: 0.5, 4: 0.5, 5: 0.51},
        {1: 0.1, 2: 0.9},
    ]
    found = seed_spread(runs)
    assert found.sd == pytest.approx(((0.0032 + 0.00008) / 6) ** 0.5)
    assert found.degrees == 6
    assert seed_spread(runs[2:]) is None
    assert seed_spread([]) is None
    # The mean of all seeds is no seed
    assert seed_spread([runs[0] | {None: 0.9}]).degrees == 2


def test_nothing_drawn_is_no_spread():
    assert seed_spread([{None: 0.5}, {None: 0.7}]) == SeedSpread(0.0, 0)
    assert SeedSpread(0.0, 0).bound([1, 1, 1], 1) is None
    assert seed_spread([{None: 0.5}, {1: 0.7}]) is None


@pytest.mark.parametrize(
    ("members", "published", "factor"),
    [([1] * 6, 1, 2**0.5), ([5] * 6, 1, 1.2**0.5), ([1, 4], 2, (0.625 + 0.5) ** 0.5)],
)
def test_members_on_both_sides_average_the_variance(members, published, factor):
    assert SeedSpread(0.02, 9).of_difference(members, published) == pytest.approx(0.02 * factor)


def test_the_bound_of_a_spread_by_hand():
    # The 95 % point of F is 4.3874 at 5 and 6 degrees, 2.4085 at 5 and 48
    few, many = SeedSpread(0.02, 6), SeedSpread(0.02, 48)
    assert few.bound([1] * 6, 1) == pytest.approx(0.02 * (2 * 4.3874) ** 0.5, rel=1e-4)
    assert many.bound([1] * 6, 1) == pytest.approx(0.02 * (2 * 2.4085) ** 0.5, rel=1e-3)
    # With all degrees it is that of chi-squared: 11.0705 at 5
    bound = SeedSpread(0.02, 10**9).bound([1] * 6, 1)
    assert bound == pytest.approx(0.02 * (2 * chi2.ppf(0.95, 5) / 5) ** 0.5, rel=1e-6)
    # One language has no spread
    assert few.bound([3], 1) is None


def test_seeds_alone_pass_the_bound_in_one_panel_of_twenty():
    random, sd = np.random.default_rng(5), 0.02
    above = 0
    for _ in range(4000):
        seeds = random.normal(0, sd, (3, 3))
        spread = seed_spread({n: value for n, value in enumerate(row, 1)} for row in seeds)
        ours, theirs = random.normal(0, sd, (5, 12)).mean(axis=0), random.normal(0, sd, 12)
        above += (ours - theirs).std(ddof=1) > spread.bound([5] * 12, 1)
    assert above / 4000 == pytest.approx(0.05, abs=0.012)


def test_the_interval_over_items_and_seeds_by_hand():
    ours, published = np.array([0.5, 0.8]), np.array([0.4, 0.9])
    low, high = items_interval(ours, published, np.array([1000.0, 100.0]), 0.0)
    # Variances 0.49 by 1,000 and 0.25 by 100
    half = 1.959964 * (0.00049 + 0.0025) ** 0.5 / 2
    assert (low, high) == pytest.approx((-half, half))
    # Seeds add 0.0004 in each language
    half = 1.959964 * (0.00049 + 0.0025 + 0.0008) ** 0.5 / 2
    assert items_interval(ours, published, np.array([1000.0, 100.0]), 0.02) == pytest.approx(
        (-half, half)
    )


@pytest.mark.parametrize(("noise", "margin"), [(0.02, 0.02), (0.01, 0.02), (0.03, 0.05)])
def test_the_resolution_of_agreement_is_that_of_its_formula(noise, margin):
    """The mean is normal and the variance chi-squared, independent of one another."""
    n = len(NAMES)
    shares = (np.arange(4000) + 0.5) / 4000
    half = t.isf(0.025, n - 1) * noise * np.sqrt(chi2.ppf(shares, n - 1) / (n - 1) / n)

    def agreeing(loss):
        within = np.maximum(margin + 0.5e-4 - half, 0) * n**0.5 / noise
        centre = loss * n**0.5 / noise
        return np.mean(norm.cdf(centre + within) - norm.cdf(centre - within))

    losses = np.arange(0, 0.1, 0.0001)
    expected = next(loss for loss in losses if agreeing(loss) <= 0.2)
    found = resolution(panel(), Bounds(margin=margin), noise, State.AGREES)
    assert found == pytest.approx(expected, abs=0.002)


def test_without_noise_the_resolution_is_the_margin():
    assert resolution(panel(), Bounds(), 0.0, State.AGREES) == pytest.approx(0.021)
    exact = Bounds(margin=0.0, cap=0.0)
    assert resolution(panel(), exact, 0.0, State.AGREES) == pytest.approx(0.001)
    # A quarter of the way to another team is nearer, a loss in the other direction is not
    assert resolution(panel(cu=-0.04), Bounds(), 0.0, State.AGREES) == pytest.approx(0.011)
    assert resolution(panel(cu=0.04), Bounds(), 0.0, State.AGREES) == pytest.approx(0.021)
    # What is expected is no loss
    bounds = Bounds(expected=-0.03)
    assert resolution(panel(cu=-0.2), bounds, 0.0, State.AGREES) == pytest.approx(0.021)


def test_consistent_is_otherwise_only_to_what_agrees():
    agrees, consistent, differs = (
        resolution(panel(), Bounds(), 0.02, state)
        for state in (State.AGREES, State.CONSISTENT, State.DIFFERS)
    )
    assert agrees < consistent == differs


def test_noise_does_not_pass_for_a_fine_resolution():
    # With an SD of 3 points a right program agrees in one draw of five: no loss is seen so soon
    found = [resolution(panel(), Bounds(), sd, State.AGREES) for sd in (0.01, 0.03, 0.04, 0.06)]
    assert found[0] == pytest.approx(0.017, abs=0.002)
    assert all(later > 0.025 for later in found[1:])
    assert found == sorted(found)


def test_without_a_margin_only_another_team_tells():
    bounds = Bounds(margin=None)
    assert resolution(panel(cu=-0.1), bounds, 0.0, State.IN_KIND) == pytest.approx(0.051)
    # Or a loss of more than a quarter of all that is printed
    assert resolution(panel(cu=-0.5), bounds, 0.0, State.IN_KIND) == pytest.approx(0.126)


def test_where_nothing_can_be_seen_there_is_no_resolution():
    zero = Panel.of(NAMES, "uzh-01", {"uzh-01": dict.fromkeys(NAMES, 0.01)})
    assert resolution(zero, Bounds(), 0.01, State.UNINFORMATIVE) is None


def test_more_languages_and_less_noise_see_smaller_losses():
    losses = [
        resolution(panel(), Bounds(), noise, State.CONSISTENT) for noise in (0.01, 0.02, 0.04)
    ]
    assert losses == sorted(losses)
    few = Panel.of(NAMES[:6], "uzh-01", {"uzh-01": dict.fromkeys(NAMES, 0.5)})
    assert resolution(few, Bounds(), 0.02, State.CONSISTENT) > losses[1]


def test_the_same_resolution_twice():
    found = {resolution(panel(cu=-0.1), Bounds(), 0.02, State.AGREES) for _ in range(2)}
    assert len(found) == 1
