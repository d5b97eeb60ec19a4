"""The smallest step of weights: literals, the conditions of an optimum, another solver."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize

from kasu.transduction.linear.margins import SLACK, smallest_step

rows = st.lists(
    st.dictionaries(st.sampled_from("abcdefghijkl"), st.integers(-2, 2).map(float), max_size=6),
    min_size=1,
    max_size=5,
)
sides = st.lists(st.integers(-6, 6).map(lambda x: x / 2), min_size=5, max_size=5)


def product(one, other):
    return sum(value * other.get(key, 0.0) for key, value in one.items())


@pytest.mark.parametrize(
    ("constraints", "bounds", "step"),
    [
        ([{"f": 2.0}], [3.0], {"f": 1.5}),
        ([{"f": 1.0, "g": 1.0}, {"f": 1.0, "g": -1.0}], [2.0, 1.0], {"f": 1.5, "g": 0.5}),
        # What holds already, or what no step can change, asks for none
        ([{"f": 2.0}], [0.0], {}),
        ([{"f": 2.0}], [-3.0], {}),
        ([{}], [1.0], {}),
        ([], [], {}),
    ],
)
def test_small_problems(constraints, bounds, step):
    assert smallest_step(constraints, bounds) == pytest.approx(step)


def test_slack_is_paid_where_it_is_cheaper():
    assert smallest_step([{"f": 1.0}], [3.0], cost=2.0) == {"f": 2.0}


def feasible(constraints, bounds):
    """Whether rows that contradict one another are missing: a step within 100 keeps all."""
    keys = sorted({key for row in constraints for key in row})
    matrix = np.array([[row.get(key, 0.0) for key in keys] for row in constraints])
    found, *_ = np.linalg.lstsq(matrix, np.array(bounds), rcond=None)
    return bool((matrix @ found >= np.array(bounds) - 1e-9).all()), matrix


@given(rows, sides)
def test_margins_are_kept_and_no_smaller_step_keeps_them(constraints, sides):
    bounds = sides[: len(constraints)]
    kept, matrix = feasible(constraints, bounds)
    assume(kept)
    step = smallest_step(constraints, bounds)
    assert all(
        product(row, step) >= side - 1e-6 for row, side in zip(constraints, bounds, strict=True)
    )
    if matrix.shape[1]:
        found = minimize(
            lambda z: z @ z,
            np.zeros(matrix.shape[1]),
            jac=lambda z: 2 * z,
            method="SLSQP",
            constraints={
                "type": "ineq",
                "fun": lambda z: matrix @ z - bounds,
                "jac": lambda z: matrix,
            },
        )
        assume(found.success)
        assert product(step, step) == pytest.approx(found.fun, abs=1e-5)


@given(rows, sides, st.randoms())
def test_the_order_of_rows_is_irrelevant(constraints, sides, random):
    bounds = sides[: len(constraints)]
    assume(feasible(constraints, bounds)[0])
    pairs = [*zip(constraints, bounds, strict=True)]
    random.shuffle(pairs)
    one, other = smallest_step(constraints, bounds), smallest_step(*zip(*pairs, strict=True))
    for key in {*one, *other}:
        assert one.get(key, 0.0) == pytest.approx(other.get(key, 0.0), abs=1e-6)


def test_rows_that_contradict_one_another_end():
    found = smallest_step([{"f": 1.0}, {"f": -1.0}], [2.0, 1.0])
    assert abs(found["f"]) <= 2
    assert SLACK > 1e6
