"""Means and variances: of groups put together, compared, and with their interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from fairreport.stats.student import student_critical_value, student_two_sided

# Means this close, relative or absolute, are one mean: 0.1 + 0.2 and 0.3 are not a disparity.
SAME = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Number, mean and variance of some values.

    Attributes
    ----------
    n : int
        Number of values, at least 1.
    mean : float
        Their mean.
    variance : float or None
        Their variance with n - 1 in the denominator, exactly 0.0 for constant values; None for one value.

    Raises
    ------
    ValueError
        If n is below 1, a number is not finite or negative where it cannot be, or the variance does not fit
        to n.
    """

    n: int
    mean: float
    variance: float | None

    def __post_init__(self) -> None:
        if self.n < 1:
            msg = f"found moments of {self.n} values; wanted at least one"
            raise ValueError(msg)
        if (self.variance is None) != (self.n < 2):
            msg = f"found variance {self.variance} with n {self.n}; wanted None for n 1 and a number above"
            raise ValueError(msg)
        spread = 0.0 if self.variance is None else self.variance
        if not (math.isfinite(self.mean) and math.isfinite(spread) and spread >= 0):
            msg = f"found mean {self.mean} and variance {self.variance}; wanted finite ones, variance >= 0"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class WelchTest:
    """Welch's test that two means are equal, two-sided.

    Attributes
    ----------
    statistic : float or None
        t, positive where the first mean is larger. None where neither side varies.
    df : float or None
        Degrees of freedom of Welch and Satterthwaite. None where neither side varies.
    p : float
        Two-sided p-value in [0, 1]. Where neither side varies 1.0 for equal means and 0.0 for different ones.
    log10_p : float or None
        Its decimal logarithm, accurate where p underflows. None where neither side varies.
    """

    statistic: float | None
    df: float | None
    p: float
    log10_p: float | None


def combine(parts: Sequence[Moments]) -> Moments:
    """Return the moments of disjoint parts put together.

    Computed in exact fractions and rounded once: the order of the parts changes no digit and constant values
    keep a variance of exactly 0.

    Parameters
    ----------
    parts : sequence of Moments
        At least one.

    Raises
    ------
    ValueError
        If there are no parts.

    References
    ----------
    Chan, Golub and LeVeque (1983), The American Statistician 37, 242-247.

    Examples
    --------
    >>> combine([Moments(n=2, mean=2.0, variance=2.0), Moments(n=1, mean=5.0, variance=None)])
    Moments(n=3, mean=3.0, variance=4.0)
    """
    if not parts:
        raise ValueError("found no parts; wanted at least one")
    return _moments(*_add([_sums(part) for part in parts]))


def combine_others(parts: Sequence[Moments]) -> tuple[Moments | None, ...]:
    """Return, for each part, the moments of all other parts put together.

    The sums are exact, so that taking a part out of the total leaves no rounding behind.

    Parameters
    ----------
    parts : sequence of Moments
        Disjoint parts.

    Returns
    -------
    tuple of Moments or None
        One element a part; None where there is no other part.

    Examples
    --------
    >>> parts = [Moments(n=1, mean=mean, variance=None) for mean in (1.0, 2.0, 6.0)]
    >>> [others.mean for others in combine_others(parts)]
    [4.0, 3.5, 1.5]
    """
    sums = [_sums(part) for part in parts]
    if len(sums) < 2:
        return (None,) * len(sums)
    n, total, squares = _add(sums)
    return tuple(_moments(n - part[0], total - part[1], squares - part[2]) for part in sums)


def _sums(part: Moments) -> tuple[int, Fraction, Fraction]:
    """Return number, sum and sum of squares, exactly."""
    mean, variance = Fraction(part.mean), Fraction(part.variance or 0.0)
    return part.n, part.n * mean, (part.n - 1) * variance + part.n * mean * mean


def _add(sums: Sequence[tuple[int, Fraction, Fraction]]) -> tuple[int, Fraction, Fraction]:
    n, total, squares = zip(*sums, strict=True)
    return sum(n), sum(total, Fraction()), sum(squares, Fraction())


def _moments(n: int, total: Fraction, squares: Fraction) -> Moments:
    variance = float((squares - total * total / n) / (n - 1)) if n > 1 else None
    return Moments(n=n, mean=float(total / n), variance=variance)


def welch(a: Moments, b: Moments) -> WelchTest | None:
    """Return Welch's two-sided test that two means are equal, whatever the variances.

    Parameters
    ----------
    a, b : Moments
        The two groups; the statistic is of the first minus the second.

    Returns
    -------
    WelchTest or None
        None where a group has a single value. Where neither group varies nothing is estimated: p is 1 for
        means equal within 1e-12, relative or absolute, and 0 for others.

    References
    ----------
    Welch (1947), Biometrika 34, 28-35; Satterthwaite (1946), Biometrics Bulletin 2, 110-114; R ``t.test``.

    Examples
    --------
    >>> test = welch(Moments(n=10, mean=0.75, variance=3.200556), Moments(n=10, mean=2.33, variance=4.009))
    >>> round(test.statistic, 4), round(test.df, 3), round(test.p, 5)
    (-1.8608, 17.776, 0.07939)
    """
    if a.variance is None or b.variance is None:
        return None
    part_a, part_b = a.variance / a.n, b.variance / b.n
    squared_error = part_a + part_b
    if not squared_error:
        return WelchTest(statistic=None, df=None, p=float(_is_same(a.mean, b.mean)), log10_p=None)
    statistic = (a.mean - b.mean) / math.sqrt(squared_error)
    share_a, share_b = part_a / squared_error, part_b / squared_error
    df = 1 / (share_a * share_a / (a.n - 1) + share_b * share_b / (b.n - 1))
    p, log10_p = student_two_sided(statistic, df)
    return WelchTest(statistic=statistic, df=df, p=p, log10_p=log10_p)


def t_interval(m: Moments, *, level: float) -> tuple[float, float] | None:
    """Return Student's t interval of a mean.

    Parameters
    ----------
    m : Moments
        Of the values whose mean is estimated.
    level : float
        Confidence level, 0 < level < 1.

    Returns
    -------
    tuple of float or None
        Lower and upper end, both the mean itself for constant values; None for a single value.

    References
    ----------
    Student (1908), Biometrika 6, 1-25.

    Examples
    --------
    >>> low, high = t_interval(Moments(n=10, mean=0.75, variance=3.200556), level=0.95)
    >>> round(low, 4), round(high, 4)
    (-0.5298, 2.0298)
    """
    if m.variance is None:
        return None
    half_width = student_critical_value(m.n - 1, level=level) * math.sqrt(m.variance / m.n)
    return m.mean - half_width, m.mean + half_width


def pooled_sd(a: Moments, b: Moments) -> float | None:
    """Return the standard deviation within two groups, pooled with n - 1 weights.

    Parameters
    ----------
    a, b : Moments
        The two groups; one of a single value adds nothing.

    Returns
    -------
    float or None
        At least 0; None where both groups have a single value.

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd ed., equation 2.5.2.

    Examples
    --------
    >>> pooled_sd(Moments(n=3, mean=5.0, variance=4.0), Moments(n=1, mean=2.0, variance=None))
    2.0
    """
    df = a.n + b.n - 2
    if df < 1:
        return None
    return math.sqrt(((a.n - 1) * (a.variance or 0.0) + (b.n - 1) * (b.variance or 0.0)) / df)


def standardized_mean_difference(a: Moments, b: Moments) -> float | None:
    """Return the difference of two means in pooled standard deviations (Cohen's d), first minus second.

    Parameters
    ----------
    a, b : Moments
        The two groups.

    Returns
    -------
    float or None
        None where both groups have a single value, and where nothing varies within the groups but the means
        differ; 0.0 where nothing varies and the means are equal within 1e-12, relative or absolute.

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd ed., equation 2.5.1.

    Examples
    --------
    >>> standardized_mean_difference(
    ...     Moments(n=3, mean=5.0, variance=4.0), Moments(n=3, mean=2.0, variance=4.0)
    ... )
    1.5
    """
    sd = pooled_sd(a, b)
    if sd is None:
        return None
    if not sd:
        return 0.0 if _is_same(a.mean, b.mean) else None
    return (a.mean - b.mean) / sd


def _is_same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=SAME, abs_tol=SAME)
