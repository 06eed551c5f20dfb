"""Values of one sample in ascending order: ranks, counts, quantiles."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from fairreport.stats.proportion import FloatArray, IntArray

# Values looked at together: a block and what it is compared with stay in the processor's cache, and a block takes
# so long that threads, which take turns in Python between blocks, do not wait for each other.
BLOCK = 1 << 17


class SortedSample:
    """Finite values in ascending order, each with how often it occurs.

    Parameters
    ----------
    values : array_like of float, shape (m,)
        In any order unless `is_sorted`; one copy is made and sorted.
    weights : array_like of int, shape (m,), optional
        How often each value occurs, >= 0. All answers are those of ``np.repeat(values, weights)``.
    is_sorted : bool
        Whether the values are in ascending order already; then no float64 array is copied.

    Attributes
    ----------
    n : int
        Number of values, repetitions counted.
    values : ndarray of float64
        In ascending order, read-only; with weights, those that occur.

    Raises
    ------
    TypeError
        If weights are not whole numbers by type.
    ValueError
        If values are not one-dimensional, finite, or sorted where that was said, or weights do not fit.

    Examples
    --------
    >>> sample = SortedSample([3.0, 1.0, 2.0], weights=[1, 1, 2])
    >>> sample.n, sample.quantile(0.5), sample.count_above(2.0), sample.count_below(2.0)
    (4, 2.0, 1, 1)
    """

    __slots__ = ("_cumulative", "n", "values")

    n: int
    values: FloatArray

    def __init__(self, values: npt.ArrayLike, weights: npt.ArrayLike | None = None, *, is_sorted: bool = False) -> None:
        counts = None if weights is None else _whole_counts(weights)
        array = np.asarray(values, dtype=np.float64)
        if array.ndim != 1 or (counts is not None and counts.shape != array.shape):
            wanted = "one-dimensional values" if counts is None else "as many weights as values"
            shapes = f"shape {array.shape}" if counts is None else f"shapes {array.shape} and {counts.shape}"
            msg = f"found {shapes}; wanted {wanted}"
            raise ValueError(msg)
        if counts is not None and not counts.all():
            array, counts = array[counts > 0], counts[counts > 0]
        if is_sorted:
            # Written so that a nan is found too.
            if not np.all(array[1:] >= array[:-1]):
                raise ValueError("found values out of order; wanted ascending ones with is_sorted")
        elif counts is None:
            array = np.sort(array)
        else:
            order = np.argsort(array)
            array, counts = array[order], counts[order]
        if array.size and not (math.isfinite(array[0]) and math.isfinite(array[-1])):
            raise ValueError("found a missing or infinite value; wanted finite ones")
        self.values = array.view()
        self.values.flags.writeable = False
        # Number of values before each position, and after the last: one element more than values.
        self._cumulative = None if counts is None else np.concatenate([[0], np.cumsum(counts)])
        self.n = array.size if self._cumulative is None else int(self._cumulative[-1])

    def __repr__(self) -> str:
        ends = f", from {self.minimum} to {self.maximum}" if self.n else ""
        return f"<SortedSample of {self.n} values{ends}>"

    @property
    def minimum(self) -> float:
        """The smallest value."""
        return self.order_statistic(0)

    @property
    def maximum(self) -> float:
        """The largest value."""
        return self.order_statistic(self.n - 1)

    def order_statistic(self, k: int) -> float:
        """Return the value at rank k, 0 for the smallest.

        Parameters
        ----------
        k : int
            0 <= k < n.

        Raises
        ------
        IndexError
            If there is no such rank.
        """
        if not 0 <= k < self.n:
            msg = f"found rank {k}; wanted one from 0 to below {self.n}"
            raise IndexError(msg)
        if self._cumulative is not None:
            k = int(self._cumulative.searchsorted(k, "right")) - 1
        # + 0.0: a negative zero would make the result depend on the order of the values.
        return float(self.values[k]) + 0.0

    def quantile(self, q: float) -> float:
        """Return the q-quantile with linear interpolation (type 7), the default of numpy, pandas and R.

        Parameters
        ----------
        q : float
            0 <= q <= 1; 0.5 is the median, the midpoint of the middle two where n is even.

        Raises
        ------
        ValueError
            If there are no values or q is out of range.

        References
        ----------
        Hyndman and Fan (1996), The American Statistician 50, 361-365, definition 7.
        """
        rank = type_7_rank(self.n, q)
        k = math.floor(rank)
        low = self.order_statistic(k)
        return low if rank == k else interpolate(low, self.order_statistic(k + 1), rank - k)

    def count_below(self, x: float) -> int:
        """Return how many values are strictly below x."""
        return self._count(int(self.values.searchsorted(x, "left")))

    def count_above(self, x: float) -> int:
        """Return how many values are strictly above x."""
        return self.n - self._count(int(self.values.searchsorted(x, "right")))

    def _count(self, position: int) -> int:
        return position if self._cumulative is None else int(self._cumulative[position])

    def runs(self) -> Iterator[tuple[FloatArray, IntArray]]:
        """Yield ascending blocks of values and how often each occurs.

        A value may end one block and start the next.
        """
        for start in range(0, self.values.size, BLOCK):
            block = self.values[start : start + BLOCK]
            first = np.flatnonzero(np.concatenate([[True], block[1:] != block[:-1]]))
            ends = np.append(first, block.size)
            before = ends if self._cumulative is None else self._cumulative[start + ends]
            yield block[first], np.diff(before)

    def below_and_equal(self, block: FloatArray) -> tuple[IntArray, IntArray]:
        """Return for each value of an ascending block how many values of the sample are below and equal.

        Parameters
        ----------
        block : ndarray of float64
            Ascending.
        """
        if not block.size:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        start = int(self.values.searchsorted(block[0], "left"))
        part = self.values[start : int(self.values.searchsorted(block[-1], "right"))]
        left = part.searchsorted(block, "left")
        right = left.copy()
        if part.size:
            tied = np.flatnonzero(part[np.minimum(left, part.size - 1)] == block)
            right[tied] = part.searchsorted(block[tied], "right")
        if self._cumulative is None:
            return left + start, right - left
        below = self._cumulative[left + start]
        return below, self._cumulative[right + start] - below


def _whole_counts(weights: npt.ArrayLike) -> IntArray:
    array = np.asarray(weights)
    if array.size and array.dtype.kind not in "iu":
        msg = f"found weights of type {array.dtype}; wanted whole numbers"
        raise TypeError(msg)
    if array.size and (array.min() < 0 or array.sum(dtype=np.float64) > 2.0**60):
        msg = f"found weights from {array.min()} to {array.max()}; wanted counts >= 0 with a sum of at most 2^60"
        raise ValueError(msg)
    return array.astype(np.int64)


def interpolate(low: float, high: float, fraction: float) -> float:
    """Return the value a fraction of the way from low to high.

    low + (high - low) * fraction, which never falls as the fraction grows, never passes high, and is exact
    where the ends are equal.

    Parameters
    ----------
    low, high : float
        Finite, low <= high.
    fraction : float
        0 <= fraction < 1.

    Examples
    --------
    >>> interpolate(1.0, 2.0, 0.5), interpolate(0.1, 0.1, 0.3)
    (1.5, 0.1)
    """
    span = high - low
    if math.isinf(span):
        return low * (1 - fraction) + high * fraction
    return low + span * fraction


def type_7_rank(n: int, q: float) -> float:
    """Return the rank, 0 for the smallest and with a fraction, of the q-quantile (type 7) of n values.

    Parameters
    ----------
    n : int
        Number of values, >= 1.
    q : float
        0 <= q <= 1.

    Raises
    ------
    ValueError
        If there are no values or q is out of range.

    Examples
    --------
    >>> type_7_rank(4, 0.5)
    1.5
    """
    if not 0 <= q <= 1:
        msg = f"found quantile {q}; wanted one from 0 to 1"
        raise ValueError(msg)
    if n < 1:
        raise ValueError("found no values; wanted at least one for a quantile")
    return (n - 1) * q
