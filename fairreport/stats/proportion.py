"""A share of favourable outcomes and its interval, one group or many at once."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

# Products of two group totals, and of a total with a grand total, must fit into 64 bits.
LARGEST_TOTAL = 2_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """The two ends of confidence intervals, one element a group; nan where an end is not defined.

    Attributes
    ----------
    low, high : ndarray of float64
        Lower and upper ends, of the broadcast shape of the counts (at least one-dimensional).
    """

    low: FloatArray
    high: FloatArray


def count_pairs(*pairs: tuple[npt.ArrayLike, npt.ArrayLike]) -> tuple[IntArray, ...]:
    """Return pairs of (favourable, total) as int64 arrays of one common shape.

    Narrow types are widened before anything is computed: in ``uint8``, 200 + 100 is 44.

    Parameters
    ----------
    *pairs : tuple of (array_like of int, array_like of int)
        Favourable outcomes and totals; 0 <= favourable <= total <= 2,000,000,000.

    Returns
    -------
    tuple of ndarray of int64
        Favourable, total, favourable, total, ... with at least one dimension.

    Raises
    ------
    TypeError
        If the counts are not whole numbers by type.
    ValueError
        If a count is negative, more than its total, or larger than the arithmetic allows.

    Examples
    --------
    >>> count_pairs(([3, 4], [5, 6]), (7, 9))
    (array([3, 4]), array([5, 6]), array([7, 7]), array([9, 9]))
    """
    arrays = np.broadcast_arrays(*(_whole_numbers(side) for pair in pairs for side in pair))
    for favourable, total in zip(arrays[::2], arrays[1::2], strict=True):
        if np.any((favourable < 0) | (favourable > total)):
            at = int(np.flatnonzero((favourable < 0) | (favourable > total))[0])
            found = f"found {favourable.flat[at]} favourable of {total.flat[at]}"
            raise ValueError(found + "; wanted 0 <= favourable <= total")
        if np.any(total > LARGEST_TOTAL):
            msg = f"found a total of {total.max()}; wanted at most {LARGEST_TOTAL} for a group"
            raise ValueError(msg)
    return tuple(arrays)


def _whole_numbers(values: npt.ArrayLike) -> IntArray:
    array = np.atleast_1d(np.asarray(values))
    if array.size and array.dtype.kind not in "biu":
        msg = f"found counts of type {array.dtype}; wanted whole numbers"
        raise TypeError(msg)
    if array.dtype.kind == "u" and array.size and int(array.max()) > LARGEST_TOTAL:
        msg = f"found a count of {array.max()}; wanted at most {LARGEST_TOTAL}"
        raise ValueError(msg)
    return array.astype(np.int64)


def critical_value(level: float) -> float:
    """Return the two-sided standard normal quantile of a confidence level.

    Parameters
    ----------
    level : float
        Confidence level, 0 < level < 1.

    Examples
    --------
    >>> round(critical_value(0.95), 6)
    1.959964
    """
    return -NormalDist().inv_cdf(tail_probability(level))


def tail_probability(level: float) -> float:
    """Return what a two-sided interval of this level leaves on each side.

    Parameters
    ----------
    level : float
        Confidence level, 0 < level < 1.

    Raises
    ------
    ValueError
        If the level is not strictly between 0 and 1; 95 for 0.95 is refused.

    Examples
    --------
    >>> tail_probability(0.75)
    0.125
    """
    if not 0 < level < 1:
        msg = f"found level {level}; wanted a confidence level strictly between 0 and 1"
        raise ValueError(msg)
    return (1 - level) / 2


def wilson(successes: npt.ArrayLike, n: npt.ArrayLike, *, level: float) -> Interval:
    """Return Wilson's score interval of a proportion, without continuity correction.

    Parameters
    ----------
    successes, n : array_like of int
        Favourable outcomes and totals, 0 <= successes <= n; shapes broadcast.
    level : float
        Confidence level, 0 < level < 1.

    Returns
    -------
    Interval
        Ends within [0, 1] that enclose successes / n; low is exactly 0 without a success, high exactly 1
        without a failure; both are nan where n is 0.

    References
    ----------
    Wilson (1927), JASA 22, 209-212; Newcombe (1998), Statistics in Medicine 17, 857-872, method 3.

    Examples
    --------
    >>> ends = wilson(90, 100, level=0.95)
    >>> ends.low.round(6), ends.high.round(6)
    (array([0.825634]), array([0.944771]))
    """
    k, total = count_pairs((successes, n))
    z = critical_value(level)
    size = np.where(total > 0, total, 1).astype(np.float64)
    share = k / size
    spread = z * np.sqrt(z * z + 4 * k * ((total - k) / size))
    # The smaller root from the product of the roots: no cancellation where successes are few.
    low = 2 * k * share / (2 * k + z * z + spread)
    high = (2 * k + z * z + spread) / (2 * (size + z * z))
    low = np.minimum(low, share)
    high = np.where(k == total, 1.0, np.maximum(high, share))
    return _undefined_where(total == 0, low, high)


def clopper_pearson(successes: npt.ArrayLike, n: npt.ArrayLike, *, level: float) -> Interval:
    """Return the exact (Clopper-Pearson) interval of a proportion, with equal tails.

    Parameters
    ----------
    successes, n : array_like of int
        Favourable outcomes and totals, 0 <= successes <= n; shapes broadcast.
    level : float
        Confidence level, 0 < level < 1.

    Returns
    -------
    Interval
        Low is 0 without a success, high is 1 without a failure; both are nan where n is 0.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26, 404-413; NIST/SEMATECH e-Handbook 7.2.4.1.

    Examples
    --------
    >>> ends = clopper_pearson(4, 20, level=0.9)
    >>> ends.low.round(6), ends.high.round(6)
    (array([0.071354]), array([0.401028]))
    """
    k, total = count_pairs((successes, n))
    tail = tail_probability(level)
    share = k / np.where(total > 0, total, 1)
    from scipy import special  # noqa: PLC0415 - a quarter of a second that most audits do not need

    low = np.where(k == 0, 0.0, special.betaincinv(np.maximum(k, 1), total - k + 1, tail))
    high = np.where(k == total, 1.0, special.betainccinv(k + 1, np.maximum(total - k, 1), tail))
    return _undefined_where(total == 0, np.minimum(low, share), np.maximum(high, share))


def _undefined_where(mask: npt.NDArray[np.bool_], low: FloatArray, high: FloatArray) -> Interval:
    return Interval(low=np.where(mask, np.nan, low), high=np.where(mask, np.nan, high))
