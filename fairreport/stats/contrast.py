"""Two shares compared: exact ratio and difference, and their intervals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from fairreport.stats.proportion import FloatArray, Interval, count_pairs, critical_value, wilson

# Koopman's limits lie within exp(+-700) of each other for every table that fits; beyond, exp overflows.
FARTHEST_LOG_RATIO = 700.0


def rate(a: int, n: int) -> float | None:
    """Return a / n, correctly rounded, or None without rows.

    Parameters
    ----------
    a, n : int
        Favourable outcomes and total, 0 <= a <= n.

    Examples
    --------
    >>> rate(30, 50)
    0.6
    """
    return int(a) / int(n) if n else None


def ratio(a: int, n: int, b: int, m: int) -> float | None:
    """Return the ratio of the group's rate to the reference's, from whole numbers in one division.

    ``(a / n) / (b / m)`` rounds three times and puts 30/50 against 30/40 below 0.8; this does not.

    Parameters
    ----------
    a, n : int
        Favourable outcomes and total of the group.
    b, m : int
        Favourable outcomes and total of the reference.

    Returns
    -------
    float or None
        At least 0. None where the reference has no favourable outcome or a side has no rows.

    Examples
    --------
    >>> ratio(30, 50, 30, 40)
    0.8
    >>> ratio(0, 20, 0, 20) is None
    True
    """
    top, bottom = int(a) * int(m), int(n) * int(b)
    return top / bottom if bottom and m else None


def difference(a: int, n: int, b: int, m: int) -> float | None:
    """Return the group's rate minus the reference's, from whole numbers in one division.

    Parameters
    ----------
    a, n : int
        Favourable outcomes and total of the group.
    b, m : int
        Favourable outcomes and total of the reference.

    Returns
    -------
    float or None
        Between -1 and 1. None where a side has no rows.

    Examples
    --------
    >>> difference(13, 20, 12, 20)
    0.05
    """
    bottom = int(n) * int(m)
    return (int(a) * int(m) - int(b) * int(n)) / bottom if bottom else None


def odds_ratio(a: int, n: int, b: int, m: int) -> float | None:
    """Return the group's odds over the reference's, from whole numbers in one division.

    Parameters
    ----------
    a, n : int
        Favourable outcomes and total of the group.
    b, m : int
        Favourable outcomes and total of the reference.

    Returns
    -------
    float or None
        At least 0. None where the reference has no favourable outcome, the group no unfavourable one, or a
        side no rows.

    Examples
    --------
    >>> odds_ratio(11, 15, 2, 8)
    8.25
    """
    top, bottom = int(a) * (int(m) - int(b)), int(b) * (int(n) - int(a))
    return top / bottom if bottom else None


def is_ratio_below(a: int, n: int, b: int, m: int, threshold: float | Fraction) -> bool:
    """Return whether the group's rate is below a share of the reference's, decided without rounding.

    Parameters
    ----------
    a, n : int
        Favourable outcomes and total of the group.
    b, m : int
        Favourable outcomes and total of the reference.
    threshold : float or Fraction
        Meant as it is written: 0.8 is four fifths, not the binary number nearest to it.

    Returns
    -------
    bool
        False at exact equality, where the reference's rate is 0, and where a side has no rows.

    References
    ----------
    Uniform Guidelines on Employee Selection Procedures, 29 CFR 1607.4 D: "less than four-fifths".

    Examples
    --------
    >>> is_ratio_below(3, 5, 3, 4, 0.8), is_ratio_below(299, 500, 3, 4, 0.8)
    (False, True)
    """
    share = threshold if isinstance(threshold, Fraction) else Fraction(str(threshold))
    return bool(n and m) and int(a) * int(m) * share.denominator < share.numerator * int(b) * int(n)


def newcombe_difference(
    a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike, *, level: float
) -> Interval:
    """Return Newcombe's hybrid score interval of rate differences, without continuity correction.

    Parameters
    ----------
    a, n : array_like of int
        Favourable outcomes and total of each group.
    b, m : array_like of int
        Favourable outcomes and total of the reference.
    level : float
        Confidence level, 0 < level < 1.

    Returns
    -------
    Interval
        Ends within [-1, 1], group minus reference; nan where a side has no rows.

    References
    ----------
    Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.

    Examples
    --------
    >>> ends = newcombe_difference(56, 70, 48, 80, level=0.95)
    >>> ends.low.round(4), ends.high.round(4)
    (array([0.0524]), array([0.3339]))
    """
    a, n, b, m = count_pairs((a, n), (b, m))
    group, reference = wilson(a, n, level=level), wilson(b, m, level=level)
    rows, reference_rows = np.maximum(n, 1), np.maximum(m, 1)
    p, q = a / rows, b / reference_rows
    gap = (a * m - b * n) / (rows * reference_rows)
    low = gap - np.hypot(p - group.low, reference.high - q)
    high = gap + np.hypot(group.high - p, q - reference.low)
    return Interval(low=np.maximum(low, -1.0), high=np.minimum(high, 1.0))


def katz_ratio(a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike, *, level: float) -> Interval:
    """Return Katz's interval of rate ratios, symmetric in logs.

    Parameters
    ----------
    a, n : array_like of int
        Favourable outcomes and total of each group.
    b, m : array_like of int
        Favourable outcomes and total of the reference.
    level : float
        Confidence level, 0 < level < 1.

    Returns
    -------
    Interval
        nan where a or b is 0 (no logarithm) and where both rates are 1 (the formula has no width, which is
        no interval).

    References
    ----------
    Katz, Baptista, Azen and Pike (1978), Biometrics 34, 469-474, method C.

    Examples
    --------
    >>> ends = katz_ratio(11, 15, 2, 8, level=0.95)
    >>> ends.low.round(4), ends.high.round(4)
    (array([0.8502]), array([10.1204]))
    """
    a, n, b, m = count_pairs((a, n), (b, m))
    defined = (a > 0) & (b > 0) & ((a < n) | (b < m))
    a, n, b, m = (np.where(defined, count, 1) for count in (a, n, b, m))
    error = np.sqrt((n - a) / n / a + (m - b) / m / b)
    return _around(a * m / (n * b), critical_value(level) * error, defined)


def woolf_odds_ratio(
    a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike, *, level: float
) -> Interval:
    """Return Woolf's interval of odds ratios, symmetric in logs.

    Parameters
    ----------
    a, n : array_like of int
        Favourable outcomes and total of each group.
    b, m : array_like of int
        Favourable outcomes and total of the reference.
    level : float
        Confidence level, 0 < level < 1.

    Returns
    -------
    Interval
        nan where any of the four cells is 0.

    References
    ----------
    Woolf (1955), Annals of Human Genetics 19, 251-253; SAS PROC FREQ, "Odds Ratio".

    Examples
    --------
    >>> ends = woolf_odds_ratio(11, 15, 2, 8, level=0.95)
    >>> ends.low.round(4), ends.high.round(4)
    (array([1.1535]), array([59.0029]))
    """
    a, n, b, m = count_pairs((a, n), (b, m))
    c, d = n - a, m - b
    defined = (a > 0) & (b > 0) & (c > 0) & (d > 0)
    a, b, c, d = (np.where(defined, count, 1) for count in (a, b, c, d))
    error = np.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    return _around(a * d / (b * c), critical_value(level) * error, defined)


def _around(estimate: FloatArray, half_width: FloatArray, defined: npt.NDArray[np.bool_]) -> Interval:
    factor = np.exp(half_width)
    return Interval(low=np.where(defined, estimate / factor, np.nan), high=np.where(defined, estimate * factor, np.nan))


def koopman_ratio(a: npt.ArrayLike, n: npt.ArrayLike, b: npt.ArrayLike, m: npt.ArrayLike, *, level: float) -> Interval:
    """Return Koopman's score interval of rate ratios.

    The ratios that the score test at this level does not reject, the rates being estimated under each ratio.

    Parameters
    ----------
    a, n : array_like of int
        Favourable outcomes and total of each group.
    b, m : array_like of int
        Favourable outcomes and total of the reference.
    level : float
        Confidence level, 0 < level < 1.

    Returns
    -------
    Interval
        Low is 0 where the group has no favourable outcome. High is nan where the reference has none: there
        is no upper end. Both are nan where neither has one or a side has no rows.

    References
    ----------
    Koopman (1984), Biometrics 40, 513-517; Miettinen and Nurminen (1985), Statistics in Medicine 4, 213-226,
    equation 13 without the factor N / (N - 1).

    Examples
    --------
    >>> ends = koopman_ratio(36, 40, 16, 80, level=0.95)
    >>> ends.low.round(2), ends.high.round(2)
    (array([2.94]), array([7.15]))
    """
    a, n, b, m = count_pairs((a, n), (b, m))
    z = critical_value(level)
    defined = (n > 0) & (m > 0) & (a + b > 0)
    has_low, has_high = defined & (a > 0), defined & (b > 0)
    table = np.stack([a, n, b, m]).astype(np.float64)
    low = np.where(defined, 0.0, np.nan)
    high = np.full(a.shape, np.nan)
    wanted = np.concatenate([table[:, has_low], table[:, has_high]], axis=1)
    target = np.repeat([z, -z], [has_low.sum(), has_high.sum()])
    limits = np.exp(_score_root(wanted, target))
    low[has_low], high[has_high] = np.split(limits, [int(has_low.sum())])
    estimate = a * m / np.where(has_high, n * b, 1)
    low = np.where(has_low & has_high, np.minimum(low, estimate), low)
    return Interval(low=low, high=np.where(has_high, np.maximum(high, estimate), high))


def _score(log_ratio: FloatArray, table: FloatArray) -> FloatArray:
    """Return the score statistic of each table (a, n, b, m) at a ratio; it falls as the ratio grows.

    With the side of the larger restricted rate as base, the ratio h of the two rates is at most 1 and every
    difference below has one sign: nothing cancels near rates of 1 and nothing overflows.
    """
    group_below = log_ratio <= 0
    x, n, base_x, base_n = np.where(group_below, table, table[[2, 3, 0, 1]])
    h, rest = np.exp(-np.abs(log_ratio)), -np.expm1(-np.abs(log_ratio))
    y, base_y = n - x, base_n - base_x
    # Restricted estimate: the smaller root of A p^2 - B p + C = 0, and q = 1 - p from its own form.
    big_a, big_b, big_c = h * (n + base_n), h * n + x + base_n + h * base_x, x + base_x
    s = rest * (x + base_n) - h * (y + base_y)
    root = np.sqrt(s * s + 4 * big_a * base_y * rest)
    p = 2 * big_c / (big_b + root)
    above = np.where(s >= 0, 2 * base_y * rest, root - s)
    below = np.where(s >= 0, root + s, 2 * big_a)
    q = np.divide(above, below, out=np.zeros_like(p), where=below > 0)
    variance = h * p * ((rest + h * q) / n + h * q / base_n)
    gap = x / n - h * (base_x / base_n)
    score = np.divide(gap, np.sqrt(variance), out=np.zeros_like(p), where=variance > 0)
    return np.asarray(np.where(group_below, score, -score), dtype=np.float64)


def _score_root(table: FloatArray, target: FloatArray) -> FloatArray:
    """Return the log ratio at which each table's score equals its target, by Illinois steps."""
    a, n, b, m = table
    centre = np.log((a + 0.5) / (n + 0.5)) - np.log((b + 0.5) / (m + 0.5))
    width = np.abs(target) * np.sqrt(1 / (a + 0.5) + 1 / (b + 0.5))
    left, right = centre - width, centre + width
    at_left, at_right = _score(left, table) - target, _score(right, table) - target
    for _ in range(60):
        low, high = at_left < 0, at_right > 0
        if not (low.any() or high.any()):
            break
        width = 2 * width
        left = np.where(low, np.maximum(left - width, -FARTHEST_LOG_RATIO), left)
        right = np.where(high, np.minimum(right + width, FARTHEST_LOG_RATIO), right)
        at_left = np.where(low, _score(left, table) - target, at_left)
        at_right = np.where(high, _score(right, table) - target, at_right)
    root = (left + right) / 2
    finished = np.zeros(root.shape, dtype=np.bool_)
    for step in range(100):
        slope = at_right - at_left
        secant = right - at_right * np.divide(right - left, slope, out=np.zeros_like(slope), where=slope != 0)
        middle = np.where((step % 4 == 3) | (slope == 0), (left + right) / 2, np.clip(secant, left, right))
        value = _score(middle, table) - target
        on_left = value > 0
        left, right = np.where(on_left, middle, left), np.where(on_left, right, middle)
        # Illinois: the end that stays has its value halved, so that it does not stay for ever.
        at_right = np.where(on_left, at_right / 2, value)
        at_left = np.where(on_left, value, at_left / 2)
        # A finished root stays as it is: its digits do not depend on the groups beside it.
        root = np.where(finished, root, middle)
        finished |= (np.abs(value) < 1e-13 * np.abs(target)) | (right - left < 1e-15 * (1 + np.abs(middle)))
        if finished.all():
            break
    return np.asarray(root, dtype=np.float64)
