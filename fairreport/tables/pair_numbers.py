"""Numbers of named pairs: differences of decimals as written, the unit of weights, numbers in messages."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

_SCALES = (1e12, 1e9, 1e6, 1e3, 1.0)
_EXACT = 2.0**50
_SMALLEST_PLAIN_WEIGHT = 2.0**-100


def written_difference(numbers: FloatArray, others: FloatArray) -> FloatArray:
    """Return numbers less others, on the decimals as written where both have at most twelve.

    Both become whole numbers of the last decimal, which subtract without rounding; where a number is no such
    decimal, or too large for that, the plain difference stands.

    Examples
    --------
    >>> written_difference(np.array([0.3, 0.8]), np.array([0.2, 0.7])).tolist()
    [0.1, 0.1]
    """
    found = np.asarray(numbers - others, dtype=np.float64)
    rows = np.flatnonzero(np.isfinite(found))
    for scale in _SCALES:
        if not len(rows):
            break
        first, second = numbers[rows] * scale, others[rows] * scale
        fits = np.maximum(np.abs(first), np.abs(second)) <= _EXACT
        np.rint(first, out=first)
        np.rint(second, out=second)
        fits &= (first / scale == numbers[rows]) & (second / scale == others[rows])
        found[rows[fits]] = (first[fits] - second[fits]) / scale
        rows = rows[~fits]
    return found


def weight_unit(weight: FloatArray) -> float:
    """Return the power of two that weights are divided by before they are squared: 1 unless all are tiny.

    Examples
    --------
    >>> weight_unit(np.array([0.0, 250.0])), weight_unit(np.array([3e-40])) < 1e-39
    (1.0, True)
    """
    largest = float(np.nanmax(weight)) if np.any(weight > 0) else 0.0
    if largest == 0 or largest >= _SMALLEST_PLAIN_WEIGHT:
        return 1.0
    # Of subnormal numbers the unit stays one that can be divided by.
    return math.ldexp(1.0, max(math.frexp(largest)[1], -1021))


def shown(value: Any) -> str:
    """Return a number for a message, with every digit that tells it from another.

    Examples
    --------
    >>> shown(0.9999999), shown(2.0), shown(-1e60)
    ('0.9999999', '2', '-1e+60')
    """
    text = repr(float(value))
    return text.removesuffix(".0")
