"""A group against the reference inside strata, pooled: Mantel-Haenszel estimates and their tests.

Every function takes four one-dimensional arrays over strata: ``a`` favourable of ``n`` in the group, ``b`` of
``m`` in the reference. Strata where a side has no rows compare nothing and are left out. Terms are whole
numbers divided once, their sums are correctly rounded, so the order of the strata changes no digit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fairreport.stats.proportion import FloatArray, IntArray, count_pairs, critical_value
from fairreport.stats.significance import chi_square_tail


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledEstimate:
    """An estimate pooled over strata.

    Attributes
    ----------
    value : float
        The estimate; nan where its denominator is 0 or no stratum is shared.
    low, high : float
        Ends of its confidence interval; nan where the estimate is 0 or nan, or its variance 0.
    n_strata : int
        Strata used: both sides have rows.
    n_dropped : int
        Strata left out.
    """

    value: float
    low: float
    high: float
    n_strata: int
    n_dropped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StrataChiSquare:
    """A chi-square test over strata.

    Attributes
    ----------
    statistic : float
        Statistic, >= 0; nan where it is not defined.
    df : int
        Degrees of freedom.
    p, log10_p : float
        Upper tail probability and its decimal logarithm; nan where the statistic is.
    n_strata : int
        Strata used.
    n_dropped : int
        Strata left out.
    """

    statistic: float
    df: int
    p: float
    log10_p: float
    n_strata: int
    n_dropped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shared:
    """The strata in which both sides have rows."""

    a: IntArray
    n: IntArray
    b: IntArray
    m: IntArray
    n_dropped: int

    @property
    def size(self) -> int:
        return int(self.n.size)

    @property
    def rows(self) -> IntArray:
        return self.n + self.m

    @property
    def favourable(self) -> IntArray:
        return self.a + self.b

    def only(self, keep: npt.NDArray[np.bool_]) -> _Shared:
        return _Shared(
            a=self.a[keep],
            n=self.n[keep],
            b=self.b[keep],
            m=self.m[keep],
            n_dropped=self.n_dropped + int(np.count_nonzero(~keep)),
        )


def _shared(a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike) -> _Shared:
    a, n, b, m = (array.ravel() for array in count_pairs((a, n), (b, m)))
    return _Shared(a=a, n=n, b=b, m=m, n_dropped=0).only((n > 0) & (m > 0))


def _total(terms: FloatArray) -> float:
    return math.fsum(terms.tolist())


def _quotient(top: float, bottom: float) -> float:
    return top / bottom if bottom > 0 else math.nan


def _estimate(value: float, log_variance: float, level: float, strata: _Shared) -> PooledEstimate:
    low = high = math.nan
    half_width = critical_value(level) * math.sqrt(log_variance) if log_variance > 0 else math.nan
    if value > 0 and half_width > 0:
        low, high = value * math.exp(-half_width), value * math.exp(half_width)
    return PooledEstimate(value=value, low=low, high=high, n_strata=strata.size, n_dropped=strata.n_dropped)


def _test(statistic: float, df: int, strata: _Shared) -> StrataChiSquare:
    p, log10_p = (math.nan, math.nan) if math.isnan(statistic) else chi_square_tail(statistic, df)
    return StrataChiSquare(
        statistic=statistic, df=df, p=p, log10_p=log10_p, n_strata=strata.size, n_dropped=strata.n_dropped
    )


def mantel_haenszel_ratio(
    a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike, *, level: float
) -> PooledEstimate:
    """Return the Mantel-Haenszel ratio of rates, sum(a m / N) / sum(b n / N), with its interval.

    Parameters
    ----------
    a, n : array_like of int, shape (strata,)
        Favourable outcomes and total of the group in each stratum.
    b, m : array_like of int, shape (strata,)
        Favourable outcomes and total of the reference.
    level : float
        Confidence level of the Greenland-Robins interval, 0 < level < 1.

    Returns
    -------
    PooledEstimate
        No continuity correction. The value is nan where the reference has no favourable outcome in any
        shared stratum.

    References
    ----------
    Greenland and Robins (1985), Biometrics 41, 55-68, equations 4 and 13.

    Examples
    --------
    >>> pooled = mantel_haenszel_ratio([89, 17], [108, 25], [512, 353], [825, 560], level=0.95)
    >>> round(pooled.value, 4), pooled.n_strata
    (1.2773, 2)
    """
    s = _shared(a, n, b, m)
    group, reference = _total(s.a * s.m / s.rows), _total(s.b * s.n / s.rows)
    # a n (m - b) + b m (n - a) is n m (a + b) - a b N without the subtraction.
    spread = s.a * s.n / s.rows * ((s.m - s.b) / s.rows) + s.b * s.m / s.rows * ((s.n - s.a) / s.rows)
    variance = _quotient(_total(spread), group * reference)
    return _estimate(_quotient(group, reference), variance, level, s)


def mantel_haenszel_odds_ratio(
    a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike, *, level: float
) -> PooledEstimate:
    """Return the Mantel-Haenszel odds ratio, sum(a (m - b) / N) / sum(b (n - a) / N), with its interval.

    Parameters
    ----------
    a, n : array_like of int, shape (strata,)
        Favourable outcomes and total of the group in each stratum.
    b, m : array_like of int, shape (strata,)
        Favourable outcomes and total of the reference.
    level : float
        Confidence level of the Robins-Breslow-Greenland interval, 0 < level < 1.

    Returns
    -------
    PooledEstimate
        No continuity correction. The value is nan where no stratum has both a favourable outcome of the
        reference and an unfavourable one of the group.

    References
    ----------
    Mantel and Haenszel (1959), JNCI 22, 719-748; Robins, Breslow and Greenland (1986), Biometrics 42,
    311-323.

    Examples
    --------
    >>> pooled = mantel_haenszel_odds_ratio([89, 17], [108, 25], [512, 353], [825, 560], level=0.95)
    >>> round(pooled.value, 4), round(pooled.low, 4), round(pooled.high, 4)
    (2.3517, 1.5188, 3.6413)
    """
    s = _shared(a, n, b, m)
    c, d = s.n - s.a, s.m - s.b
    favours, against = s.a * d / s.rows, s.b * c / s.rows
    agree, differ = (s.a + d) / s.rows, (s.b + c) / s.rows
    top, bottom = _total(favours), _total(against)
    variance = math.nan
    if top > 0 and bottom > 0:
        variance = (
            _total(agree * favours) / (2 * top * top)
            + _total(agree * against + differ * favours) / (2 * top * bottom)
            + _total(differ * against) / (2 * bottom * bottom)
        )
    return _estimate(_quotient(top, bottom), variance, level, s)


def mantel_haenszel_difference(a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike) -> float:
    """Return the Mantel-Haenszel difference of rates, sum((a m - b n) / N) / sum(n m / N).

    Parameters
    ----------
    a, n : array_like of int, shape (strata,)
        Favourable outcomes and total of the group in each stratum.
    b, m : array_like of int, shape (strata,)
        Favourable outcomes and total of the reference.

    Returns
    -------
    float
        Between -1 and 1; nan where no stratum is shared.

    References
    ----------
    Greenland and Robins (1985), Biometrics 41, 55-68, equation 5.

    Examples
    --------
    >>> round(mantel_haenszel_difference([89, 17], [108, 25], [512, 353], [825, 560]), 4)
    0.1726
    """
    s = _shared(a, n, b, m)
    return _quotient(_total((s.a * s.m - s.b * s.n) / s.rows), _total(s.n * s.m / s.rows))


def cochran_mantel_haenszel(
    a: npt.ArrayLike,
    n: npt.ArrayLike,
    b: npt.ArrayLike,
    m: npt.ArrayLike,
    *,
    continuity: bool,
    floored: bool = False,
) -> StrataChiSquare:
    """Return the Cochran-Mantel-Haenszel test that group and outcome are independent in every stratum.

    Parameters
    ----------
    a, n : array_like of int, shape (strata,)
        Favourable outcomes and total of the group in each stratum.
    b, m : array_like of int, shape (strata,)
        Favourable outcomes and total of the reference.
    continuity : bool
        Whether to take 0.5 off the deviation; as in R, only where it is at least 0.5.
    floored : bool
        Whether a deviation below 0.5 becomes 0 with the correction, instead of staying as it is.

    Returns
    -------
    StrataChiSquare
        One degree of freedom. Statistic 0 and p 1 where no stratum has any variation; nan where no stratum
        is shared.

    References
    ----------
    Mantel and Haenszel (1959), JNCI 22, 719-748; Agresti (2002), Categorical Data Analysis, equation 6.6;
    R ``mantelhaen.test``.

    Examples
    --------
    >>> test = cochran_mantel_haenszel([89, 17], [108, 25], [512, 353], [825, 560], continuity=False)
    >>> round(test.statistic, 3), test.df
    (15.468, 1)
    """
    s = _shared(a, n, b, m)
    if not s.size:
        return _test(math.nan, 1, s)
    deviation = abs(_total((s.a * s.m - s.b * s.n) / s.rows))
    if continuity and (floored or deviation >= 0.5):
        deviation = max(deviation - 0.5, 0.0)
    unfavourable = s.rows - s.favourable
    variance = _total((s.n * s.m / s.rows) * (s.favourable / s.rows) * (unfavourable / (s.rows - 1)))
    return _test(deviation * deviation / variance if variance > 0 else 0.0, 1, s)


def ratio_heterogeneity(a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike) -> StrataChiSquare:
    """Return Cochran's Q on the log ratios: the test that the strata share one ratio of rates.

    Parameters
    ----------
    a, n : array_like of int, shape (strata,)
        Favourable outcomes and total of the group in each stratum.
    b, m : array_like of int, shape (strata,)
        Favourable outcomes and total of the reference.

    Returns
    -------
    StrataChiSquare
        Strata used less one degrees of freedom; weights are inverse variances of the log ratio. Strata in
        which a side has no favourable outcome, or both rates are 1, have no finite weight: they are dropped
        and counted. nan with fewer than two left.

    References
    ----------
    Cochran (1954), Biometrics 10, 101-129.

    Examples
    --------
    >>> test = ratio_heterogeneity([89, 17], [108, 25], [512, 353], [825, 560])
    >>> round(test.statistic, 3), test.df
    (1.911, 1)
    """
    s = _shared(a, n, b, m)
    s = s.only((s.a > 0) & (s.b > 0) & ((s.a < s.n) | (s.b < s.m)))
    df = max(s.size - 1, 0)
    if not df:
        return _test(math.nan, df, s)
    log_ratio = np.log(s.a * s.m / (s.n * s.b))
    weight = 1 / ((s.n - s.a) / s.n / s.a + (s.m - s.b) / s.m / s.b)
    mean = _total(weight * log_ratio) / _total(weight)
    return _test(_total(weight * (log_ratio - mean) ** 2), df, s)


def breslow_day(
    a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike, *, tarone: bool
) -> StrataChiSquare:
    """Return the Breslow-Day test that the strata share one odds ratio.

    Parameters
    ----------
    a, n : array_like of int, shape (strata,)
        Favourable outcomes and total of the group in each stratum.
    b, m : array_like of int, shape (strata,)
        Favourable outcomes and total of the reference.
    tarone : bool
        Whether to subtract Tarone's correction, which the Mantel-Haenszel estimate calls for.

    Returns
    -------
    StrataChiSquare
        Strata used less one degrees of freedom. Strata without variation in the outcome say nothing about
        odds: they are dropped and counted. nan with fewer than two left, or where the pooled odds ratio is 0
        or not defined.

    References
    ----------
    Breslow and Day (1980), Statistical Methods in Cancer Research 1, equation 4.30; Tarone (1985),
    Biometrika 72, 91-95.

    Examples
    --------
    >>> test = breslow_day([89, 17], [108, 25], [512, 353], [825, 560], tarone=False)
    >>> round(test.statistic, 3), test.df
    (2.736, 1)
    """
    s = _shared(a, n, b, m)
    s = s.only((s.favourable > 0) & (s.favourable < s.rows))
    df = max(s.size - 1, 0)
    top, bottom = _total(s.a * (s.m - s.b) / s.rows), _total(s.b * (s.n - s.a) / s.rows)
    if not df or top <= 0 or bottom <= 0:
        return _test(math.nan, df, s)
    fitted = _fitted_favourable(s, top / bottom)
    cells = np.stack([fitted, s.n - fitted, s.favourable - fitted, s.m - s.favourable + fitted])
    # A cell that rounds to nothing would divide by 0; at this size it decides the variance all the same.
    variance = 1 / (1 / np.maximum(cells, 1e-9)).sum(axis=0)
    statistic = _total((s.a - fitted) ** 2 / variance)
    if tarone:
        statistic = max(statistic - _total(s.a - fitted) ** 2 / _total(variance), 0.0)
    return _test(statistic, df, s)


def _fitted_favourable(s: _Shared, odds_ratio: float) -> FloatArray:
    """Return the group's favourable outcomes in each stratum, given its margins, under one odds ratio.

    The root of (1 - R) x^2 + (m - k + R (n + k)) x - R n k = 0 that lies within the table.
    """
    k = s.favourable
    linear = (s.m - k) + odds_ratio * (s.n + k)
    constant = odds_ratio * (s.n.astype(np.float64) * k)
    root = np.sqrt(np.maximum(linear * linear + 4 * (1 - odds_ratio) * constant, 0.0))
    return np.asarray(2 * constant / (linear + root), dtype=np.float64)
