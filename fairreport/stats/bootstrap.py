"""Resampling within groups: values of a metric in draws with replacement, and percentile intervals of them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from fairreport.stats.proportion import FloatArray, tail_probability

IntArray = npt.NDArray[np.int64]


def resampled(metric: Callable[[IntArray], float], n: int, *, draws: int, seed: int, stream: int) -> FloatArray:
    """Return the values of a metric in draws of n rows out of n, with replacement.

    Parameters
    ----------
    metric : callable
        From the positions of the drawn rows to a number; nan where it is not defined.
    n : int
        Rows of the group, >= 1.
    draws : int
        Draws, >= 1.
    seed, stream : int
        Where the random numbers start: the same seed gives the same draws, each stream its own.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 6 and 8 (several samples).

    Examples
    --------
    >>> values = np.array([0.0, 1.0, 1.0, 0.0])
    >>> found = resampled(lambda at: float(values[at].mean()), 4, draws=200, seed=1, stream=0)
    >>> found.shape, bool(0.3 < found.mean() < 0.7)
    ((200,), True)
    """
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence((seed, stream))))
    return np.array([metric(generator.integers(0, n, size=n)) for _ in range(draws)], dtype=np.float64)


def percentile_interval(values: FloatArray, *, level: float) -> tuple[float, float]:
    """Return the interval between two percentiles (type 7) of draws; nan where a draw is not defined.

    Parameters
    ----------
    values : ndarray of float64, shape (draws,)
        What the draws gave.
    level : float
        Confidence level, 0 < level < 1.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 13.3.

    Examples
    --------
    >>> low, high = percentile_interval(np.arange(101.0), level=0.9)
    >>> round(low, 6), round(high, 6)
    (5.0, 95.0)
    """
    if not np.all(np.isfinite(values)):
        return math.nan, math.nan
    tail = tail_probability(level)
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)
