"""Tests whether shares differ by more than chance: pooled z, chi-square, and their tails in logs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fairreport.stats.proportion import FloatArray, IntArray, count_pairs

LOG_10 = math.log(10)

SMALLEST_ACCURATE = 1e-290
"""Tails below this lose digits as numbers; their logarithm is computed by itself."""

LARGEST_EXPONENT = 700.0
"""exp(-x) keeps all digits up to here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PValues:
    """P-values, one element a group, in two forms.

    Attributes
    ----------
    p : ndarray of float64
        P-values in [0, 1]; those below about 1e-308 underflow to 0.
    log10_p : ndarray of float64
        Their decimal logarithms, accurate at any size.
    """

    p: FloatArray
    log10_p: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ZTest:
    """Two-sided z tests, one element a group.

    Attributes
    ----------
    z : ndarray of float64
        Statistics; positive where the group's rate is above the reference's.
    p, log10_p : ndarray of float64
        Two-sided p-values and their decimal logarithms.
    """

    z: FloatArray
    p: FloatArray
    log10_p: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class ChiSquare:
    """Chi-square tests of 2 x 2 tables (one degree of freedom), one element a group.

    Attributes
    ----------
    statistic : ndarray of float64
        Statistics, >= 0.
    p, log10_p : ndarray of float64
        Upper tail probabilities and their decimal logarithms.
    """

    statistic: FloatArray
    p: FloatArray
    log10_p: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class OverallChiSquare:
    """One chi-square test over several groups.

    Attributes
    ----------
    statistic : float
        Statistic, >= 0.
    df : int
        Degrees of freedom, >= 1.
    p, log10_p : float
        Upper tail probability and its decimal logarithm.
    """

    statistic: float
    df: int
    p: float
    log10_p: float


def pooled_z(a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike) -> ZTest:
    """Return the z test of two proportions, group minus reference, with the pooled variance.

    Two-sided, without continuity correction; z squared is Pearson's chi-square.

    Parameters
    ----------
    a, n : array_like of int
        Favourable outcomes and total of each group.
    b, m : array_like of int
        Favourable outcomes and total of the reference.

    Returns
    -------
    ZTest
        z 0 and p 1 where both rates are 0 %, both are 100 %, or a side is empty: nothing varies.

    References
    ----------
    Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, 3rd ed., section 3.1,
    without the continuity correction.

    Examples
    --------
    >>> test = pooled_z(12, 40, 48, 80)
    >>> test.z.round(4), test.p.round(6)
    (array([-3.0984]), array([0.001946]))
    """
    a, n, b, m = count_pairs((a, n), (b, m))
    scale, varies = _scale(a, n, b, m)
    z = np.where(varies, (a * m - b * n) / scale, 0.0)
    p, log10_p = normal_two_sided(z)
    return ZTest(z=z, p=p, log10_p=log10_p)


def chi_square(a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike, *, yates: bool) -> ChiSquare:
    """Return Pearson's chi-square test of each group against the reference.

    Parameters
    ----------
    a, n : array_like of int
        Favourable outcomes and total of each group.
    b, m : array_like of int
        Favourable outcomes and total of the reference.
    yates : bool
        Whether to apply Yates's continuity correction, capped at |observed - expected| as in scipy and R, so
        that it never turns a small deviation into a larger one.

    Returns
    -------
    ChiSquare
        Statistic 0 and p 1 where both rates are 0 %, both are 100 %, or a side is empty.

    References
    ----------
    Yates (1934), Supplement to the JRSS 1, 217-235; R ``chisq.test``.

    Examples
    --------
    >>> chi_square(11, 15, 2, 8, yates=True).statistic.round(4)
    array([3.1879])
    """
    a, n, b, m = count_pairs((a, n), (b, m))
    scale, varies = _scale(a, n, b, m)
    deviation = np.abs(a * m - b * n).astype(np.float64)
    if yates:
        deviation = np.maximum(deviation - (n + m) / 2, 0.0)
    root = np.where(varies, deviation / scale, 0.0)
    p, log10_p = normal_two_sided(root)
    return ChiSquare(statistic=root * root, p=p, log10_p=log10_p)


def _scale(a: IntArray, n: IntArray, b: IntArray, m: IntArray) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Return what divides a m - b n to give z, and where it is not 0."""
    favourable = (a + b).astype(np.float64)
    unfavourable = (n - a + (m - b)).astype(np.float64)
    product = (n.astype(np.float64) * m) * (favourable * unfavourable)
    varies = product > 0
    return np.sqrt(np.where(varies, product, 1.0) / np.where(varies, n + m, 1)), varies


def omnibus_chi_square(favorable: npt.ArrayLike, n: npt.ArrayLike) -> OverallChiSquare | None:
    """Return Pearson's chi-square test that all groups have one rate.

    The terms are exact integers divided once and their sum is correctly rounded, so the order of the groups
    changes no digit.

    Parameters
    ----------
    favorable, n : array_like of int, shape (groups,)
        Favourable outcomes and totals. Groups without rows are left out.

    Returns
    -------
    OverallChiSquare or None
        None with fewer than two groups that have rows. Yates's correction is applied with exactly two
        groups (scipy's default), where the result equals ``chi_square(..., yates=True)``. Statistic 0 and
        p 1 where all rates are 0 or all are 1.

    References
    ----------
    Pearson (1900); ``scipy.stats.chi2_contingency``.

    Examples
    --------
    >>> classes = omnibus_chi_square([203, 118, 178, 212], [325, 285, 706, 885])
    >>> round(classes.statistic, 1), classes.df
    (190.4, 3)
    """
    k, total = (array.ravel() for array in count_pairs((favorable, n)))
    k, total = k[total > 0], total[total > 0]
    if k.size < 2:
        return None
    if k.size == 2:
        pair = chi_square(k[0], total[0], k[1], total[1], yates=True)
        return OverallChiSquare(
            statistic=float(pair.statistic[0]),
            df=1,
            p=float(pair.p[0]),
            log10_p=float(pair.log10_p[0]),
        )
    counts, totals = [int(x) for x in k], [int(x) for x in total]
    all_favourable, everyone = sum(counts), sum(totals)
    variation = all_favourable * (everyone - all_favourable)
    statistic = 0.0
    if variation:
        statistic = math.fsum(
            (x * everyone - size * all_favourable) ** 2 / (size * variation)
            for x, size in zip(counts, totals, strict=True)
        )
    df = k.size - 1
    p, log10_p = chi_square_tail(statistic, df)
    return OverallChiSquare(statistic=statistic, df=df, p=p, log10_p=log10_p)


def normal_two_sided(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return two-sided standard normal p-values and their decimal logarithms.

    Parameters
    ----------
    z : ndarray of float64
        Statistics of either sign.

    Examples
    --------
    >>> p, log10_p = normal_two_sided(np.array([0.0, 40.0]))
    >>> p, log10_p.round(3)
    (array([1., 0.]), array([   0.   , -349.136]))
    """
    size = np.abs(z)
    p = np.array([math.erfc(value / math.sqrt(2)) for value in size.tolist()], dtype=np.float64)
    far = p < SMALLEST_ACCURATE
    log10_p = np.log10(np.where(far, 1.0, p))
    if far.any():
        from scipy import special  # noqa: PLC0415 - a quarter of a second that most audits do not need

        log10_p[far] = (math.log(2) + special.log_ndtr(-size[far])) / LOG_10
    return p, log10_p


def chi_square_tail(statistic: float, df: int) -> tuple[float, float]:
    """Return the upper tail probability of a chi-square statistic and its decimal logarithm.

    Parameters
    ----------
    statistic : float
        Statistic, >= 0.
    df : int
        Degrees of freedom, >= 1.

    References
    ----------
    NIST Digital Library of Mathematical Functions, 8.4.10 and 8.8.2 (finite sums for whole degrees of freedom),
    8.9.2 (continued fraction, used where the probability is too small for a float).

    Examples
    --------
    >>> p, log10_p = chi_square_tail(9.21034, 2)
    >>> round(p, 6), round(log10_p, 4)
    (0.01, -2.0)
    """
    if df == 1:
        tail, log10_tail = normal_two_sided(np.sqrt(np.atleast_1d(statistic)))
        return float(tail[0]), float(log10_tail[0])
    x = statistic / 2
    if x <= LARGEST_EXPONENT:
        p = min(_poisson_sum(x, df), 1.0)
        if p >= SMALLEST_ACCURATE:
            return p, math.log10(p)
    log_p = _log_gamma_tail(df / 2, x)
    return math.exp(log_p), log_p / LOG_10


def _poisson_sum(x: float, df: int) -> float:
    """Return the tail as a finite sum of positive terms: exact for whole degrees of freedom (DLMF 8.4.10, 8.8.2)."""
    if df % 2:
        total, term, rest = [math.erfc(math.sqrt(x))], 2 * math.sqrt(x / math.pi) * math.exp(-x), 1.5
    else:
        total, term, rest = [], math.exp(-x), 1.0
    for _ in range(df // 2):
        total.append(term)
        term *= x / rest
        rest += 1
    return math.fsum(total)


def _log_gamma_tail(shape: float, x: float) -> float:
    """Return the logarithm of the regularised upper incomplete gamma function, by a continued fraction for large x.

    Where x is not above the shape the tail is no small number, and is taken from scipy.
    """
    if x <= shape + 1:
        from scipy import special  # noqa: PLC0415 - for more than a thousand groups only

        return math.log(float(special.gammaincc(shape, x)))
    # Lentz's method on Gamma(s, x) e^x x^-s = 1/(x+1-s - 1(1-s)/(x+3-s - 2(2-s)/(x+5-s - ...
    b = x + 1 - shape
    d = value = 1 / b
    c = math.inf
    for i in range(1, 10_000):
        step = -i * (i - shape)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return shape * math.log(x) - x - math.lgamma(shape) + math.log(value)
