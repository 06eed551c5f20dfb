"""Fisher's exact test of 2 x 2 tables, many groups at once, for counts up to a thousand million.

Under the null the group's favourable outcomes are hypergeometric given the margins. Their probabilities
come from Loader's saddle-point form, which keeps every digit where log-gamma functions lose them, and the
tails from the ratios of neighbouring probabilities.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from fairreport.stats.proportion import FloatArray, IntArray, count_pairs
from fairreport.stats.significance import LOG_10, PValues

__all__ = ["Alternative", "PValues", "fisher_exact", "log_table_probability"]

# Tables this much likelier than the observed still count as equally likely: the tolerance of R.
TIE = math.log1p(1e-7)
# A tail is summed until its terms fall below this share of the sum.
NEGLIGIBLE = 1e-18
# Terms of a tail summed at once, at most, and terms over all groups that fit into a processor's cache.
WIDEST_BLOCK = 4096
CACHED_TERMS = 1 << 17

# log(n!) - log(sqrt(2 pi n) (n / e)^n) for n = 0 .. 15; 0 stands for n = 0, where the formula has no value.
STIRLING_ERROR = np.array([
    0.0, 0.08106146679532726, 0.0413406959554093, 0.02767792568499834,
    0.020790672103765093, 0.016644691189821193, 0.013876128823070748, 0.01189670994589177,
    0.010411265261972096, 0.009255462182712733, 0.00833056343336287, 0.007573675487951841,
    0.00694284010720953, 0.006408994188004207, 0.0059513701127588475, 0.005554733551962801,
])  # fmt: skip


class Alternative(StrEnum):
    """Which tables count as at least as extreme as the observed one."""

    TWO_SIDED = "two-sided"
    LESS = "less"
    GREATER = "greater"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Margins:
    """Row and column totals of the tables, and the bounds of the group's favourable outcomes."""

    n: IntArray
    m: IntArray
    k: IntArray
    log_constant: FloatArray

    @classmethod
    def of(cls, n: IntArray, m: IntArray, k: IntArray) -> _Margins:
        everyone = n + m
        sizes = np.stack([n, k, everyone - k, m])
        product = _product_of_four(sizes.astype(np.float64)) / everyone
        constant = _sum_of_four(_stirling_error(sizes)) - _stirling_error(everyone)
        # The square roots of 2 pi n: four margins, less the grand total.
        return cls(n=n, m=m, k=k, log_constant=constant + 0.5 * np.log((2 * math.pi) ** 3 * product))

    def take(self, at: npt.NDArray[np.intp]) -> _Margins:
        return _Margins(n=self.n[at], m=self.m[at], k=self.k[at], log_constant=self.log_constant[at])

    @property
    def smallest(self) -> IntArray:
        smallest: IntArray = np.maximum(self.k - self.m, 0)
        return smallest

    @property
    def largest(self) -> IntArray:
        return np.minimum(self.k, self.n)

    @property
    def mode(self) -> IntArray:
        mode: IntArray = (self.n + 1) * (self.k + 1) // (self.n + self.m + 2)
        return np.minimum(np.maximum(mode, self.smallest), self.largest)


def fisher_exact(
    a: npt.ArrayLike,
    n: npt.ArrayLike,
    b: npt.ArrayLike,
    m: npt.ArrayLike,
    *,
    alternative: Alternative | str = Alternative.TWO_SIDED,
) -> PValues:
    """Return the p-values of Fisher's exact test of each group against the reference.

    Two-sided means the sum over all tables no likelier than the observed one, as in R and scipy, not twice
    the smaller tail. Probabilities within a relative 1e-7 count as equal, as in R.

    Parameters
    ----------
    a, n : array_like of int
        Favourable outcomes and total of each group.
    b, m : array_like of int
        Favourable outcomes and total of the reference.
    alternative : {"two-sided", "less", "greater"}
        ``less``: the group's rate is lower than the reference's.

    Returns
    -------
    PValues
        p 1 where both rates are 0 %, both are 100 %, or a side is empty: only one table is possible.

    References
    ----------
    Fisher (1935), JRSS 98, 39-82; Loader (2000), Fast and Accurate Computation of Binomial Probabilities;
    R ``fisher.test``.

    Examples
    --------
    >>> fisher_exact(10, 13, 2, 17).p.round(7)
    array([0.0005367])
    >>> fisher_exact([3, 20], [4, 20], [1, 0], [4, 20], alternative="greater").p.round(4)
    array([0.2429, 0.    ])
    """
    wanted = Alternative(alternative)
    a, n, b, m = count_pairs((a, n), (b, m))
    shape = a.shape
    a, n, k, m = a.ravel(), n.ravel(), (a + b).ravel(), m.ravel()
    at = np.flatnonzero((n > 0) & (m > 0) & (k > 0) & (k < n + m))
    log_p = np.zeros(a.shape)
    if at.size:
        margins = _Margins.of(n[at], m[at], k[at])
        if wanted is Alternative.TWO_SIDED:
            log_p[at] = _two_sided(a[at], margins)
        else:
            log_p[at] = _one_sided(a[at], margins, upwards=wanted is Alternative.GREATER)
    logs = np.minimum(log_p, 0.0).reshape(shape)
    return PValues(p=np.exp(logs), log10_p=logs / LOG_10)


def log_table_probability(a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike) -> FloatArray:
    """Return the natural logarithm of the probability of each observed table, given its margins.

    Parameters
    ----------
    a, n : array_like of int
        Favourable outcomes and total of each group.
    b, m : array_like of int
        Favourable outcomes and total of the reference.

    Returns
    -------
    ndarray of float64
        0 where only one table is possible.

    References
    ----------
    Loader (2000), Fast and Accurate Computation of Binomial Probabilities.

    Examples
    --------
    >>> np.exp(log_table_probability(2, 3, 1, 3)).round(6)
    array([0.45])
    """
    a, n, b, m = count_pairs((a, n), (b, m))
    shape = a.shape
    a, n, k, m = a.ravel(), n.ravel(), (a + b).ravel(), m.ravel()
    logs = np.zeros(a.shape)
    at = np.flatnonzero((n > 0) & (m > 0) & (k > 0) & (k < n + m))
    if at.size:
        logs[at] = np.minimum(_log_probability(a[at], _Margins.of(n[at], m[at], k[at])), 0.0)
    return logs.reshape(shape)


def _two_sided(a: IntArray, margins: _Margins) -> FloatArray:
    mode = margins.mode
    observed = _log_probability(a, margins)
    limit = observed + TIE
    log_p = np.zeros(a.shape)
    # Where the mode itself ties with the observed table, every table counts.
    at = np.flatnonzero(_log_probability(mode, margins) > limit)
    if not at.size:
        return log_p
    a, mode, limit, inner = a[at], mode[at], limit[at], margins.take(at)
    outwards = np.where(a > mode, 1, -1)
    twice = np.concatenate([np.arange(at.size), np.arange(at.size)])
    both = inner.take(twice)
    direction = np.concatenate([outwards, -outwards])
    end = np.where(direction > 0, both.largest + 1, both.smallest - 1)
    known = np.concatenate([a, end[at.size :]])
    start = np.concatenate([a - outwards, 2 * mode - a])
    inside = _first_within(both, limit[twice], outside=mode[twice], inside=known, start=start, direction=direction)
    logs = _log_tail(inside, both, direction)
    log_p[at] = np.logaddexp(logs[: at.size], logs[at.size :])
    return log_p


def _one_sided(a: IntArray, margins: _Margins, *, upwards: bool) -> FloatArray:
    step = 1 if upwards else -1
    # Sum the tail that falls away from the mode; where that is the other one, take the rest.
    falling = (a - margins.mode) * step >= 0
    start = np.where(falling, a, a - step)
    direction = np.where(falling, step, -step)
    logs = np.minimum(_log_tail(start, margins, direction), 0.0)
    rest = np.log1p(-np.where(falling, 0.0, np.exp(logs)))
    return np.asarray(np.where(falling, logs, rest), dtype=np.float64)


def _first_within(
    margins: _Margins,
    limit: FloatArray,
    *,
    outside: IntArray,
    inside: IntArray,
    start: IntArray,
    direction: IntArray,
) -> IntArray:
    """Return the first count, going from ``outside`` in a direction, whose log probability is <= limit.

    ``inside`` is known to be within (or lies just past the last table). Probe at ``start``, gallop from
    there with doubled steps until both sides are known, then halve the bracket.
    """
    inside = inside.copy()
    outside = outside.copy()
    probe = start.copy()
    step = np.ones_like(probe)
    first = np.zeros(probe.shape, dtype=np.int8)
    open_ = np.flatnonzero(np.abs(inside - outside) > 1)
    while open_.size:
        near = np.minimum(outside[open_], inside[open_]) + 1
        far = np.maximum(outside[open_], inside[open_]) - 1
        x = np.clip(probe[open_], near, far)
        within = _log_probability(x, margins.take(open_)) <= limit[open_]
        inside[open_] = np.where(within, x, inside[open_])
        outside[open_] = np.where(within, outside[open_], x)
        side = np.where(within, 1, -1).astype(np.int8)
        galloping = (first[open_] == 0) | (first[open_] == side)
        first[open_] = np.where(galloping, side, 2)
        ahead = x - direction[open_] * side * step[open_]
        probe[open_] = np.where(galloping, ahead, (inside[open_] + outside[open_]) // 2)
        step[open_] *= 2
        open_ = open_[np.abs(inside[open_] - outside[open_]) > 1]
    return inside


def _log_tail(start: IntArray, margins: _Margins, direction: IntArray) -> FloatArray:
    """Return log of the probability of ``start`` and all beyond it; -inf where start is past the tables."""
    logs = np.full(start.shape, -np.inf)
    at = np.flatnonzero((start >= margins.smallest) & (start <= margins.largest))
    if not at.size:
        return logs
    kept = margins.take(at)
    # Four factors of the ratio of neighbours: two shrink by one a step, two grow.
    up = direction[at] > 0
    x = start[at]
    group_left, favourable_left = kept.n - x, kept.k - x
    rest = kept.m - favourable_left
    shrinking = np.where(up, [group_left, favourable_left], [x, rest]).astype(np.float64)
    growing = np.where(up, [x, rest], [group_left, favourable_left]).astype(np.float64)
    logs[at] = _log_probability(x, kept) + np.log(_sum_of_products(shrinking, growing))
    return logs


def _sum_of_products(shrinking: FloatArray, growing: FloatArray) -> FloatArray:
    """Return 1 + r1 + r1 r2 + ... with r_j = prod(shrinking - j + 1) / prod(growing + j).

    Blocks grow by one schedule whatever else is summed beside: a group's digits do not depend on the others.
    """
    total = np.ones(shrinking.shape[1])
    last = total.copy()
    done = 0
    width = 16
    open_ = np.arange(total.size)
    while open_.size:
        width = min(width * 2, WIDEST_BLOCK)
        j = done + np.arange(width)
        rows = CACHED_TERMS // width
        for at in (open_[i : i + rows] for i in range(0, open_.size, rows)):
            shrink, grow = shrinking[:, at, None], growing[:, at, None]
            terms = np.maximum(shrink[0] - j, 0) * np.maximum(shrink[1] - j, 0)
            terms /= (grow[0] + (j + 1)) * (grow[1] + (j + 1))
            terms[:, 0] *= last[at]
            np.cumprod(terms, axis=1, out=terms)
            total[at] += terms.sum(axis=1)
            last[at] = terms[:, -1]
        done += width
        open_ = open_[last[open_] > NEGLIGIBLE * total[open_]]
    return total


def _log_probability(x: IntArray, margins: _Margins) -> FloatArray:
    """Return log P(X = x): Stirling errors of margins less those of cells, less the deviance of the table."""
    n, m, k = margins.n, margins.m, margins.k
    cells = np.stack([x, n - x, k - x, m - k + x])
    everyone = (n + m).astype(np.float64)
    # a d - b c fits into 64 bits: exact, while a - n k / N would lose the digits that count.
    gap = (cells[0] * cells[3] - cells[1] * cells[2]) / everyone
    n_share, m_share = n / everyone, m / everyone
    expected = np.stack([n_share * k, n_share * (everyone - k), m_share * k, m_share * (everyone - k)])
    deviation = np.stack([gap, -gap, -gap, gap]) / expected
    roots = _product_of_four(np.where(cells > 0, 2 * math.pi * cells, 1.0))
    deviance = _sum_of_four(expected * _deviance_unit(deviation, cells / expected))
    return margins.log_constant - _sum_of_four(_stirling_error(cells)) - 0.5 * np.log(roots) - deviance


def _sum_of_four(parts: FloatArray) -> FloatArray:
    """Return the sum over cells in an order that swapping groups or outcomes leaves alone."""
    total: FloatArray = (parts[0] + parts[3]) + (parts[1] + parts[2])
    return total


def _product_of_four(parts: FloatArray) -> FloatArray:
    product: FloatArray = (parts[0] * parts[3]) * (parts[1] * parts[2])
    return product


def _deviance_unit(t: FloatArray, y: FloatArray) -> FloatArray:
    """Return (1 + t) log(1 + t) - t, given y = 1 + t too, without cancellation near t = 0."""
    small = np.abs(t) < 0.15
    near = np.where(small, t, 0.0)
    v = near / (2 + near)
    w = v * v
    series = 1 / 17.0
    for odd in (15, 13, 11, 9, 7, 5, 3):
        series = series * w + 1.0 / odd
    close = near * v + 2 * (1 + near) * v * w * series
    far = np.where(y > 0, y * np.log(np.where(y > 0, y, 1.0)) - t, 1.0)
    return np.asarray(np.where(small, close, far), dtype=np.float64)


def _stirling_error(count: IntArray) -> FloatArray:
    """Return log(n!) - log(sqrt(2 pi n) (n / e)^n); 0 for n = 0."""
    inverse = 1 / np.maximum(count, 16)
    w = inverse * inverse
    # 1/(12 n) - 1/(360 n^3) + ..., NIST DLMF 5.11.1.
    series = ((((-691 / 360360 * w + 1 / 1188) * w - 1 / 1680) * w + 1 / 1260) * w - 1 / 360) * w + 1 / 12
    return np.where(count < 16, STIRLING_ERROR[np.minimum(count, 15)], series * inverse)
