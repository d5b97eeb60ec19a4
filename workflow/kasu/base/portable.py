"""Exponentials, logarithms and sums that have the same bits on every processor.

IEEE 754 fixes the result of +, -, *, / on doubles, but not that of `exp` and `log`, nor the order
in which a library sums: NumPy, torch and the C library choose both by the instruction set. What
decides which data are drawn therefore uses the functions of this module. They take one operation at
a time, in a stated order.
"""

from math import factorial, sqrt

import numpy as np

# ln 2 in two parts (fdlibm): the first ends in 21 zero bits, so that its product with an exponent
# is exact
_LN2, _LN2_REST = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_PER_LN2 = 1.44269504088896338700
# Beyond these, exp is 0 or out of range
_LOWEST, _HIGHEST = -746.0, 709.0
# Terms that add less than half a unit in the last place
_EXP_TERMS = [1 / factorial(power) for power in range(14)]
_LOG_TERMS = [1 / (2 * power + 1) for power in range(12)]


def exp(values: np.ndarray) -> np.ndarray:
    """Return e to the power of doubles, to two units in the last place; above 709, as for 709."""
    values = np.clip(values, _LOWEST, _HIGHEST)
    power = np.rint(values * _PER_LN2)
    rest = values - power * _LN2 - power * _LN2_REST  # at most ln 2 / 2
    return np.ldexp(_polynomial(_EXP_TERMS, rest), power.astype(np.int32))


def log(values: np.ndarray) -> np.ndarray:
    """Return natural logarithms of finite doubles above 0, to three units in the last place."""
    share, power = np.frexp(values)
    low = share < sqrt(0.5)
    share, power = np.where(low, 2 * share, share), power - low
    # ln m = 2 artanh((m - 1) / (m + 1)), where m is between the roots of 1/2 and of 2
    ratio = (share - 1) / (share + 1)
    series = 2 * ratio * _polynomial(_LOG_TERMS, ratio * ratio)
    return power * _LN2 + (series + power * _LN2_REST)


def tanh(values: np.ndarray) -> np.ndarray:
    """Return hyperbolic tangents of doubles, to 4e-16."""
    return 1 - 2 / (exp(2 * values) + 1)


def total(values: np.ndarray) -> np.ndarray:
    """Sum doubles along the last axis, from first to last."""
    return np.add.accumulate(values, axis=-1)[..., -1]


def _polynomial(terms: list[float], values: np.ndarray) -> np.ndarray:
    """Return the sum of `terms[n] * values**n`, by Horner's rule."""
    result = np.full_like(values, terms[-1])
    for term in reversed(terms[:-1]):
        result *= values
        result += term
    return result
