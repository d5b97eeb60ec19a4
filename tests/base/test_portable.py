"""Exponentials, logarithms and sums: right to the last bits, and the same bits everywhere."""

import math
from hashlib import sha256

import numpy as np
import pytest

from kasu.base.portable import exp, log, tanh, total

DRAWN = np.random.default_rng(1).random(20_000)
# Exact multiples, so that the numbers are the same everywhere
WIDE, NEAR_0 = (DRAWN - 0.5) * 1400, (DRAWN - 0.5) / 64


def off(found: np.ndarray, expected: list[float]) -> float:
    """The largest error in units in the last place."""
    return float(np.max(abs(found - expected) / np.spacing(np.abs(expected))))


@pytest.mark.parametrize("values", [WIDE, NEAR_0], ids=["wide", "near 0"])
def test_exponentials_are_right(values):
    assert off(exp(values), [math.exp(value) for value in values]) <= 2


@pytest.mark.parametrize(
    "values", [DRAWN, 0.7 + NEAR_0, 1 + NEAR_0, DRAWN * 2.0**900, DRAWN * 2.0**-1030],
    ids=["below 1", "near the root of 1/2", "near 1", "large", "subnormal"],
)  # fmt: skip
def test_logarithms_are_right(values):
    assert off(log(values), [math.log(value) for value in values]) <= 3


def test_hyperbolic_tangents_are_right():
    values = np.concatenate([WIDE, 8 * NEAR_0, 100 * NEAR_0])
    assert abs(tanh(values) - [math.tanh(value) for value in values]).max() <= 4e-16


def test_edges():
    edges = [-np.inf, -1e300, -746.0, 0.0, 709.0, 710.0, np.inf]
    largest = pytest.approx(math.exp(709))
    assert exp(np.array(edges)).tolist() == [0, 0, 0, 1, largest, largest, largest]
    assert log(np.array([1.0])).tolist() == [0]
    assert tanh(np.array([-np.inf, 0, np.inf])).tolist() == [-1, 0, 1]
    assert [f(np.array([])).tolist() for f in (exp, log, tanh)] == [[], [], []]


def test_sums_go_from_first_to_last():
    # Beside 1e16, a 1 is lost; in pairs, the four make 2
    assert total(np.array([1e16, 1.0, 1.0, -1e16])) == 0
    assert total(np.array([1.0, 1.0, 1e16, -1e16])) == 2
    assert total(np.array([[1.0, 2], [3, 4]])).tolist() == [3, 7]


@pytest.mark.parametrize(
    ("function", "values", "digest"),
    [
        (exp, WIDE, "6f1fbe654192ac28"),
        (log, DRAWN, "9d8d30ba731a0f4e"),
        (tanh, NEAR_0, "1bd08cdbb8a3bb77"),
        (total, WIDE, "3ff8c5639eb73729"),
    ],
    ids=["exp", "log", "tanh", "total"],
)
def test_bits_are_the_same_on_any_processor(function, values, digest):
    found = np.asarray(function(values)).astype("<f8").tobytes()
    assert sha256(found).hexdigest()[:16] == digest
