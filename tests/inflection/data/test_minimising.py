"""L-BFGS ends where a function is least."""

import numpy as np
import pytest

from kasu.inflection.data.minimising import minimise


def rosenbrock(point: np.ndarray) -> tuple[float, np.ndarray]:
    """Least at (1, 1), at the end of a curved valley."""
    x, y = point
    slope = [-400 * x * (y - x * x) - 2 * (1 - x), 200 * (y - x * x)]
    return float(100 * (y - x * x) ** 2 + (1 - x) ** 2), np.array(slope)


def bowl(point: np.ndarray) -> tuple[float, np.ndarray]:
    """Least at 0; a thousand times as steep along one axis."""
    steep = np.logspace(0, 3, point.size).reshape(point.shape)
    return float((steep * point * point).sum() / 2), steep * point


def test_the_end_of_a_valley_is_found_in_few_steps():
    assert minimise(rosenbrock, np.array([-1.2, 1.0]), 60) == pytest.approx([1, 1], abs=1e-4)


def test_a_point_may_have_any_shape():
    found = minimise(bowl, np.ones((4, 5)), 200)
    assert found.shape == (4, 5)
    assert abs(found).max() < 1e-4


def test_memory_of_steps_makes_it_faster_than_descent():
    calls = []

    def counted(point: np.ndarray) -> tuple[float, np.ndarray]:
        calls.append(point)
        return bowl(point)

    minimise(counted, np.ones(20), 1000)
    assert len(calls) < 100  # descent takes thousands


def test_steps_are_limited_and_never_rise():
    values = [rosenbrock(minimise(rosenbrock, np.array([-1.2, 1.0]), n))[0] for n in range(25)]
    assert values[0] == pytest.approx(24.2)
    assert values == sorted(values, reverse=True)
    assert values[5] > 1


def test_a_ridge_that_bends_downwards_is_left():
    def double_well(point: np.ndarray) -> tuple[float, np.ndarray]:
        """Least at -1 and 1; between them it bends the other way."""
        return float((point**4 / 4 - point**2 / 2).sum()), point**3 - point

    start = np.array([0.01, -0.02, 0.03])
    values = [double_well(minimise(double_well, start, steps))[0] for steps in range(12)]
    assert values == sorted(values, reverse=True)
    assert minimise(double_well, start, 50) == pytest.approx([1, -1, 1], abs=1e-3)


def test_the_least_point_stays():
    start = np.array([1.0, 1.0])
    assert minimise(rosenbrock, start, 10) is start


def test_a_step_that_brings_next_to_nothing_is_the_last():
    calls = []

    def flat(point: np.ndarray) -> tuple[float, np.ndarray]:
        calls.append(point)
        return 5e-7 * float(point[0]), np.array([5e-7])

    minimise(flat, np.array([100.0]), 50)
    assert len(calls) == 2


def test_a_gradient_that_is_wrong_ends():
    start = np.array([3.0])
    uphill = minimise(lambda point: (float(point[0] ** 2), -2 * point), start, 10)
    assert uphill.tolist() == [3.0]
