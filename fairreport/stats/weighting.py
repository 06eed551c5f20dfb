"""Quantiles of weighted values: type 7 generalised, which equal weights turn into type 7."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from fairreport.stats.proportion import FloatArray

# A position this close to that of a value, relative to all of the weight, is that of the value.
TIE = 1e-12
_BITS = 62


def repeated_quantiles(
    values: npt.ArrayLike, quantiles: Sequence[float], counts: npt.ArrayLike | None = None
) -> tuple[float, ...]:
    """Return quantiles (type 7) of values that stand once, or as often as their counts say.

    A quantile is meant as it is written: 0.7 of eleven values is the eighth, though 0.7 * 10 is not 7 in binary.

    Parameters
    ----------
    values : array_like of float, shape (m,)
        Finite values in any order.
    quantiles : sequence of float
        Each from 0 to 1.
    counts : array_like of int, shape (m,), optional
        How often each value stands, >= 0.

    Raises
    ------
    ValueError
        If no value stands anywhere.

    References
    ----------
    Hyndman and Fan (1996), The American Statistician 50, 361-365, definition 7.

    Examples
    --------
    >>> repeated_quantiles([4.0, 1.0, 3.0], [0.5, 0.75])
    (3.0, 3.5)
    >>> repeated_quantiles([4.0, 1.0], [0.5], counts=[3, 1])
    (4.0,)
    """
    array = np.asarray(values, dtype=np.float64)
    times = None if counts is None else np.asarray(counts, dtype=np.int64)
    n = array.size if times is None else int(times.sum())
    if not n:
        raise ValueError("found no values; wanted at least one for a quantile")
    places = [Fraction(str(float(q))) * (n - 1) for q in quantiles]
    ranks = sorted({rank for place in places for rank in (int(place), min(int(place) + 1, n - 1))})
    if times is None:
        found = np.partition(array, ranks)[ranks]
    else:
        order = np.argsort(array)
        found = array[order][np.searchsorted(np.cumsum(times[order]), ranks, "right")]
    at = dict(zip(ranks, found.tolist(), strict=True))
    return tuple(
        _between(at[int(place)], at[min(int(place) + 1, n - 1)], float(place - int(place))) for place in places
    )


def weighted_quantiles(values: npt.ArrayLike, quantiles: Sequence[float], weights: npt.ArrayLike) -> tuple[float, ...]:
    """Return quantiles of weighted values, of which equal weights make type 7.

    The i-th of the sorted values stands at S_i - w_i of W - w_last, S being running sums; between two values
    the quantile is linear. Equal values stand in ascending order of their weights. The scale of the weights
    does not matter.

    Parameters
    ----------
    values : array_like of float, shape (m,)
        Finite values in any order.
    quantiles : sequence of float
        Each from 0 to 1.
    weights : array_like of float, shape (m,)
        At least 0; values of weight 0 stand nowhere.

    Raises
    ------
    ValueError
        If no value has a weight above 0.

    References
    ----------
    Hyndman and Fan (1996), The American Statistician 50, 361-365, definition 7, positions counted in weights.

    Examples
    --------
    >>> weighted_quantiles([1.0, 2.0, 3.0, 4.0], [0.5], [1.0, 1.0, 1.0, 1.0])
    (2.5,)
    >>> weighted_quantiles([1.0, 2.0, 3.0], [0.25, 0.5], [1.0, 2.0, 1.0])
    (1.75, 2.25)
    """
    array, weight = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    kept = weight > 0
    array, weight = array[kept], weight[kept]
    if not array.size:
        raise ValueError("found no value with a weight above 0; wanted at least one for a quantile")
    order = np.argsort(array)
    array, weight = array[order], weight[order]
    # Whole numbers add up the same in any order of equal values.
    bits = _BITS - int(array.size).bit_length()
    units = np.maximum(np.rint(weight * (2.0**bits / float(weight.max()))), 1).astype(np.int64)
    starts = np.flatnonzero(np.concatenate([[True], array[1:] != array[:-1]]))
    distinct = array[starts]
    block = np.add.reduceat(units, starts)
    ends = np.cumsum(block)
    largest = np.maximum.reduceat(units, starts)
    first, last = ends - block, ends - largest  # positions of the first and the last of equal values
    return tuple(_at(distinct, first, last, Fraction(str(float(q)))) for q in quantiles)


def _at(distinct: FloatArray, first: npt.NDArray[np.int64], last: npt.NDArray[np.int64], q: Fraction) -> float:
    whole = int(last[-1])
    place = q * whole
    i = int(np.searchsorted(first, int(place), "right")) - 1
    tie = TIE * whole
    if i + 1 < len(distinct) and first[i + 1] - place <= tie:
        return float(distinct[i + 1])
    if i + 1 == len(distinct) or place - int(last[i]) <= tie:
        return float(distinct[i])
    gap = int(first[i + 1]) - int(last[i])
    return _between(float(distinct[i]), float(distinct[i + 1]), float((place - int(last[i])) / gap))


def _between(low: float, high: float, share: float) -> float:
    return low if not share or low == high else low + share * (high - low)
