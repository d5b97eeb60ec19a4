"""Minimise a smooth function, with the same bits on every processor."""

from collections import deque
from collections.abc import Callable

import numpy as np

from kasu.base.portable import total

# scipy's L-BFGS takes products and sums from BLAS, whose last digits depend on the processor
MEMORY = 100  # steps that tell of the curvature
FLAT = 1e-7  # the largest derivative, and
CHANGE = 1e-10  # the decrease of a step, with which the search ends
DECREASE = 1e-4  # of what the slope promises, the share that a step has to bring
SHORTEST = 1e-10

Loss = Callable[[np.ndarray], tuple[float, np.ndarray]]
Step = tuple[np.ndarray, np.ndarray, float]  # along x, of the gradient, and their product


def minimise(loss: Loss, start: np.ndarray, steps: int) -> np.ndarray:
    """Return where L-BFGS ends (Nocedal & Wright 2006, algorithm 7.5; steps are halved).

    Args:
        loss: the value and the gradient at a point. Its own operations must be portable.
        start: a point of any shape.
        steps: the most steps.
    """
    point = start
    value, gradient = loss(point)
    memory: deque[Step] = deque(maxlen=MEMORY)
    for _ in range(steps):
        if abs(gradient).max() <= FLAT:
            break
        direction = -_newton(gradient, memory)
        # Without a memory the curvature is unknown: the first step is at most 1 in sum
        size = 1.0 if memory else min(1.0, 1 / _dot(abs(gradient), np.ones_like(gradient)))
        promised = DECREASE * _dot(gradient, direction)
        # Halve the step until it brings its share of the decrease that the slope promises
        while True:
            tried = point + size * direction
            new_value, new_gradient = loss(tried)
            if new_value <= value + size * promised:
                break
            size /= 2
            if size < SHORTEST:
                return point
        moved, turned = tried - point, new_gradient - gradient
        # A step of negative curvature would make the Hessian indefinite
        if (product := _dot(moved, turned)) > 0:
            memory.append((moved, turned, product))
        decrease = value - new_value
        point, value, gradient = tried, new_value, new_gradient
        if decrease < CHANGE:
            break
    return point


def _newton(gradient: np.ndarray, memory: deque[Step]) -> np.ndarray:
    """Multiply the gradient by the inverse Hessian, as far as the steps in memory know it."""
    result = gradient
    shares = []
    # First loop of the two-loop recursion (algorithm 7.4), from the newest step to the oldest
    for moved, turned, product in reversed(memory):
        shares.append(_dot(moved, result) / product)
        result = result - shares[-1] * turned
    # The inverse Hessian before all steps: a multiple of the identity, scaled by the newest step
    if memory:
        _, turned, product = memory[-1]
        result = result * (product / _dot(turned, turned))
    # Second loop, from the oldest step to the newest
    for (moved, turned, product), share in zip(memory, reversed(shares), strict=True):
        result = result + (share - _dot(turned, result) / product) * moved
    return result


def _dot(one: np.ndarray, other: np.ndarray) -> float:
    return float(total((one * other).ravel()))
