"""Quantiles of several samples put together, and the distribution-free interval of a quantile."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

from fairreport.stats.proportion import tail_probability
from fairreport.stats.sample import SortedSample, interpolate, type_7_rank

__all__ = ["SortedSample", "order_statistic_bounds", "order_statistic_interval", "pooled_quantile"]

# A probability this close to the wanted one, relative, equals it: 1 - 0.8 is not 0.2 in binary.
TIE = 1e-12


def pooled_quantile(samples: Sequence[SortedSample], q: float) -> float:
    """Return the q-quantile (type 7) of several samples put together, without putting them together.

    Parameters
    ----------
    samples : sequence of SortedSample
        With at least one value in all.
    q : float
        0 <= q <= 1.

    Returns
    -------
    float
        The same as of the one sample of all values.

    Raises
    ------
    ValueError
        If there are no values or q is out of range.

    Examples
    --------
    >>> pooled_quantile([SortedSample([1.0, 4.0]), SortedSample([2.0, 3.0, 9.0])], 0.5)
    3.0
    """
    filled = [sample for sample in samples if sample.n]
    n = sum(sample.n for sample in filled)
    rank = type_7_rank(n, q)
    k = math.floor(rank)
    low = _select(filled, n, k)
    above = [sample.count_above(low) for sample in filled]
    if rank == k or n - sum(above) > k + 1:
        return low
    nearest = (s.order_statistic(s.n - m) for s, m in zip(filled, above, strict=True) if m)
    return interpolate(low, min(nearest), rank - k)


def _select(samples: Sequence[SortedSample], n: int, k: int) -> float:
    """Return the value at rank k of all samples: bisection over the floats themselves, at most 64 steps.

    The wanted value lies between the smallest and the largest of the samples' own values at the rank
    of the same share, k + 1 of n.
    """
    own = [sample.order_statistic(((k + 1) * sample.n - 1) // n) for sample in samples]
    low, high = _float_to_rank(min(own)), _float_to_rank(max(own))
    while low < high:
        middle = (low + high) // 2
        value = _rank_to_float(middle)
        if n - sum(sample.count_above(value) for sample in samples) > k:
            high = middle
        else:
            low = middle + 1
    return _rank_to_float(low)


def _float_to_rank(value: float) -> int:
    """Return the whole number of a finite float among all floats in ascending order, 0 for 0.0."""
    (rank,) = struct.unpack("<q", struct.pack("<d", abs(value)))
    return -int(rank) if value < 0 else int(rank)


def _rank_to_float(rank: int) -> float:
    (value,) = struct.unpack("<d", struct.pack("<q", abs(rank)))
    return -float(value) if rank < 0 else float(value)


def order_statistic_interval(n: int, q: float, *, level: float) -> tuple[int | None, int | None]:
    """Return the ranks, 1 for the smallest, of the distribution-free interval of a q-quantile.

    With B, binomial (n, q), the number of values below the quantile, the value at rank r is above the
    quantile with probability P(B < r) and below it with P(B >= r). Each end is the innermost rank for which
    that is below (1 - level) / 2, so both together hold the quantile with at least the level, whatever the
    distribution; ties among the values only raise it. A probability of exactly (1 - level) / 2 does not count
    as below: the binomial quantile functions of scipy and R decide so too.

    Parameters
    ----------
    n : int
        Number of values, >= 0.
    q : float
        0 < q < 1.
    level : float
        Confidence level, 0 < level < 1.

    Returns
    -------
    tuple of int or None
        Ranks of the lower and the upper end; None where n values are too few for that end.

    References
    ----------
    David and Nagaraja (2003), Order Statistics, 3rd ed., section 7.1; Hahn and Meeker (1991), Statistical
    Intervals, section 5.2; Conover (1999), Practical Nonparametric Statistics, 3rd ed., section 3.2.

    Examples
    --------
    >>> order_statistic_interval(16, 0.75, level=0.95), order_statistic_interval(30, 0.95, level=0.95)
    ((8, 16), (26, None))
    """
    from scipy import special  # noqa: PLC0415 - a quarter of a second that most audits do not need

    tail = tail_probability(level) * (1 - TIE)
    if not 0 < q < 1:
        msg = f"found quantile {q}; wanted one strictly between 0 and 1"
        raise ValueError(msg)
    # Ranks 1 to low keep P(B < r) within the tail, ranks high to n P(B >= r).
    low, beyond = 0, n + 1
    while beyond - low > 1:
        rank = (low + beyond) // 2
        if special.betaincc(rank, n - rank + 1, q) < tail:
            low = rank
        else:
            beyond = rank
    short, high = 0, n + 1
    while high - short > 1:
        rank = (short + high) // 2
        if special.betainc(rank, n - rank + 1, q) < tail:
            high = rank
        else:
            short = rank
    return low or None, high if high <= n else None


def order_statistic_bounds(sample: SortedSample, q: float, *, level: float) -> tuple[float | None, float | None]:
    """Return the distribution-free interval of a q-quantile: the sample's values at its two ranks.

    Parameters
    ----------
    sample : SortedSample
        The values.
    q : float
        0 < q < 1.
    level : float
        Confidence level, 0 < level < 1.

    Returns
    -------
    tuple of float or None
        Lower and upper end; None where the sample is too small for that end.

    References
    ----------
    As for `order_statistic_interval`.

    Examples
    --------
    >>> order_statistic_bounds(SortedSample(range(10)), 0.5, level=0.95)
    (1.0, 8.0)
    """
    low, high = order_statistic_interval(sample.n, q, level=level)
    return (
        None if low is None else sample.order_statistic(low - 1),
        None if high is None else sample.order_statistic(high - 1),
    )
