"""Student's t distribution: its quantiles, and its tails where they are too small for a float."""

from __future__ import annotations

import math

from fairreport.stats.proportion import tail_probability
from fairreport.stats.significance import LOG_10


def student_critical_value(df: float, *, level: float) -> float:
    """Return the two-sided quantile of Student's t at a confidence level.

    Parameters
    ----------
    df : float
        Degrees of freedom, > 0, whole or not.
    level : float
        Confidence level, 0 < level < 1.

    Examples
    --------
    >>> round(student_critical_value(10, level=0.95), 6)
    2.228139
    """
    from scipy import special  # noqa: PLC0415 - a quarter of a second that most audits do not need

    return -float(special.stdtrit(df, tail_probability(level)))


def student_two_sided(t: float, df: float) -> tuple[float, float]:
    """Return the two-sided p-value of a Student t statistic and its decimal logarithm.

    Parameters
    ----------
    t : float
        Statistic of either sign.
    df : float
        Degrees of freedom, > 0, whole or not.

    References
    ----------
    NIST Digital Library of Mathematical Functions, 8.17.22 (continued fraction of the incomplete beta
    function, used where the probability is too small for a float).

    Examples
    --------
    >>> p, log10_p = student_two_sided(2.228139, 10)
    >>> round(p, 6), round(log10_p, 4)
    (0.05, -1.301)
    """
    from scipy import special  # noqa: PLC0415 - a quarter of a second that most audits do not need

    root = abs(t) / math.sqrt(df)
    square = root * root
    p = float(special.betaincc(0.5, df / 2, square / (1 + square) if square < math.inf else 1.0))
    if p > 1e-290:
        return p, math.log10(p)
    log_square = 2 * math.log(root)
    log_more = math.log1p(square) if square < 1e100 else log_square
    x, a = math.exp(-log_more), df / 2
    log_front = (log_square - log_more) / 2 - a * log_more - math.log(a) - float(special.betaln(a, 0.5))
    # Lentz's method with b = 1/2.
    c = 1.0
    value = d = 1 / (1 - (a + 0.5) * x / (a + 1))
    for m in range(1, 10_000):
        for step in (
            m * (0.5 - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + 0.5 + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + step * d)
            c = 1 + step / c
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return p, (log_front + math.log(value)) / LOG_10
